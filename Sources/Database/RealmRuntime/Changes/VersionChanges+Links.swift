// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Changes seen through links. They are followed backwards from the changed objects, so that the cost is
/// proportional to the changes and the objects that link to them.
extension VersionChanges {
    /// The number of links through which a change is seen if no key paths are specified.
    private static let depth = 4

    /// Returns the objects of a table that have changed themselves, or link to changed objects through at most four
    /// links.
    package func affectedThroughLinks(_ root: TableKey) throws -> Set<ObjectKey> {
        let reach = try tablesWithin(links: Self.depth, of: root)
        var affected: [TableKey: Set<ObjectKey>] = [:]
        for table in reach[Self.depth] where !diff.isSame(table) {
            affected[table] = Set(try self.table(table).modifications.map(\.object))
        }
        var frontier = affected
        for left in (0..<Self.depth).reversed() {
            var next: [TableKey: Set<ObjectKey>] = [:]
            for (table, objects) in frontier {
                try forEachLink(to: objects, in: table) { origin, source in
                    guard reach[left].contains(origin), affected[origin, default: []].insert(source).inserted else {
                        return
                    }
                    next[origin, default: []].insert(source)
                }
            }
            frontier = next
        }
        return affected[root] ?? []
    }

    /// Returns, for each number of links, the tables reachable through at most that many.
    private func tablesWithin(links: Int, of root: TableKey) throws -> [Set<TableKey>] {
        var reach: [Set<TableKey>] = [[root]]
        for _ in 0..<links {
            var tables = reach[reach.count - 1]
            for key in tables {
                guard let table = try new.table(key) else { continue }
                for column in table.publicColumns where column.holdsLinks {
                    if column.type == .mixed {
                        tables.formUnion(diff.changedTables)
                        tables.formUnion(try new.tableKeys())
                    } else {
                        tables.insert(table.oppositeTables[column.leafIndex])
                    }
                }
            }
            reach.append(tables)
        }
        return reach
    }

    private func forEachLink(
        to objects: Set<ObjectKey>, in table: TableKey, _ body: (TableKey, ObjectKey) throws -> Void
    ) throws {
        guard let table = try new.table(table) else { return }
        let columns = table.columns.filter(\.isBacklink)
        guard !columns.isEmpty else { return }
        for object in objects {
            guard let position = try table.find(object) else { continue }
            for column in columns {
                for source in try table.backlinks(column, at: position) where source.rawValue >= 0 {
                    try body(table.oppositeTables[column.leafIndex], source)
                }
            }
        }
    }

    // MARK: Key paths

    /// Returns the objects at the beginning of a path for which something on it has changed.
    package func affectedAlong(_ steps: ArraySlice<KeyPathFilter.Step>) throws -> Set<ObjectKey> {
        guard let step = steps.first else { return [] }
        var affected = try changed(at: step)
        guard steps.count > 1 else { return affected }
        let further = try affectedAlong(steps.dropFirst())
        if further.isEmpty { return affected }
        switch step.kind {
        case .stored:
            guard let target = step.target, let table = try new.table(target),
                let column = table.backlinkColumn(origin: step.table, step.column)
            else { return affected }
            for object in further {
                guard let position = try table.find(object) else { continue }
                affected.formUnion(try table.backlinks(column, at: position).filter { $0.rawValue >= 0 })
            }
        case .inverse(let origin, let column):
            for object in further { affected.formUnion(try targets(of: column, of: object, in: origin, new)) }
        }
        return affected
    }

    private func changed(at step: KeyPathFilter.Step) throws -> Set<ObjectKey> {
        switch step.kind {
        case .stored:
            return Set(try table(step.table).modifications.filter { $0.columns.contains(step.column) }.map(\.object))
        case .inverse(let origin, let column):
            let changes = try table(origin)
            var changed: Set<ObjectKey> = []
            for object in changes.insertions { changed.formUnion(try targets(of: column, of: object, in: origin, new)) }
            for object in changes.deletions { changed.formUnion(try targets(of: column, of: object, in: origin, old)) }
            for modification in changes.modifications where modification.columns.contains(column) {
                let before = try targets(of: column, of: modification.object, in: origin, old)
                let after = try targets(of: column, of: modification.object, in: origin, new)
                changed.formUnion(before.symmetricDifference(after))
            }
            return changed
        }
    }

    private func targets(
        of column: ColumnKey, of object: ObjectKey, in table: TableKey, _ version: Snapshot
    ) throws -> Set<ObjectKey> {
        guard let (table, position) = try version.locate(object, in: table), let column = table.column(column) else {
            return []
        }
        let values: [StoredValue]
        if column.key.isList {
            values = try table.list(column, at: position).values()
        } else if column.key.isSet {
            values = try table.set(column, at: position).values()
        } else if column.key.isDictionary {
            values = try table.dictionary(column, at: position).values()
        } else {
            values = [try table.value(column, at: position)]
        }
        return Set(values.compactMap(\.linkedKey))
    }
}

extension StoredValue {
    /// The target of a link; nil for other values and unresolved links.
    package var linkedKey: ObjectKey? {
        switch self {
        case .link(let key) where key.rawValue >= 0: key
        case .typedLink(let link) where link.object.rawValue >= 0: link.object
        default: nil
        }
    }
}
