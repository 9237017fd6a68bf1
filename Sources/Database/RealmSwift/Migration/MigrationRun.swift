// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

/// The steps of a migration, all within one write transaction that the caller commits.
///
/// First, tables and columns that only the models have are added, so that the block can fill them. After the block,
/// those that the models no longer have are removed, and the constraints on all objects are enforced: primary keys,
/// embedded objects.
struct MigrationRun {
    private let installer: SchemaInstaller
    private let storedVersion: UInt64
    private let version: UInt64
    private let database: Database
    private let transaction: WriteTransaction

    struct Outcome {
        let classes: [ManagedClass]
        var renames: [Migration.RenamedColumn: String] = [:]
    }

    init(
        _ installer: SchemaInstaller, from storedVersion: UInt64, to version: UInt64, _ database: Database,
        _ transaction: WriteTransaction
    ) {
        self.installer = installer
        self.storedVersion = storedVersion
        self.version = version
        self.database = database
        self.transaction = transaction
    }

    /// Migrates the file to the models' schema. Throws if its objects don't allow that; the transaction must then be
    /// rolled back.
    func run() throws -> Outcome {
        let before = try database.snapshot(label: "migration")
        try SchemaVersion.write(version, transaction)
        try prepare()
        let migration = try migrate(from: before)
        try finish(dropping: migration?.droppedClasses ?? [])
        return Outcome(
            classes: try installer.managedClasses(in: transaction), renames: migration?.renames ?? [:])
    }

    private func prepare() throws {
        for info in installer.schema.classes {
            guard let table = try transaction.table(named: info.tableName) else { continue }
            if table.kind != info.kind, info.kind != .embedded { try setKind(of: table, info) }
            // A primary key that the models no longer have must not restrict the values that the block stores.
            let wanted = info.primaryKey?.columnName
            if let key = table.primaryKey, table.column(key)?.name != wanted {
                try transaction.schema.setPrimaryKey(nil, of: table.key)
            }
        }
        try installer.tables.installTables(in: transaction)
        try installer.tables.installColumns(in: transaction)
    }

    private func migrate(from before: Snapshot) throws -> Migration? {
        let configuration = installer.configuration
        guard let block = configuration.migrationBlock else { return nil }
        let oldSchema = try Schema(storedIn: before)
        var reading = configuration
        reading.readOnly = true
        let old = RealmInstance(
            migrating: RealmCoordinator(migrating: database, reading, [], declared: installer.schema.classes), reading,
            before, nil, before.space)
        let classes = try installer.managedClasses(in: transaction)
        let new = RealmInstance(
            migrating: RealmCoordinator(migrating: database, configuration, classes), configuration, nil, transaction,
            transaction.space)
        let migration = Migration(old: old, new: new, oldSchema: oldSchema, installer)
        block(migration, storedVersion)
        try new.reader.endMigration()
        try old.reader.endMigration()
        return migration
    }

    private func finish(dropping classNames: [String]) throws {
        try removeColumns()
        try installer.mappingErrors { try installer.tables.installPrimaryKeys(in: transaction) }
        for info in installer.schema.classes {
            guard let table = try transaction.table(named: info.tableName), table.kind != info.kind else { continue }
            // Objects without a parent are deleted, and shared ones are copied, as in the original (row R88).
            if info.isEmbedded { try transaction.schema.giveEachOneParent(in: table.key) }
            try setKind(of: table, info)
        }
        try installer.tables.removeTables(of: classNames, from: transaction)
    }

    private func removeColumns() throws {
        for info in installer.schema.classes {
            guard let table = try transaction.table(named: info.tableName) else { continue }
            let wanted = Set(info.properties.map(\.columnName))
            for column in Array(table.publicColumns) where !wanted.contains(column.name) {
                try transaction.schema.removeColumn(column.key, of: table.key)
            }
        }
    }

    private func setKind(of table: Table, _ info: ClassInfo) throws {
        do {
            try transaction.schema.setKind(info.kind, of: table.key)
        } catch let error as StorageError where error.code == .invalidArgument {
            throw Realm.Error(.schemaMismatch, error.message, fileURL: installer.configuration.fileURL)
        }
    }
}

extension Schema {
    /// Creates the classes of a file, with properties by the names of their columns.
    init(storedIn source: any TableSource) throws {
        self.init(
            try source.tableKeys().compactMap { key in
                guard let table = try source.table(key), table.className != nil else { return nil }
                return try ClassInfo(dynamic: table, in: source)
            })
    }
}
