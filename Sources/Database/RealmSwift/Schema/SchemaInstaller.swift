// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmStorage

/// Adapts a file's tables and columns to the models (content 11, realm 5 and 9).
///
/// Tables and indexes are added automatically. Added, removed or changed columns require a greater schema version, as
/// in the original, and are handled by a migration.
struct SchemaInstaller {
    let configuration: Realm.Configuration
    let schema: Schema
    let tables: TableInstaller<ClassInfo>

    init(_ configuration: Realm.Configuration, _ schema: Schema) {
        self.configuration = configuration
        self.schema = schema
        tables = TableInstaller(schema.classes, isAdditive: configuration.effectiveSchemaMode == .additive)
    }

    struct Plan {
        enum Work {
            case additions
            case migration(from: UInt64)
            case reset
        }
        let work: Work
        let version: UInt64
        let differences: SchemaDifferences
    }

    /// Installs the models. Returns the classes as the file stores them, and the version, if the file already matched
    /// the models. Such a file isn't written to.
    ///
    /// All changes are made in one write transaction, including those of a migration's block: after a failure the file
    /// is unchanged.
    func install(in database: Database) throws -> (classes: [ManagedClass], version: Snapshot?) {
        try verifySchema()
        let installed = try bringInLine(database)
        try verifyComplete(installed.classes)
        return installed
    }

    /// Throws if a class is missing after its table and columns were created or found, because the file's tables then
    /// contradict each other. In a file that is only read, such a class has no objects.
    private func verifyComplete(_ classes: [ManagedClass]) throws {
        guard !configuration.readOnly, classes.count < schema.classes.count else { return }
        let found = Set(classes.map { ObjectIdentifier($0.info) })
        guard let missing = schema.classes.first(where: { !found.contains(ObjectIdentifier($0)) }) else { return }
        throw StorageError(
            .invalidDatabase, "the table of class '\(missing.name)' is incomplete; the file is damaged")
    }

    private func bringInLine(_ database: Database) throws -> (classes: [ManagedClass], version: Snapshot?) {
        if let installed = try installed(in: database) { return installed }
        let transaction = try database.beginWrite()
        do {
            // Another process may have made these or more changes before this one acquired the write lock.
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

    func verifySchema() throws {
        let problems =
            (schema.isSound ? [] : schema.validationErrors())
            + schema.asymmetricErrors(in: configuration)
            + (configuration.isSynchronised ? schema.synchronisationErrors() : [])
        guard problems.isEmpty else {
            throw mismatch("Schema validation failed due to the following errors:", problems)
        }
    }

    private func installed(in database: Database) throws -> ([ManagedClass], Snapshot)? {
        let snapshot = try database.openedSnapshot() ?? database.snapshot(label: VersionReader.holder)
        return try plan(for: snapshot) == nil ? (managedClasses(in: snapshot), snapshot) : nil
    }

    /// Returns the plan for a file; nil if it matches the models, or is only read. Throws if the configuration doesn't
    /// allow the necessary changes.
    func plan(for source: any TableSource) throws -> Plan? {
        let stored = try SchemaVersion.read(source)
        let isAdditive = configuration.effectiveSchemaMode == .additive
        let differences = try SchemaDifferences(
            schema.classes, source, isAdditive: isAdditive, mayAddColumns: !configuration.readOnly)
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

    func apply(
        _ plan: Plan, in transaction: WriteTransaction, of database: Database
    ) throws -> MigrationRun.Outcome {
        switch plan.work {
        case .additions: break
        case .migration(let stored):
            return try MigrationRun(self, from: stored, to: plan.version, database, transaction).run()
        case .reset: try tables.removeClasses(from: transaction)
        }
        try SchemaVersion.write(plan.version, transaction)
        return MigrationRun.Outcome(classes: try installAdditions(in: transaction))
    }

    // MARK: Classes

    /// Creates the missing tables and columns. Returns the classes as the file stores them.
    func installAdditions(in transaction: WriteTransaction) throws -> [ManagedClass] {
        try mappingErrors { try tables.installAdditions(in: transaction) }
        return try managedClasses(in: transaction)
    }

    /// Runs an installation, whose errors become those of the API.
    func mappingErrors<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as DuplicatePrimaryKey {
            throw Realm.Error(
                .schemaMismatch,
                """
                Primary key property '\(error.className).\(error.property)' has duplicate values after migration. \
                More than one object has '\(error.value?.printed ?? "")'.
                """)
        }
    }

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
