// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore

/// The sets of subscriptions in a client file (§5.1), which the original's client also reads and writes.
package struct SubscriptionStore<Source: TableSource> {
    private let source: Source
    private let table: Table
    private let subscriptions: Table

    /// Returns nil if the file has no subscriptions.
    ///
    /// - Throws: `StorageError`: `incompatibleHistory` if the file has a newer layout.
    package init?(_ source: Source) throws {
        guard try SubscriptionTables.sets.arePresent(in: source),
            let table = try source.table(named: SubscriptionTables.setsName),
            let subscriptions = try source.table(named: SubscriptionTables.subscriptionsName)
        else { return nil }
        (self.source, self.table, self.subscriptions) = (source, table, subscriptions)
    }

    // MARK: Reading

    /// All sets, ordered by version.
    package var all: [SubscriptionSet] {
        get throws { try headers().map { try set($0) } }
    }

    package func set(_ version: UInt64) throws -> SubscriptionSet? {
        try headers().first { $0.version == version }.map { try set($0) }
    }

    package var latest: SubscriptionSet? {
        get throws { try headers().last.map { try set($0) } }
    }

    /// The newest set whose data is in the file.
    package var active: SubscriptionSet? {
        get throws { try headers().last { $0.state.isActive }.map { try set($0) } }
    }

    package func pending(after version: UInt64) throws -> SubscriptionSet? {
        let headers = try headers()
        let active = headers.last { $0.state.isActive }?.version ?? 0
        return try headers.first { $0.version > max(version, active) && $0.state.isPending }.map { try set($0) }
    }

    struct Header {
        let object: ObjectKey
        let version: UInt64
        let state: SubscriptionSet.State
    }

    func headers() throws -> [Header] {
        try table.allKeys().map { object in
            let row = try InternalRow(table, object)
            guard let state = SubscriptionSet.State(rawValue: try row.int("state")) else { throw row.missing("state") }
            let version = try row.version("version")
            guard version < Int64.max else { throw row.missing("version") }
            return Header(object: object, version: version, state: state)
        }.sorted { $0.version < $1.version }
    }

    private func set(_ header: Header) throws -> SubscriptionSet {
        let row = try InternalRow(table, header.object)
        return SubscriptionSet(
            version: header.version, state: header.state, snapshotVersion: try row.version("snapshot_version"),
            error: try row.text("error"),
            subscriptions: try row.objects("subscriptions").map { try subscription(InternalRow(subscriptions, $0)) })
    }

    private func subscription(_ row: InternalRow) throws -> Subscription {
        guard case .objectId(let id) = try row.value("id") else { throw row.missing("id") }
        return Subscription(
            id: id, createdAt: try row.timestamp("created_at"), updatedAt: try row.timestamp("updated_at"),
            name: try row.text("name"), objectClass: try row.text("object_class") ?? "",
            query: try row.text("query") ?? "")
    }
}

/// Changes of the sets. They are part of a transaction, but never of its changeset.
extension SubscriptionStore where Source == WriteTransaction {
    /// Adds a pending set, and returns its version.
    @discardableResult
    package func add(_ added: [Subscription]) throws -> UInt64 {
        let version = try headers().last.map { $0.version + 1 } ?? 0
        let object = try source.createObject(
            in: table.key,
            [
                try table.internalColumn("version"): .int(Int64(bitPattern: version)),
                try table.internalColumn("state"): .int(SubscriptionSet.State.pending.rawValue),
                try table.internalColumn("snapshot_version"): .int(Int64(bitPattern: source.baseVersion)),
            ])
        let list = source.list(
            at: CollectionPath(try table.internalColumn("subscriptions"), of: object, in: table.key))
        for (index, subscription) in added.enumerated() {
            _ = try list.createEmbedded(at: index, try values(of: subscription))
        }
        return version
    }

    private func values(of subscription: Subscription) throws -> RowValues {
        RowValues([
            try subscriptions.internalColumn("id"): .objectId(subscription.id),
            try subscriptions.internalColumn("created_at"): .timestamp(subscription.createdAt),
            try subscriptions.internalColumn("updated_at"): .timestamp(subscription.updatedAt),
            try subscriptions.internalColumn("name"): subscription.name.map { .string($0) } ?? .null,
            try subscriptions.internalColumn("object_class"): .string(subscription.objectClass),
            try subscriptions.internalColumn("query"): .string(subscription.query),
        ])
    }

    /// Changes the state of a set. A set whose data is in the file replaces all older ones.
    package func setState(_ state: SubscriptionSet.State, of version: UInt64, error: String? = nil) throws {
        let headers = try headers()
        guard let header = headers.first(where: { $0.version == version }) else { return }
        try source.set(
            .int(state.rawValue), try table.internalColumn("state"), of: header.object, in: table.key)
        if let error {
            try source.set(.string(error), try table.internalColumn("error"), of: header.object, in: table.key)
        }
        guard state.isActive else { return }
        for older in headers where older.version < version {
            _ = try source.removeObject(older.object, from: table.key)
        }
    }
}

extension SubscriptionStore where Source == WriteTransaction {
    /// Completes the active set, whose data is that of the fresh copy (§7.3). A reset that discards unsent changes
    /// discards the newer sets, too.
    func didReset(keepsPending: Bool) throws {
        let headers = try headers()
        guard let active = headers.last(where: { $0.state.isActive }) ?? headers.first else { return }
        try setState(.complete, of: active.version)
        for newer in headers where newer.version > active.version {
            if !keepsPending {
                _ = try source.removeObject(newer.object, from: table.key)
            } else if newer.state == .bootstrapping {
                try setState(.pending, of: newer.version)
            }
        }
    }
}

enum SubscriptionTables {
    /// Creates the missing tables, and the empty first set.
    static func prepare(in transaction: WriteTransaction) throws {
        try sets.create(in: transaction)
        try BootstrapTables.all.create(in: transaction)
        guard let sets = try SubscriptionStore(transaction), try sets.headers().isEmpty else { return }
        try sets.add([])
    }

    static let setsName = "flx_subscription_sets"
    static let subscriptionsName = "flx_subscriptions"

    static let sets = InternalTables(
        group: "flx_subscription_store", layout: 2,
        tables: [
            InternalTables.Definition(
                name: setsName,
                columns: [
                    InternalTables.Column("version", .int), InternalTables.Column("state", .int),
                    InternalTables.Column("snapshot_version", .int), InternalTables.Column("error", .string, .nullable),
                    InternalTables.Column("subscriptions", .link, .list, target: subscriptionsName),
                ]),
            InternalTables.Definition(
                name: subscriptionsName, kind: .embedded,
                columns: [
                    InternalTables.Column("id", .objectId), InternalTables.Column("created_at", .timestamp),
                    InternalTables.Column("updated_at", .timestamp), InternalTables.Column("name", .string, .nullable),
                    InternalTables.Column("object_class", .string), InternalTables.Column("query", .string),
                ]),
        ])
}
