// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

/// The differences between two versions, computed once for all observers.
///
/// Used from several threads; the cached results are guarded by the lock.
final class VersionChanges: Sendable {
    let old: ObservedVersion
    let new: ObservedVersion
    let diff: VersionDiff
    private let known = Locked(Known())

    private struct Known {
        var tables: [TableKey: TableDiff] = [:]
        var affected: [Reach: Set<ObjectKey>] = [:]
        var connected: [TableKey: Set<TableKey>] = [:]
    }

    /// The key under which a set of affected objects is cached.
    enum Reach: Hashable {
        /// All properties and the objects reached through links.
        case links(from: TableKey)
        case path([KeyPathFilter.Step])
    }

    init(from old: ObservedVersion, to new: ObservedVersion) throws {
        self.old = old
        self.new = new
        diff = try VersionDiff(from: old.snapshot, to: new.snapshot)
    }

    func table(_ key: TableKey) throws -> TableDiff {
        if let table = known.withLock({ $0.tables[key] }) { return table }
        let table = try diff.table(key)
        known.withLock { $0.tables[key] = table }
        return table
    }

    func find(_ detector: any ChangeDetector, _ contents: ResultsCore.Contents?) throws -> DetectionResult {
        guard try detector.mayHaveChanged(self) else { return DetectionResult(contents: contents) }
        return try detector.find(self, contents)
    }

    /// Whether anything has changed in a table, or in one connected with it through any number of links in either
    /// direction.
    func touches(_ table: TableKey) throws -> Bool {
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
            guard let table = try new.snapshot.table(key) else { continue }
            // Links of mixed values may target any table.
            let mixed = table.publicColumns.contains { $0.type == .mixed }
            let targets = try mixed ? new.snapshot.tableKeys() : table.oppositeTables.filter { $0 != .null }
            for target in targets where connected.insert(target).inserted { open.append(target) }
        }
        let result = connected
        known.withLock { $0.connected[table] = result }
        return connected
    }

    /// Returns the objects that count as modified: those of one table from which `reach` leads to a change.
    func affected(_ reach: Reach) throws -> Set<ObjectKey> {
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
