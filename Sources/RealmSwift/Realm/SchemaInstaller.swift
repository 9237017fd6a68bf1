// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage

/// Brings a file's tables and columns in line with the models (content 11, realm 5 and 9).
///
/// Whole classes and indexes come without ceremony; columns that come, go or change need a greater schema version, as
/// in the original.
struct SchemaInstaller {
    private let configuration: Realm.Configuration
    private let schema: Schema

    init(_ configuration: Realm.Configuration, _ schema: Schema) {
        self.configuration = configuration
        self.schema = schema
    }

    /// The classes as the file stores them, once it does. A file that is in order is not written to.
    func install(in database: Database) throws -> [ManagedClass] {
        let problems = schema.validationErrors()
        guard problems.isEmpty else {
            throw mismatch("Schema validation failed due to the following errors:", problems)
        }
        let snapshot = try database.snapshot(label: "schema")
        if try plan(for: snapshot) == nil { return try managedClasses(in: snapshot) }
        let transaction = try database.beginWrite()
        // Another process may have brought the file in line, or further, before it was this one's turn.
        guard let plan = try plan(for: transaction) else {
            defer { transaction.rollback() }
            return try managedClasses(in: transaction)
        }
        try SchemaVersion.write(plan.version, transaction)
        let managed = try installAdditions(in: transaction)
        if plan.migrates { try removeColumns(in: transaction) }
        try transaction.commit()
        return managed
    }

    /// What has to be done to a file.
    private struct Plan {
        let version: UInt64
        /// Whether columns may go.
        let migrates: Bool
    }

    /// nil for a file that is in order, or that is only read. Throws if the configuration does not allow what it needs.
    private func plan(for source: any TableSource) throws -> Plan? {
        let stored = try SchemaVersion.read(source)
        let isAdditive = configuration.schemaMode == .additive
        if let stored, stored > configuration.schemaVersion, !configuration.readOnly, !isAdditive {
            throw Realm.Error(
                .schemaMismatch,
                "Provided schema version \(configuration.schemaVersion) is less than last set version \(stored).")
        }
        let differences = try SchemaDifferences(schema, source, configuration.schemaMode)
        let migrates = !isAdditive && stored.map { $0 < configuration.schemaVersion } ?? false
        let version = isAdditive ? max(stored ?? 0, configuration.schemaVersion) : configuration.schemaVersion
        if !migrates || configuration.readOnly, !differences.needingMigration.isEmpty {
            throw mismatch("Migration is required due to the following errors:", differences.needingMigration)
        }
        if configuration.readOnly || differences.isEmpty && stored == version { return nil }
        return Plan(version: version, migrates: migrates)
    }

    private func mismatch(_ headline: String, _ problems: [String]) -> Realm.Error {
        Realm.Error(
            .schemaMismatch, headline + problems.map { "\n- " + $0 }.joined(), fileURL: configuration.fileURL)
    }

    /// Creates what is missing, in the original's order (content 11.4): tables with their primary keys by class name,
    /// then the other columns by declaration.
    func installAdditions(in transaction: WriteTransaction) throws -> [ManagedClass] {
        for info in schema.classes where try transaction.table(named: info.tableName) == nil {
            let key = try transaction.createTable(info.tableName, kind: info.isEmbedded ? .embedded : .topLevel)
            if let primary = info.primaryKey { try addColumn(primary, to: key, in: transaction) }
        }
        for info in schema.classes {
            guard let table = try transaction.table(named: info.tableName) else { continue }
            for property in info.properties { try install(property, in: table, transaction) }
            try installPrimaryKey(info, in: table, transaction)
        }
        return try managedClasses(in: transaction)
    }

    /// A column that is missing is added; one of another type is replaced, which loses its values as documented.
    private func install(_ property: PropertyInfo, in table: Table, _ transaction: WriteTransaction) throws {
        if let column = table.column(named: property.columnName) {
            if property.matches(column, in: table, transaction) {
                return try installIndex(property, column.key, in: table, transaction)
            }
            try replaceColumn(column, by: property, in: table, transaction)
        } else {
            try addColumn(property, to: table.key, in: transaction)
        }
    }

    private func replaceColumn(
        _ column: Column, by property: PropertyInfo, in table: Table, _ transaction: WriteTransaction
    ) throws {
        if property.differsOnlyInNullability(from: column) {
            let new = try transaction.setNullable(!column.key.isNullable, column.key, of: table.key)
            return try installIndex(property, new, in: table, transaction)
        }
        if table.primaryKey == column.key { try transaction.setPrimaryKey(nil, of: table.key) }
        try transaction.removeColumn(column.key, of: table.key)
        try addColumn(property, to: table.key, in: transaction)
    }

    private func addColumn(_ property: PropertyInfo, to key: TableKey, in transaction: WriteTransaction) throws {
        var attributes = property.columnAttributes
        if property.isIndexed, !property.isPrimaryKey { attributes.insert(.indexed) }
        let target = try property.objectClassName.flatMap { try transaction.table(named: FileFormat.classPrefix + $0) }
        let column = try transaction.addColumn(
            property.columnName, property.columnType, attributes, target: target?.key, to: key)
        if property.isPrimaryKey { try transaction.setPrimaryKey(column, of: key) }
    }

    private func installIndex(
        _ property: PropertyInfo, _ column: ColumnKey, in table: Table, _ transaction: WriteTransaction
    ) throws {
        let wanted = property.isIndexed || property.isPrimaryKey
        if wanted, !table.hasIndex(column) { try transaction.addIndex(column, of: table.key) }
        if !wanted, configuration.schemaMode == .automatic, table.hasIndex(column), table.primaryKey != column {
            try transaction.removeIndex(column, of: table.key)
        }
    }

    private func installPrimaryKey(_ info: ClassInfo, in table: Table, _ transaction: WriteTransaction) throws {
        let wanted = info.primaryKey.flatMap { table.column(named: $0.columnName)?.key }
        guard wanted != table.primaryKey else { return }
        do {
            try transaction.setPrimaryKey(wanted, of: table.key)
        } catch let error as StorageError where error.code == .invalidArgument {
            throw Realm.Error(
                .schemaMismatch,
                "Primary key property '\(info.name).\(info.primaryKey?.name ?? "")' has duplicate values after migration."
            )
        }
    }

    /// Columns that the models no longer have go with a migration.
    private func removeColumns(in transaction: WriteTransaction) throws {
        for info in schema.classes {
            guard let table = try transaction.table(named: info.tableName) else { continue }
            let wanted = Set(info.properties.map(\.columnName))
            for column in Array(table.publicColumns) where !wanted.contains(column.name) {
                try transaction.removeColumn(column.key, of: table.key)
            }
        }
    }

    /// The classes whose tables and columns are all there.
    private func managedClasses(in source: any TableSource) throws -> [ManagedClass] {
        try schema.classes.compactMap { info in
            guard let table = try source.table(named: info.tableName) else { return nil }
            let columns = info.properties.compactMap { table.column(named: $0.columnName)?.key }
            let backlinks = try info.computedProperties.compactMap { try backlink($0, of: table, in: source) }
            guard columns.count == info.properties.count, backlinks.count == info.computedProperties.count else {
                return nil
            }
            return ManagedClass(info, table: table, columns: columns, backlinks: backlinks)
        }
    }

    private func backlink(
        _ property: PropertyInfo, of table: Table, in source: any TableSource
    ) throws -> ColumnKey? {
        guard let className = property.objectClassName,
            let origin = schema.classes.first(where: { $0.name == className }),
            let originTable = try source.table(named: origin.tableName),
            let originProperty = origin.property(named: property.originProperty ?? ""),
            let column = originTable.column(named: originProperty.columnName)
        else { return nil }
        return table.backlinkColumn(origin: originTable.key, column.key)?.key
    }
}

extension ClassInfo {
    var tableName: String { FileFormat.classPrefix + name }
}

/// The schema version, as the file keeps it (content 11.2).
enum SchemaVersion {
    static let column = "version"

    /// nil if it was never set.
    static func read(_ source: any TableSource) throws -> UInt64? {
        guard let table = try source.table(named: FileFormat.metadataTable), let column = table.column(named: column),
            try table.count() > 0
        else { return nil }
        guard case .int(let value) = try table.value(column, at: try table.clusters.position(at: 0)), value != -1 else {
            return nil
        }
        return UInt64(bitPattern: value)
    }

    static func write(_ version: UInt64, _ transaction: WriteTransaction) throws {
        let key =
            try transaction.table(named: FileFormat.metadataTable)?.key
            ?? transaction.createTable(FileFormat.metadataTable)
        let table = try transaction.require(key)
        let column = try table.column(named: column)?.key ?? transaction.addColumn(column, .int, to: key)
        if try table.count() == 0 { _ = try transaction.createObject(in: key) }
        let position = try table.clusters.position(at: 0)
        let object = position.leaf.key(at: position.row)
        try transaction.set(.int(Int64(bitPattern: version)), column, of: object, in: key)
    }
}
