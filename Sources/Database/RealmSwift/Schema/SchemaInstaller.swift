// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmStorage

/// Adapts a file's tables and columns to the models (content 11, realm 5 and 9).
///
/// Whole classes and indexes are added automatically. Added, removed or changed columns require a greater schema
/// version, as in the original, and are handled by a migration.
struct SchemaInstaller {
    let configuration: Realm.Configuration
    let schema: Schema

    init(_ configuration: Realm.Configuration, _ schema: Schema) {
        self.configuration = configuration
        self.schema = schema
    }

    /// The work that a file requires.
    struct Plan {
        enum Work {
            case additions
            /// A migration from a lower schema version.
            case migration(from: UInt64)
            /// All data are deleted, because they would require a migration.
            case reset
        }
        let work: Work
        let version: UInt64
        let differences: SchemaDifferences
    }

    /// Installs the models. Returns the classes as the file stores them, and the version that already matches them. A
    /// file that already matches isn't written to.
    ///
    /// All changes are made in one write transaction, including those of a migration's block: after a failure the file
    /// is unchanged.
    func install(in database: Database) throws -> (classes: [ManagedClass], version: Snapshot?) {
        try verifySchema()
        let installed = try bringInLine(database)
        try verifyComplete(installed.classes)
        return installed
    }

    /// Throws if a class is missing after its table and columns were created or found: then the file's tables
    /// contradict themselves. In a file that is only read, such a class has no objects.
    private func verifyComplete(_ classes: [ManagedClass]) throws {
        guard !configuration.readOnly, classes.count < schema.classes.count else { return }
        let found = Set(classes.map { ObjectIdentifier($0.info) })
        guard let missing = schema.classes.first(where: { !found.contains(ObjectIdentifier($0)) }) else { return }
        throw StorageError(
            .invalidDatabase, "the table of class '\(missing.name)' lacks what it should have; the file is damaged")
    }

    private func bringInLine(_ database: Database) throws -> (classes: [ManagedClass], version: Snapshot?) {
        if let installed = try installed(in: database) { return installed }
        let transaction = try database.beginWrite()
        do {
            // Another process may have made these changes, or further ones, before this one got the write lock.
            guard let plan = try plan(for: transaction) else {
                let managed = try managedClasses(in: transaction)
                transaction.rollback()
                return (managed, nil)
            }
            let managed = try apply(plan, in: transaction, of: database).classes
            try transaction.commit()
            if case .reset = plan.work { _ = try? database.compact() }
            return (managed, nil)
        } catch {
            if transaction.isOpen { transaction.rollback() }
            throw error
        }
    }

    /// Throws if the models contradict each other.
    func verifySchema() throws {
        let problems =
            (schema.isSound ? [] : schema.validationErrors())
            + schema.asymmetricErrors(isKept: configuration.keepsAsymmetricObjects)
            + (configuration.isSynchronised ? schema.synchronisationErrors() : [])
        guard problems.isEmpty else {
            throw mismatch("Schema validation failed due to the following errors:", problems)
        }
    }

    /// The installed classes; nil if the file doesn't match the models.
    private func installed(in database: Database) throws -> ([ManagedClass], Snapshot)? {
        let snapshot = try database.openedSnapshot() ?? database.snapshot(label: VersionReader.holder)
        return try plan(for: snapshot) == nil ? (managedClasses(in: snapshot), snapshot) : nil
    }

    /// The plan for a file; nil if it matches the models, or is only read. Throws if the configuration doesn't allow
    /// the necessary changes.
    func plan(for source: any TableSource) throws -> Plan? {
        let stored = try SchemaVersion.read(source)
        let isAdditive = configuration.effectiveSchemaMode == .additive
        let differences = try SchemaDifferences(
            schema, source, configuration.effectiveSchemaMode, mayAddColumns: !configuration.readOnly)
        let wanted = configuration.schemaVersion
        if let stored, configuration.deleteRealmIfMigrationNeeded, !configuration.readOnly, !isAdditive,
            stored != wanted || !differences.needingMigration.isEmpty
        {
            return Plan(work: .reset, version: wanted, differences: differences)
        }
        if let stored, stored > wanted, !configuration.readOnly, !isAdditive {
            throw Realm.Error(
                .schemaMismatch, "Provided schema version \(wanted) is less than last set version \(stored).")
        }
        let migrates = !isAdditive && stored.map { $0 < wanted } ?? false
        let version = isAdditive ? max(stored ?? 0, wanted) : wanted
        if !migrates || configuration.readOnly, !differences.needingMigration.isEmpty {
            throw mismatch(
                "Migration is required due to the following errors:", differences.needingMigration.map(\.text))
        }
        if configuration.readOnly || differences.isEmpty && stored == version { return nil }
        let work: Plan.Work = if migrates, let stored { .migration(from: stored) } else { .additions }
        return Plan(work: work, version: version, differences: differences)
    }

    private func mismatch(_ headline: String, _ problems: [String]) -> Realm.Error {
        Realm.Error(
            .schemaMismatch, headline + problems.map { "\n- " + $0 }.joined(), fileURL: configuration.fileURL)
    }

    /// Executes a plan within a write transaction that the caller commits.
    func apply(
        _ plan: Plan, in transaction: WriteTransaction, of database: Database
    ) throws -> MigrationRun.Outcome {
        switch plan.work {
        case .additions: break
        case .migration(let stored):
            return try MigrationRun(self, from: stored, to: plan.version, database, transaction).run()
        case .reset: try removeClasses(from: transaction)
        }
        try SchemaVersion.write(plan.version, transaction)
        return MigrationRun.Outcome(classes: try installAdditions(in: transaction))
    }

    /// Removes the tables of all classes, beginning with those that have links.
    func removeClasses(from transaction: WriteTransaction) throws {
        let names = try transaction.tableKeys().compactMap { try transaction.table($0)?.className }
        try removeTables(of: names, from: transaction)
    }

    /// Removes the tables of these classes, unless others link to them.
    func removeTables(of classNames: [String], from transaction: WriteTransaction) throws {
        let tables = try classNames.compactMap { try transaction.table(named: FileFormat.classPrefix + $0) }
        for table in tables {
            for column in Array(table.publicColumns) where column.type == .link {
                try transaction.schema.removeColumn(column.key, of: table.key)
            }
        }
        for table in tables {
            let isLinkedTo = try table.backlinkColumns.contains { column in
                let origin = try transaction.table(table.oppositeTables[column.leafIndex])
                return origin?.column(table.oppositeColumns[column.leafIndex])?.type == .link
            }
            if !isLinkedTo { try transaction.schema.removeTable(table.key) }
        }
    }

    // MARK: Tables and columns

    /// Creates the missing tables and columns, in the original's order (content 11.4): tables with their primary keys
    /// by class name, then the other columns by declaration.
    func installAdditions(in transaction: WriteTransaction) throws -> [ManagedClass] {
        try installTables(in: transaction)
        try installColumns(in: transaction)
        try installPrimaryKeys(in: transaction)
        return try managedClasses(in: transaction)
    }

    func installTables(in transaction: WriteTransaction) throws {
        for info in schema.classes where try transaction.table(named: info.tableName) == nil {
            let key = try transaction.schema.addTable(info.tableName, kind: info.kind)
            if let primary = info.primaryKey {
                let column = try addColumn(primary, to: key, in: transaction)
                try transaction.schema.setPrimaryKey(column, of: key)
            }
        }
    }

    func installColumns(in transaction: WriteTransaction) throws {
        for info in schema.classes {
            guard let table = try transaction.table(named: info.tableName) else { continue }
            for property in info.properties { try install(property, in: table, transaction) }
        }
    }

    /// Adds a missing column; replaces one of another type, which loses its values as documented.
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
            let new = try transaction.schema.setNullable(!column.key.isNullable, column.key, of: table.key)
            return try installIndex(property, new, in: table, transaction)
        }
        if table.primaryKey == column.key { try transaction.schema.setPrimaryKey(nil, of: table.key) }
        try transaction.schema.removeColumn(column.key, of: table.key)
        try addColumn(property, to: table.key, in: transaction)
    }

    @discardableResult
    private func addColumn(
        _ property: PropertyInfo, to key: TableKey, in transaction: WriteTransaction
    ) throws -> ColumnKey {
        var attributes = property.columnAttributes
        if property.isIndexed, !property.isPrimaryKey { attributes.insert(.indexed) }
        if property.isFullText { attributes.insert(.fullTextIndexed) }
        let target = try property.objectClassName.flatMap { try transaction.table(named: FileFormat.classPrefix + $0) }
        return try transaction.schema.addColumn(
            property.columnName, property.columnType, attributes, target: target?.key, to: key)
    }

    func installIndex(
        _ property: PropertyInfo, _ column: ColumnKey, in table: Table, _ transaction: WriteTransaction
    ) throws {
        let info = try table.require(column)
        // Setting a primary key also creates its index.
        if property.isPrimaryKey, table.primaryKey != column {
            if info.isFullTextIndexed { try transaction.indexes.remove(column, of: table.key) }
            return
        }
        guard property.needsOtherIndex(than: table.indexKind(info), configuration.effectiveSchemaMode) else { return }
        if let wanted = property.indexKind {
            // The primary key is removed first: it needs the index that is replaced.
            if wanted == .fullText, table.primaryKey == column {
                try transaction.schema.setPrimaryKey(nil, of: table.key)
            }
            try transaction.indexes.add(column, wanted, of: table.key)
        } else if table.primaryKey != column {
            try transaction.indexes.remove(column, of: table.key)
        }
    }

    func installPrimaryKeys(in transaction: WriteTransaction) throws {
        for info in schema.classes {
            guard let table = try transaction.table(named: info.tableName) else { continue }
            let wanted = info.primaryKey.flatMap { table.column(named: $0.columnName)?.key }
            guard wanted != table.primaryKey else { continue }
            do {
                try transaction.schema.setPrimaryKey(wanted, of: table.key)
            } catch let error as StorageError where error.code == .invalidArgument {
                let value = try wanted.flatMap { try transaction.schema.duplicate(of: $0, in: table.key) }
                throw Realm.Error(
                    .schemaMismatch,
                    """
                    Primary key property '\(info.name).\(info.primaryKey?.name ?? "")' has duplicate values after \
                    migration. More than one object has '\(value?.printed ?? "")'.
                    """)
            }
        }
    }

    // MARK: Classes

    /// The classes whose tables and columns all exist.
    func managedClasses(in source: any TableSource) throws -> [ManagedClass] {
        try schema.classes.compactMap { info in
            guard let table = try source.table(named: info.tableName) else { return nil }
            let columns = info.properties.compactMap { table.column(named: $0.columnName)?.key }
            let backlinks = try info.computedProperties.compactMap { try backlink($0, of: table, in: source) }
            guard columns.count == info.properties.count, backlinks.count == info.computedProperties.count else {
                return nil
            }
            return .of(info, table: table, columns: columns, backlinks: backlinks)
        }
    }

    private func backlink(
        _ property: PropertyInfo, of table: Table, in source: any TableSource
    ) throws -> ColumnKey? {
        guard let origin = property.target(in: schema.classes),
            let originTable = try source.table(named: origin.tableName),
            let originProperty = origin.property(named: property.originProperty ?? ""),
            let column = originTable.column(named: originProperty.columnName)
        else { return nil }
        return table.backlinkColumn(origin: originTable.key, column.key)?.key
    }
}
