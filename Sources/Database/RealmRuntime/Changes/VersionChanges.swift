// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The differences between two versions, computed once for all observers.
///
/// Used from several threads; the cached results are guarded by the lock.
package final class VersionChanges: Sendable {
    package let old: Snapshot
    package let new: Snapshot
    package let diff: VersionDiff
    private let known = Locked(Known())

    private struct Known {
        var tables: [TableKey: TableDiff] = [:]
        var affected: [Reach: Set<ObjectKey>] = [:]
        var connected: [TableKey: Set<TableKey>] = [:]
    }

    /// The key under which a set of affected objects is cached.
    package enum Reach: Hashable {
        /// All properties and the objects reached through links.
        case links(from: TableKey)
        case path([KeyPathFilter.Step])
    }

    package init(from old: Snapshot, to new: Snapshot) throws {
        self.old = old
        self.new = new
        diff = try VersionDiff(from: old, to: new)
    }

    package func table(_ key: TableKey) throws -> TableDiff {
        if let table = known.withLock({ $0.tables[key] }) { return table }
        let table = try diff.table(key)
        known.withLock { $0.tables[key] = table }
        return table
    }

    /// Whether anything has changed in a table, or in one connected with it through any number of links in either
    /// direction.
    package func touches(_ table: TableKey) throws -> Bool {
        if diff.changedTables.isEmpty { return false }
        if diff.changedTables.contains(table) { return true }
        let connected = try connected(with: table)
        return diff.changedTables.contains(where: connected.contains)
    }

    private func connected(with table: TableKey) throws -> Set<TableKey> {
        if let connected = known.withLock({ $0.connected[table] }) { return connected }
        var connected: Set = [table]
        var open = [table]
        while let key = open.popLast() {
            guard let table = try new.table(key) else { continue }
            // Links of mixed values may target any table.
            let mixed = table.publicColumns.contains { $0.type == .mixed }
            let targets = try mixed ? new.tableKeys() : table.oppositeTables.filter { $0 != .null }
            for target in targets where connected.insert(target).inserted { open.append(target) }
        }
        let result = connected
        known.withLock { $0.connected[table] = result }
        return connected
    }

    package func reaches(_ object: ObjectKey, of table: TableKey) throws -> Bool {
        try affected(.links(from: table)).contains(object)
    }

    /// Returns the objects that count as modified: those of one table from which `reach` leads to a change.
    package func affected(_ reach: Reach) throws -> Set<ObjectKey> {
        if let affected = known.withLock({ $0.affected[reach] }) { return affected }
        let affected: Set<ObjectKey> =
            switch reach {
            case .links(let table): try affectedThroughLinks(table)
            case .path(let steps): try affectedAlong(steps[...])
            }
        known.withLock { $0.affected[reach] = affected }
        return affected
    }
}

extension Snapshot {
    /// Returns the table of an object and its position there, or nil if it isn't in this version.
    package func locate(_ key: ObjectKey, in table: TableKey) throws -> (table: Table, position: ClusterTree.Position)?
    {
        guard let table = try self.table(table), let position = try table.find(key) else { return nil }
        return (table, position)
    }
}
