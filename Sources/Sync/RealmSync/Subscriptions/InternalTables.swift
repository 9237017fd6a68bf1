// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Tables of a client file that belong to synchronisation (§5.1). They aren't classes: they are neither synchronised
/// nor visible to the application.
struct InternalTables: Sendable {
    struct Column: Sendable {
        let name: String
        let type: ColumnType
        let attributes: ColumnAttributes
        /// The table of the column's embedded objects.
        let target: String?

        init(_ name: String, _ type: ColumnType, _ attributes: ColumnAttributes = [], target: String? = nil) {
            (self.name, self.type, self.attributes, self.target) = (name, type, attributes, target)
        }
    }

    struct Definition: Sendable {
        let name: String
        var kind = TableKind.topLevel
        /// Whether the first column is the primary key. Embedded tables have none.
        var hasPrimaryKey = true
        let columns: [Column]
    }

    /// The name under which the file records the version of the layout.
    let group: String
    let layout: Int64
    let tables: [Definition]

    private static let registry = Definition(
        name: "sync_internal_schemas", columns: [Column("schema_group_name", .string), Column("schema_version", .int)])

    /// Whether the file has all tables.
    ///
    /// - Throws: `StorageError`: `incompatibleHistory` if the file has a newer layout.
    func arePresent(in source: some TableSource) throws -> Bool {
        guard let registry = try source.table(named: Self.registry.name),
            let position = try registry.find(primaryKey: .string(group))
        else { return false }
        let found = try InternalRow(registry, position).int("schema_version")
        guard found == layout else {
            throw StorageError(
                .incompatibleHistory,
                "the file has layout \(found) of '\(group)', and this library supports \(layout); open it with a newer "
                    + "version of the library, or delete the file and download its data again")
        }
        return true
    }

    /// Creates the tables that the file lacks, in the order of the original, and records the layout.
    func create(in transaction: WriteTransaction) throws {
        for definition in [Self.registry] + tables { try Self.addTable(definition, transaction) }
        for definition in [Self.registry] + tables { try Self.addColumns(definition, transaction) }
        guard let registry = try transaction.table(named: Self.registry.name) else { return }
        if try registry.find(primaryKey: .string(group)) != nil { return }
        let columns = registry.publicColumns.map(\.key)
        _ = try transaction.createObject(in: registry.key, [columns[0]: .string(group), columns[1]: .int(layout)])
    }

    private static func addTable(_ definition: Definition, _ transaction: WriteTransaction) throws {
        if let table = try transaction.table(named: definition.name) {
            guard table.kind == definition.kind else { throw foreign(definition.name) }
        } else {
            _ = try transaction.schema.addTable(definition.name, kind: definition.kind)
        }
    }

    private static func addColumns(_ definition: Definition, _ transaction: WriteTransaction) throws {
        guard let table = try transaction.table(named: definition.name) else { return }
        guard table.publicColumns.isEmpty else {
            let isSame = definition.columns.allSatisfy { column in
                table.column(named: column.name).map { $0.type == column.type && $0.isSame(as: column) } ?? false
            }
            guard isSame, table.publicColumns.count == definition.columns.count else { throw foreign(definition.name) }
            return
        }
        for (index, column) in definition.columns.enumerated() {
            let target = try column.target.flatMap { try transaction.table(named: $0)?.key }
            let key = try transaction.schema.addColumn(
                column.name, column.type, column.attributes, target: target, to: table.key)
            if index == 0, definition.hasPrimaryKey, definition.kind == .topLevel {
                try transaction.schema.setPrimaryKey(key, of: table.key)
            }
        }
    }

    private static func foreign(_ name: String) -> StorageError {
        StorageError(.incompatibleHistory, "the table '\(name)' of the file has an unknown layout")
    }
}

extension InternalTables.Definition {
    /// Returns the table without rows. Replaces a table with another layout, because the layout isn't recorded.
    func emptyTable(in transaction: WriteTransaction) throws -> Table {
        if let table = try transaction.table(named: name) {
            if columns.allSatisfy({ table.column(named: $0.name)?.type == $0.type }),
                table.publicColumns.count == columns.count
            {
                try transaction.clear(table.key)
                return table
            }
            try transaction.schema.removeTable(table.key)
        }
        let key = try transaction.schema.addTable(name)
        for column in columns { try transaction.schema.addColumn(column.name, column.type, to: key) }
        if hasPrimaryKey, let first = try transaction.table(key)?.publicColumns.first {
            try transaction.schema.setPrimaryKey(first.key, of: key)
        }
        guard let table = try transaction.table(key) else { throw StorageError.absent("'\(name)' no longer exists") }
        return table
    }

    /// Returns the first row of the table, or nil if there's none.
    func firstRow(in source: some TableSource) throws -> InternalRow? {
        guard let table = try source.table(named: name) else { return nil }
        var first: ObjectKey?
        try table.clusters.forEachLeaf { leaf in
            if leaf.count > 0 { first = leaf.key(at: 0) }
            return first == nil
        }
        return try first.map { try InternalRow(table, $0) }
    }

    /// Adds a row with the values by column.
    func insert(_ values: [ByteText: StoredValue], into table: Table, _ transaction: WriteTransaction) throws {
        var row: [ColumnKey: StoredValue] = [:]
        for column in table.publicColumns { row[column.key] = values[ByteText(column.name)] }
        _ = try transaction.createObject(in: table.key, row)
    }
}

extension Column {
    fileprivate func isSame(as column: InternalTables.Column) -> Bool {
        key.isList == column.attributes.contains(.list)
            && (type == .link || key.isNullable == column.attributes.contains(.nullable))
    }
}

/// An object of an internal table.
struct InternalRow {
    let table: Table
    private let position: ClusterTree.Position

    init(_ table: Table, _ position: ClusterTree.Position) {
        (self.table, self.position) = (table, position)
    }

    init(_ table: Table, _ object: ObjectKey) throws {
        self.init(table, try table.requireObject(object))
    }

    func value(_ name: String) throws -> StoredValue {
        guard let column = table.column(named: name), !column.key.isCollection else { throw missing(name) }
        return try table.value(column, at: position)
    }

    func int(_ name: String) throws -> Int64 {
        guard case .int(let number) = try value(name) else { throw missing(name) }
        return number
    }

    func version(_ name: String) throws -> UInt64 { UInt64(bitPattern: try int(name)) }

    /// Returns nil for null.
    func text(_ name: String) throws -> String? {
        switch try value(name) {
        case .null: nil
        case .string(let text): text
        default: throw missing(name)
        }
    }

    func timestamp(_ name: String) throws -> Timestamp {
        guard case .timestamp(let time) = try value(name) else { throw missing(name) }
        return time
    }

    /// Returns the keys of the objects in a list, up to a maximum number.
    func objects(_ name: String, first limit: Int = .max) throws -> [ObjectKey] {
        guard let column = table.column(named: name), column.key.isList, column.type == .link else {
            throw missing(name)
        }
        var keys: [ObjectKey] = []
        try table.list(column, at: position).forEachObject { key in
            keys.append(key)
            return keys.count < limit
        }
        return keys
    }

    func missing(_ name: String) -> StorageError {
        StorageError(.invalidDatabase, "the table '\(table.name)' has no column '\(name)' of the expected type")
    }
}

extension Table {
    /// Returns the column keys of an internal table, by name.
    func internalColumn(_ name: String) throws -> ColumnKey {
        guard let column = column(named: name) else {
            throw StorageError(.invalidDatabase, "the table '\(self.name)' has no column '\(name)'")
        }
        return column.key
    }
}
