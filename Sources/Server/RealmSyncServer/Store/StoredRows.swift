// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSync
import RealmSyncCore
import RealmValues

/// The objects of a version of `documents.realm`. The file is opened when an object is needed.
///
/// Used by one thread at a time.
final class StoredRows {
    private let open: () throws -> Snapshot
    private var reader: RowReader?

    /// - Parameter open: Opens the version, or a later one.
    init(_ open: @escaping () throws -> Snapshot) { self.open = open }

    /// Closes the file.
    func release() { reader = nil }

    private func opened() throws -> RowReader {
        if let reader { return reader }
        let opened = RowReader(try open())
        reader = opened
        return opened
    }

    private func key(of object: ObjectReference, in found: RowReader.Class) throws -> ObjectKey? {
        guard case .topLevel(let key) = found.definition.kind,
            object.key.type == key.type || object.key == .null && key.isNullable
        else { return nil }
        return try SyncNames.storedKey(object.key).flatMap { try found.table.object(primaryKey: $0) }
    }

    func contains(_ object: ObjectReference) throws -> Bool {
        try opened().find(object.table).flatMap { try key(of: object, in: $0) } != nil
    }

    /// Returns `nil` if the object doesn't exist.
    ///
    func row(of object: ObjectReference, _ slot: RowReader.Slot) throws -> PartitionState.Row? {
        let reader = try opened()
        guard let found = try reader.find(object.table), let key = try key(of: object, in: found) else {
            return nil
        }
        return try reader.row(of: key, found, slot)
    }

    /// Returns the keys of all objects of a class.
    func keys(of name: Text) throws -> [PrimaryKey] {
        let reader = try opened()
        return try reader.find(name).map { try reader.keys(of: $0) } ?? []
    }

    func classes() throws -> [RowReader.Class] { try opened().allClasses() }
}

/// Reads the objects of a database as the rows of a state.
///
/// Used by one thread at a time.
final class RowReader {
    /// Returns the key of a property of a class in rows, or `nil` to omit the property.
    typealias Slot = (_ className: Text, _ property: Text) -> Text?

    struct Class {
        let table: Table
        let definition: TableDefinition
        /// Without the primary key.
        let columns: [ColumnDefinition]
        /// The initial contents of the table's properties; `nil` for the primary key.
        fileprivate let starts: [(name: Text, content: PartitionState.Content)?]
        /// The number of objects, without embedded ones.
        let count: Int
        /// The Mixed properties that have had links to the class.
        let mixedOrigins: Set<ColumnReference>

        init(_ table: Table, in source: any TableSource) throws {
            self.table = table
            definition = try table.definition()
            count = table.isEmbedded ? 0 : try table.count()
            var columns: [ColumnDefinition] = []
            starts = try table.publicColumns.map { column in
                guard column.key != table.primaryKey else { return nil }
                let definition = try source.definition(of: column, in: table)
                columns.append(definition)
                return (definition.column.name, PartitionState.initial(definition))
            }
            self.columns = columns
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

    init(_ snapshot: Snapshot) {
        self.snapshot = snapshot
        reader = ObjectReader(snapshot, keepsTombstones: true, depthLimit: PartitionState.longestPath)
    }

    func find(_ name: Text) throws -> Class? {
        try snapshot.table(named: FileFormat.classPrefix + name.string).map(find)
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
        of found: Class, _ body: (ObjectReference, PartitionState.Row) throws -> Void
    ) throws {
        try reader.forEachObject(of: found.table) { key, values in
            guard let object = try snapshot.reference(to: key, in: found.table) else { return }
            try body(object, try row(values, found) { $1 })
        }
    }

    func row(of key: ObjectKey, _ found: Class, _ slot: Slot) throws -> PartitionState.Row? {
        guard let position = try found.table.find(key) else { return nil }
        return try row(try reader.values(of: found.table, at: position), found, slot)
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
        _ values: [DetachedValue], _ found: Class, _ slot: Slot
    ) throws -> PartitionState.Row {
        var row: PartitionState.Row = [:]
        for (start, value) in zip(found.starts, values) {
            guard let start, let key = slot(found.definition.name, start.name) else { continue }
            let content = try content(value, slot)
            if content != start.content { row[key] = content }
        }
        return row
    }

    private func content(_ value: DetachedValue, _ slot: Slot) throws -> PartitionState.Content {
        switch value {
        case .plain, .link: return .value(try snapshot.syncValue(value))
        case .list(let elements): return .list(PositionTree(try elements.map { try content($0, slot) }))
        case .set(let elements): return .set(Set(try elements.map(snapshot.syncValue)))
        case .dictionary(let entries):
            var members: [Text: PartitionState.Content] = [:]
            for (key, value) in entries { members[Text(key)] = try content(value, slot) }
            return .dictionary(members)
        case .object(let key, let values):
            guard let table = try snapshot.table(key), let name = table.className else { return .value(.null) }
            return .object(Text(name), try row(values, try find(table), slot))
        }
    }
}
