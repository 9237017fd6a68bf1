// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// What two versions differ in, object by object, as users see objects: what is embedded is a part of the property
/// that holds it, at any depth, and does not count by itself.
struct VersionHistory: Sendable {
    let diff: VersionDiff
    /// By table, those with changes only. No embedded ones.
    private(set) var tables: [TableKey: TableChanges] = [:]

    struct TableChanges: Sendable {
        /// Ascending, as the others.
        var deleted: [ObjectKey] = []
        var inserted: [ObjectKey] = []
        /// The columns that differ, of objects that both versions have.
        var modified: [ObjectKey: Set<ColumnKey>] = [:]

        var isEmpty: Bool { deleted.isEmpty && inserted.isEmpty && modified.isEmpty }
    }

    var old: Snapshot { diff.old }
    var new: Snapshot { diff.new }
    var isEmpty: Bool { tables.isEmpty }

    /// Both versions stay pinned. The cost is that of the diff: it follows the change.
    init(from old: Snapshot, to new: Snapshot) throws {
        diff = try VersionDiff(from: old, to: new)
        var embedded: [(Table, [ObjectModification])] = []
        for key in diff.changedTables {
            guard let table = try new.table(key) ?? old.table(key), table.isClass else { continue }
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

    /// An embedded object has changed: the property of the object that it is a part of has.
    private mutating func addOwner(of object: ObjectKey, in table: Table) throws {
        guard let owner = try OwnerSearch(source: new).owner(of: object, in: table),
            try old.table(owner.table)?.contains(owner.object) ?? false
        else { return }
        tables[owner.table, default: TableChanges()].modified[owner.object, default: []].insert(owner.column)
    }

    /// Whether an object, or with a column only that property of it, was changed or came into being.
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

extension Table {
    /// Whether it holds the objects of a class, and not something of the file's own.
    var isClass: Bool { className != nil }
}

/// Finds the object and the property that an embedded object is a part of.
struct OwnerSearch {
    let source: any TableSource

    struct Owner: Hashable {
        var table: TableKey
        var object: ObjectKey
        var column: ColumnKey
    }

    /// nil for one that nothing owns, which sound files do not have.
    func owner(of object: ObjectKey, in table: Table) throws -> Owner? {
        var (object, table) = (object, table)
        // Embedded objects own each other as a tree, but in damaged files.
        for _ in 0..<1000 {
            guard let link = try origins(of: object, in: table, first: true).first,
                let origin = try source.table(link.table)
            else { return nil }
            if origin.kind != .embedded { return link }
            (object, table) = (link.object, origin)
        }
        throw StorageError(.invalidDatabase, "embedded objects in a circle; the file is damaged")
    }

    /// The properties that link to an object, or the first that is found.
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

    /// The properties of objects that are not embedded which an object's incoming links are a part of.
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
