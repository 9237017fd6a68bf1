// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSync
import RealmSyncCore
import RealmTestSupport
import SyncTestSupport
import Testing

/// Client resets of files with subscriptions (§7.3).
@Suite struct SubscriptionResetTests {
    private let subscription = Subscription(
        id: ObjectIdBytes(high: 1, low: 2), createdAt: Timestamp(seconds: 1, nanoseconds: 0),
        updatedAt: Timestamp(seconds: 2, nanoseconds: 0), name: "notes", objectClass: "Note", query: "n < 100")

    private func receive(_ store: FileClientStore, _ query: UInt64, _ version: UInt64, _ changeset: Changeset) throws {
        let bytes = changeset.encoded()
        let entry = ServerMessage.Download.Entry(
            serverVersion: version, clientVersion: 0, timestamp: 100, origin: 1, originalSize: UInt64(bytes.count),
            changeset: bytes)
        let progress = ClientProgress(
            download: DownloadCursor(serverVersion: version), latest: SaltedVersion(version: version, salt: 1))
        _ = try store.receive(BootstrapPart(queryVersion: query, isFirst: true, entries: [entry], progress: progress))
        _ = try store.completeSet()
    }

    private func begun(_ ident: UInt64, as other: Database? = nil) throws -> (ClientDatabase, FileClientStore) {
        let client = try ClientDatabase()
        if let other { try client.database.subscribe(as: other) }
        let store = FileClientStore(client.database)
        _ = try store.beginSession()
        try store.assign(SaltedIdent(ident: ident, salt: 3))
        try receive(store, 0, 1, SimpleChanges.schema)
        return (client, store)
    }

    private func add(_ subscriptions: [Subscription], _ client: ClientDatabase) throws {
        try client.database.write { try #require(try SubscriptionStore($0)).add(subscriptions) }
    }

    /// A file with the active set 1, the pending sets 2 and 3, half a bootstrap, and an unsent change.
    private func local() throws -> ClientDatabase {
        let (client, store) = try begun(2)
        try add([subscription], client)
        try receive(store, 1, 2, SimpleChanges.create(1))
        try client.database.write { try ChangesetApplier($0, isRecorded: true).apply(SimpleChanges.create(2)) }
        try add([], client)
        try add([subscription, subscription], client)
        let entry = ServerMessage.Download.Entry(
            serverVersion: 2, clientVersion: 0, timestamp: 100, origin: 1, originalSize: 0, changeset: [])
        _ = try store.receive(BootstrapPart(queryVersion: 2, isFirst: true, entries: [entry]))
        return client
    }

    private func fresh(of local: ClientDatabase) throws -> ClientDatabase {
        let (copy, store) = try begun(9, as: local.database)
        let pending = try #require(store.pendingQuery(after: 0)).query
        #expect(pending == VersionedQuery(version: 1, text: #"{"Note":"(n < 100)"}"#))
        try receive(store, 1, 5, SimpleChanges.create(3))
        return copy
    }

    private func sets(_ client: ClientDatabase) throws -> [SubscriptionSet] {
        try #require(try SubscriptionStore(client.database.snapshot())).all
    }

    private func keys(_ client: ClientDatabase) throws -> Set<PrimaryKey> {
        Set(try client.state().tables["Note"].map { $0.objects.keys } ?? [:].keys)
    }

    @Test(arguments: [RealmSync.ClientResetMode.recover, .discard])
    func theActiveSetStays(_ mode: RealmSync.ClientResetMode) throws {
        let client = try local()
        let before = try sets(client)
        #expect(before.map(\.version) == [1, 2, 3] && before.map(\.state) == [.complete, .bootstrapping, .pending])
        let copy = try fresh(of: client)
        try ClientReset(local: client.database, fresh: copy.database).run(mode)
        let after = try sets(client)
        #expect(after.first == before.first)
        #expect(after.map(\.version) == (mode == .recover ? [1, 2, 3] : [1]))
        #expect(after.dropFirst().allSatisfy { $0.state == .pending })
        #expect(try keys(client) == (mode == .recover ? [.int(2), .int(3)] : [.int(3)]))
        let store = FileClientStore(client.database)
        #expect(try PendingBootstraps(client.database.snapshot())?.headers.isEmpty == true)
        #expect(store.activeQuery.version == 1)
        #expect(store.state.file?.ident == 9 && store.state.progress.download.serverVersion == 5)
        #expect(store.pendingQuery(after: 1)?.query.version == (mode == .recover ? 2 : nil))
        try client.close()
        try PythonChecker.requireClean(path: client.path)
        try copy.close()
    }

    /// A file that never completed a set has the data of its first one after a reset.
    @Test func aFileWithoutAnActiveSetHasTheFirstOne() throws {
        let client = try ClientDatabase()
        try client.database.prepareSubscriptions()
        try add([subscription], client)
        let (copy, store) = try begun(9, as: client.database)
        #expect(store.pendingQuery(after: 0) == nil)
        try ClientReset(local: client.database, fresh: copy.database).run(.recover)
        #expect(try sets(client).map(\.state) == [.complete, .pending])
        try client.close()
        try copy.close()
    }
}
