// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

/// Performs the steps of opening a file in a write transaction that is rolled back, and records their effects.
struct MigrationRehearser {
    private let installer: SchemaInstaller
    private let database: Database

    init(_ configuration: Realm.Configuration, _ database: Database) {
        installer = SchemaInstaller(configuration, configuration.schema)
        self.database = database
    }

    func rehearse() throws -> MigrationRehearsal {
        let transaction = try database.beginWrite()
        defer { if transaction.isOpen { transaction.rollback() } }
        let stored = try SchemaVersion.read(transaction)
        var attempt = Attempt()
        do {
            try installer.verifySchema()
            if let plan = try installer.plan(for: transaction) {
                attempt.work = plan.work
                attempt.renames = try installer.apply(plan, in: transaction, of: database).renames
            }
            attempt.counts = try counts(in: transaction)
        } catch let error as Realm.Error {
            attempt.problems.append(error.message)
        } catch let error as StorageError where error.code == .invalidArgument {
            attempt.problems.append(error.message)
        }
        let before = try database.snapshot(label: "rehearsal")
        return MigrationRehearsal(
            storedVersion: stored, wantedVersion: installer.configuration.schemaVersion,
            migrates: attempt.migrates, deletesAllData: attempt.resets, classes: try reports(before, attempt),
            problems: attempt.problems)
    }

    private struct Attempt {
        var work: SchemaInstaller.Plan.Work?
        var renames: [Migration.RenamedColumn: String] = [:]
        /// The objects of each class afterwards; nil if it failed.
        var counts: [String: Int]?
        var problems: [String] = []

        var migrates: Bool { if case .migration = work { true } else { false } }
        var resets: Bool { if case .reset = work { true } else { false } }
    }

    private func counts(in source: any TableSource) throws -> [String: Int] {
        var counts: [String: Int] = [:]
        for key in try source.tableKeys() {
            guard let table = try source.table(key), let name = table.className else { continue }
            counts[name] = try table.count()
        }
        return counts
    }

    private func reports(_ before: Snapshot, _ attempt: Attempt) throws -> [MigrationRehearsal.ClassReport] {
        let old = try counts(in: before)
        let differences = try SchemaDifferences(
            installer.schema.classes, before, isAdditive: installer.configuration.effectiveSchemaMode == .additive)
        let byClass = Dictionary(grouping: differences.needingMigration, by: \.className)
        let names = Set(old.keys).union(installer.schema.classes.map(\.name)).sorted()
        return try names.compactMap { name in
            var changes = try (byClass[name] ?? []).compactMap { try change($0, before, attempt) }
            if old[name] == nil { changes.append(.init(text: "Class '\(name)' is added.")) }
            if attempt.resets, let count = old[name], count > 0 {
                changes = [.init(text: "All objects are deleted.", objectsConcerned: count)]
            }
            let after = attempt.counts.map { $0[name] ?? 0 }
            guard !changes.isEmpty || after != nil && after != old[name] ?? 0 else { return nil }
            return .init(name: name, objectsBefore: old[name] ?? 0, objectsAfter: after, changes: changes)
        }
    }

    private func change(
        _ change: SchemaChange, _ before: Snapshot, _ attempt: Attempt
    ) throws -> MigrationRehearsal.Change? {
        guard let table = try before.table(named: FileFormat.classPrefix + change.className) else { return nil }
        let count = try table.count()
        func renamed(_ column: String) -> String? {
            attempt.renames[Migration.RenamedColumn(className: change.className, column: column)]
        }
        let column = change.column ?? ""
        switch change.kind {
        case .added:
            let isRenamed = attempt.renames.contains { $0.key.className == change.className && $0.value == column }
            return isRenamed ? nil : .init(text: change.text, property: column, objectsConcerned: count)
        case .removed:
            if let name = renamed(column) {
                let text = "Property '\(change.className).\(column)' becomes '\(name)'."
                return .init(text: text, property: column, objectsConcerned: count)
            }
            let values = try valueCount(column, in: table)
            return .init(text: change.text, property: column, objectsConcerned: count, valuesLost: values)
        case .type:
            let values = try valueCount(column, in: table)
            return .init(text: change.text, property: column, objectsConcerned: count, valuesLost: values)
        case .madeRequired:
            let nulls = count - (try valueCount(column, in: table))
            return .init(text: change.text, property: column, objectsConcerned: nulls)
        case .madeOptional, .primaryKey, .kind:
            return .init(text: change.text, property: change.column, objectsConcerned: count)
        }
    }

    /// Returns the number of objects with a value other than that of a new object.
    private func valueCount(_ name: String, in table: Table) throws -> Int {
        guard let column = table.column(named: name) else { return 0 }
        var count = 0
        try table.clusters.forEachLeaf { leaf in
            if column.key.isCollection {
                for row in 0..<leaf.count {
                    let position = ClusterTree.Position(leaf: leaf, row: row)
                    if try table.elementCount(column, at: position) > 0 { count += 1 }
                }
            } else {
                let values = try leaf.column(column.leafIndex, column.leafKind)
                for row in 0..<leaf.count where try values.value(at: row) != column.defaultValue { count += 1 }
            }
            return true
        }
        return count
    }
}

extension MigrationRehearsal.Change {
    fileprivate init(text: String, property: String? = nil, objectsConcerned: Int = 0) {
        self.init(text: text, property: property, objectsConcerned: objectsConcerned, valuesLost: 0)
    }
}
