// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSystem

/// The differences between two versions by object, as visible to users. An embedded object is part of the property that
/// contains it, at any depth, and doesn't count as an object.
package struct VersionHistory: Sendable {
    let diff: VersionDiff
    /// The changes by table, without embedded ones. Contains only tables with changes.
    package private(set) var tables: [TableKey: TableChanges] = [:]

    package struct TableChanges: Sendable {
        /// Ascending, like `inserted`.
        package var deleted: [ObjectKey] = []
        package var inserted: [ObjectKey] = []
        /// The columns that differ in the objects that both versions contain.
        package var modified: [ObjectKey: Set<ColumnKey>] = [:]
    }

    package var old: Snapshot { diff.old }
    package var new: Snapshot { diff.new }
    package var isEmpty: Bool { tables.isEmpty }

    /// Both versions stay pinned. The cost is that of the diff, proportional to the changes.
    package init(from old: Snapshot, to new: Snapshot) throws {
        diff = try VersionDiff(from: old, to: new)
        var embedded: [(Table, [ObjectModification])] = []
        for key in diff.changedTables {
            guard let table = try new.table(key) ?? old.table(key), table.className != nil else { continue }
            let objects = try diff.table(key)
            if table.kind == .embedded {
                if let table = try new.table(key) { embedded.append((table, objects.modifications)) }
            } else if !objects.isEmpty {
                tables[key] = TableChanges(objects)
            }
        }
        for (table, modifications) in embedded {
            for modification in modifications { try addOwner(of: modification.object, in: table) }
        }
    }

    private mutating func addOwner(of object: ObjectKey, in table: Table) throws {
        guard let owner = try OwnerSearch(source: new).owner(of: object, in: table),
            try old.table(owner.table)?.contains(owner.object) ?? false
        else { return }
        tables[owner.table, default: TableChanges()].modified[owner.object, default: []].insert(owner.column)
    }

    /// Returns the changes without properties whose embedded objects were replaced by equal ones, as an undo does.
    func withoutEqualValues() throws -> VersionHistory {
        var result = self
        let (before, after) = (ObjectReader(old, depthLimit: 1000), ObjectReader(new, depthLimit: 1000))
        for (key, changes) in tables where !changes.modified.isEmpty {
            guard let oldTable = try old.table(key), let newTable = try new.table(key) else { continue }
            let embedding = try newTable.publicColumns.filter { column in
                guard column.type == .link, oldTable.column(column.key) != nil else { return false }
                return try new.table(newTable.oppositeTables[column.leafIndex])?.isEmbedded ?? false
            }
            for (object, columns) in changes.modified {
                let equal = try embedding.filter { column in
                    guard columns.contains(column.key), let was = try oldTable.find(object),
                        let now = try newTable.find(object)
                    else { return false }
                    return try before.value(column, of: oldTable, at: was) == after.value(column, of: newTable, at: now)
                }
                result.tables[key]?.modified[object]?.subtract(equal.map(\.key))
            }
        }
        return result
    }

    func hasChanged(_ place: OwnerSearch.Owner) -> Bool {
        guard let table = tables[place.table] else { return false }
        return table.isInserted(place.object) || table.modified[place.object]?.contains(place.column) ?? false
    }
}

extension VersionHistory.TableChanges {
    fileprivate init(_ diff: TableDiff) {
        deleted = diff.deletions
        inserted = diff.insertions
        for one in diff.modifications { modified[one.object] = Set(one.columns) }
    }

    func isDeleted(_ key: ObjectKey) -> Bool { deleted.containsInOrder(key) }
    func isInserted(_ key: ObjectKey) -> Bool { inserted.containsInOrder(key) }
}

struct OwnerSearch {
    let source: any TableSource

    struct Owner: Hashable {
        var table: TableKey
        var object: ObjectKey
        var column: ColumnKey
    }

    /// Returns nil for an object without an owner, which doesn't occur in intact files.
    func owner(of object: ObjectKey, in table: Table) throws -> Owner? {
        var (object, table) = (object, table)
        // Embedded objects form a tree, except in damaged files.
        for _ in 0..<1000 {
            guard let link = try origins(of: object, in: table, first: true).first,
                let origin = try source.table(link.table)
            else { return nil }
            if origin.kind != .embedded { return link }
            (object, table) = (link.object, origin)
        }
        throw StorageError(.invalidDatabase, "embedded objects in a circle; the file is damaged")
    }

    func origins(of object: ObjectKey, in table: Table, first: Bool = false) throws -> [Owner] {
        guard let position = try table.find(object) else { return [] }
        var owners: [Owner] = []
        for column in table.backlinkColumns where try table.backlinkCount(column, at: position) > 0 {
            let (origin, property) = (
                table.oppositeTables[column.leafIndex], table.oppositeColumns[column.leafIndex]
            )
            let keys = try table.backlinks(column, at: position)
            owners += (first ? Array(keys.prefix(1)) : keys).map { Owner(table: origin, object: $0, column: property) }
            if first { break }
        }
        return owners
    }

    /// Returns the properties of top-level objects that contain an object's incoming links.
    func outermostOrigins(of object: ObjectKey, in table: Table) throws -> Set<Owner> {
        var owners: Set<Owner> = []
        for origin in Set(try origins(of: object, in: table)) {
            guard let table = try source.table(origin.table) else { continue }
            if table.kind != .embedded {
                owners.insert(origin)
            } else if let owner = try owner(of: origin.object, in: table) {
                owners.insert(owner)
            }
        }
        return owners
    }
}
