// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore

/// The move of a partition's file to subscriptions, which the server requires with error 232 and takes back with error
/// 234 (§5.8). It's the only row of the table `flx_migration`.
package struct PartitionMigration: Sendable {
    /// The partition, as its `bind` names it.
    package let partition: String
    /// The query with the objects of the partition, for each class with the property.
    package let query: String

    package init(of partition: String, to query: String) { (self.partition, self.query) = (partition, query) }

    private static let tables = InternalTables(
        group: "flx_migration_store", layout: 1,
        tables: [
            InternalTables.Definition(
                name: "flx_migration", hasPrimaryKey: false,
                columns: [
                    InternalTables.Column("started_at", .timestamp),
                    InternalTables.Column("completed_at", .timestamp, .nullable),
                    InternalTables.Column("state", .int), InternalTables.Column("query_string", .string),
                    InternalTables.Column("original_partition", .string),
                    InternalTables.Column(sentinel, .int, .nullable),
                ])
        ])

    private static let sentinel = "sentinel_subscription_set_version"

    private enum State: Int64 {
        case inProgress = 1
        case migrated = 2
    }

    /// Returns the move of a file that has subscriptions now. One in progress starts again.
    package static func completed(in database: Database) throws -> PartitionMigration? {
        try completed(in: try database.snapshot(label: "synchronisation"))
    }

    static func completed(in source: some TableSource) throws -> PartitionMigration? {
        guard try tables.arePresent(in: source), let row = try tables.tables[0].firstRow(in: source),
            State(rawValue: try row.int("state")) == .migrated, let partition = try row.text("original_partition"),
            let query = try row.text("query_string")
        else { return nil }
        return PartitionMigration(of: partition, to: query)
    }

    /// Records that the file has subscriptions, which are those of the fresh copy.
    func complete(in transaction: WriteTransaction, from copy: Snapshot) throws {
        try Self.tables.create(in: transaction)
        try SubscriptionTables.prepare(in: transaction)
        let time = SyncClock.timestamp()
        let values: [ByteText: StoredValue] = [
            "started_at": .timestamp(time), "completed_at": .timestamp(time),
            "state": .int(State.migrated.rawValue), "query_string": .string(query),
            "original_partition": .string(partition), ByteText(Self.sentinel): .null,
        ]
        let definition = Self.tables.tables[0]
        try definition.insert(values, into: try definition.emptyTable(in: transaction), transaction)
        guard let active = try SubscriptionStore(copy)?.active, let sets = try SubscriptionStore(transaction),
            !active.subscriptions.isEmpty
        else { return }
        try sets.setState(.complete, of: try sets.add(active.subscriptions))
    }

    // MARK: Sentinel

    /// Returns the set without which changes of the file's new classes may not be in its view.
    private static func sentinelVersion(in source: some TableSource) throws -> UInt64? {
        guard try tables.arePresent(in: source), let row = try tables.tables[0].firstRow(in: source),
            case .int(let version) = try row.value(sentinel)
        else { return nil }
        return UInt64(bitPattern: version)
    }

    /// Whether the sentinel set isn't complete. A set that the server has rejected isn't waited for, because its error
    /// is reported.
    static func holdsUploads(in source: some TableSource) throws -> Bool {
        guard let version = try sentinelVersion(in: source), let sets = try SubscriptionStore(source)?.headers(),
            let sentinel = sets.first(where: { $0.version == version })
        else { return false }
        return sentinel.state.isPending || sentinel.state == .awaitingMark
    }

    /// - Parameter version: A pending set. Without a record of a move, it isn't a sentinel.
    static func holdUploads(until version: UInt64, in transaction: WriteTransaction) throws {
        guard try tables.arePresent(in: transaction) else { return }
        try setSentinel(.int(Int64(bitPattern: version)), in: transaction)
    }

    static func didComplete(_ version: UInt64, in transaction: WriteTransaction) throws {
        guard let sentinel = try sentinelVersion(in: transaction), sentinel <= version else { return }
        try setSentinel(.null, in: transaction)
    }

    private static func setSentinel(_ value: StoredValue, in transaction: WriteTransaction) throws {
        guard let table = try transaction.table(named: tables.tables[0].name), let key = try table.allKeys().first
        else { return }
        try transaction.set(value, try table.internalColumn(sentinel), of: key, in: table.key)
    }

    // MARK: Return

    /// Removes the subscriptions of the file, which has a partition again.
    static func revert(in transaction: WriteTransaction) throws {
        for name in [Self.tables.tables[0].name, SubscriptionTables.setsName] {
            if let table = try transaction.table(named: name) { try transaction.clear(table.key) }
        }
        try PendingBootstraps(transaction)?.removeAll()
    }
}

extension Database {
    /// Adds a subscription for each class with the property of a migration's query that has none yet.
    ///
    /// - Parameters:
    ///   - field: The property.
    ///   - makeId: Returns a new identifier of a subscription.
    /// - Returns: False if no subscription was added.
    package func subscribe(
        _ migration: PartitionMigration, field: String, makeId: () -> ObjectIdBytes
    ) throws -> Bool {
        try prepareSubscriptions()
        let snapshot = try snapshot(label: "synchronisation")
        var draft = SubscriptionDraft(try SubscriptionStore(snapshot)?.latest?.subscriptions ?? [])
        let count = draft.subscriptions.count
        for table in try snapshot.allTables() {
            guard let name = table.className, table.kind == .topLevel, table.column(named: field) != nil
            else { continue }
            let title = "flx_migrated_\(name)"
            if draft.first(named: title) == nil { try draft.add(makeId(), named: title, name, migration.query) }
        }
        guard draft.subscriptions.count > count else { return false }
        try write { transaction in
            guard let version = try SubscriptionStore(transaction)?.add(draft.subscriptions) else { return }
            try PartitionMigration.holdUploads(until: version, in: transaction)
        }
        return true
    }
}
