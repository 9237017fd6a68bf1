// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSync
import RealmSyncCore
import RealmValues

/// Reads the objects of a database as rows.
///
/// Used by one thread at a time.
final class RowReader {
    /// Returns the keys of the properties of a class in rows, or `nil` for a property to omit. In the order of the
    /// table's properties.
    typealias Slots = (Class) -> [Text?]

    struct Class {
        let table: Table
        let definition: TableDefinition
        /// Without the primary key.
        let columns: [ColumnDefinition]
        /// The names of the table's properties; `nil` for the primary key.
        let slots: [Text?]
        /// The initial contents of the table's properties.
        fileprivate let starts: [ObjectContent]
        /// The number of objects, without embedded ones.
        let count: Int
        /// The Mixed properties that have had links to the class.
        let mixedOrigins: Set<ColumnReference>

        init(_ table: Table, in source: any TableSource) throws {
            self.table = table
            definition = try table.definition()
            count = table.isEmbedded ? 0 : try table.count()
            var columns: [ColumnDefinition] = []
            var (slots, starts) = ([Text?](), [ObjectContent]())
            for column in table.publicColumns {
                let definition = try source.definition(of: column, in: table)
                starts.append(ObjectContent.initial(definition))
                slots.append(column.key == table.primaryKey ? nil : definition.column.name)
                if column.key != table.primaryKey { columns.append(definition) }
            }
            (self.columns, self.slots, self.starts) = (columns, slots, starts)
            var origins: Set<ColumnReference> = []
            for column in table.backlinkColumns {
                guard let origin = try source.table(table.oppositeTables[column.leafIndex]),
                    let found = origin.column(table.oppositeColumns[column.leafIndex]), found.type == .mixed,
                    let name = origin.className
                else { continue }
                origins.insert(ColumnReference(Text(name), Text(found.name)))
            }
            mixedOrigins = origins
        }
    }

    private let snapshot: Snapshot
    private let reader: ObjectReader
    private var classes: [TableKey: Class] = [:]
    private var names: [Text: Class] = [:]
    /// The last object that was read.
    private var cursor: Cursor?

    /// A position in a leaf. A bootstrap reads the objects in the order of their primary keys, which is often that of
    /// the file; then the next row is the next object.
    private struct Cursor {
        let table: TableKey
        let leaf: ObjectReader.LeafReader
        let keys: ColumnLeaf
        var row: Int
    }

    init(_ snapshot: Snapshot) {
        self.snapshot = snapshot
        reader = ObjectReader(snapshot, keepsTombstones: true, depthLimit: PartitionObjects.longestPath)
    }

    func find(_ name: Text) throws -> Class? {
        if let known = names[name] { return known }
        guard let table = try snapshot.table(named: FileFormat.classPrefix + name.string) else { return nil }
        let found = try find(table)
        names[name] = found
        return found
    }

    private func find(_ table: Table) throws -> Class {
        if let known = classes[table.key] { return known }
        let found = try Class(table, in: snapshot)
        classes[table.key] = found
        return found
    }

    func allClasses() throws -> [Class] {
        try snapshot.tableKeys().compactMap { key in
            guard let table = try snapshot.table(key), table.className != nil else { return nil }
            return try find(table)
        }
    }

    // MARK: Objects

    /// Passes the objects of a class in the order of the file. Properties have their names as keys.
    func forEachObject(
        of found: Class, _ body: (ObjectReference, ObjectRow) throws -> Void
    ) throws {
        try reader.forEachObject(of: found.table) { key, values in
            guard let object = try snapshot.reference(to: key, in: found.table) else { return }
            try body(object, try row(values, found) { $0.slots })
        }
    }

    func position(of key: PrimaryKey, in found: Class) throws -> ClusterTree.Position? {
        guard case .topLevel(let column) = found.definition.kind,
            key.type == column.type || key == .null && column.isNullable
        else { return nil }
        return try SyncNames.storedKey(key).flatMap { try found.table.find(primaryKey: $0) }
    }

    /// Returns `nil` if the object doesn't exist.
    func row(of key: PrimaryKey, in found: Class, _ slots: Slots) throws -> ObjectRow? {
        if try !advance(to: key, in: found) {
            cursor = nil
            guard let position = try position(of: key, in: found), let column = found.table.primaryKey,
                let info = found.table.column(column)
            else { return nil }
            let leaf = try reader.leafReader(position.leaf, of: found.table)
            let keys = try position.leaf.column(info.leafIndex, info.leafKind)
            cursor = Cursor(table: found.table.key, leaf: leaf, keys: keys, row: position.row)
        }
        return try cursor.map { try row(try $0.leaf.values(at: $0.row), found, slots) }
    }

    /// Advances to the next row if it has the key.
    private func advance(to key: PrimaryKey, in found: Class) throws -> Bool {
        guard let current = cursor, current.table == found.table.key, current.row + 1 < current.leaf.leaf.count,
            try SyncNames.primaryKey(try current.keys.value(at: current.row + 1)) == key
        else { return false }
        cursor?.row += 1
        return true
    }

    func keys(of found: Class) throws -> [PrimaryKey] {
        guard !found.table.isEmbedded, let key = found.table.primaryKey, let column = found.table.column(key) else {
            return []
        }
        var keys: [PrimaryKey] = []
        try found.table.clusters.forEachLeaf { leaf in
            let values = try leaf.column(column.leafIndex, column.leafKind)
            for row in 0..<leaf.count { keys.append(try SyncNames.primaryKey(try values.value(at: row))) }
            return true
        }
        return keys
    }

    // MARK: Values

    private func row(
        _ values: [DetachedValue], _ found: Class, _ slots: Slots
    ) throws -> ObjectRow {
        var entries: [ObjectRow.Entry] = []
        entries.reserveCapacity(values.count)
        let keys = slots(found)
        for index in keys.indices {
            guard let key = keys[index] else { continue }
            let content = try content(values[index], slots)
            if content != found.starts[index] { entries.append((key, content)) }
        }
        return ObjectRow(entries)
    }

    private func content(_ value: DetachedValue, _ slots: Slots) throws -> ObjectContent {
        switch value {
        case .plain, .link: return .value(try snapshot.syncValue(value))
        case .list(let elements): return .list(PositionTree(try elements.map { try content($0, slots) }))
        case .set(let elements): return .set(Set(try elements.map(snapshot.syncValue)))
        case .dictionary(let entries):
            var members: [Text: ObjectContent] = [:]
            for (key, value) in entries { members[Text(key)] = try content(value, slots) }
            return .dictionary(members)
        case .object(let key, let values):
            guard let table = try snapshot.table(key), let name = table.className else { return .value(.null) }
            return .object(Text(name), try row(values, try find(table), slots))
        }
    }
}
