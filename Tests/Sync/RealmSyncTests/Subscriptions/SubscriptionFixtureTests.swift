// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSync
import RealmSyncCore
import RealmTestSupport
import SyncTestSupport
import Testing

/// Flexible files of the original's client: their subscriptions and bootstraps read as recorded, and continue here.
@Suite struct SubscriptionFixtureTests {
    static let names = Fixtures.names(in: "sync/files").filter { $0.hasPrefix("flx-") }

    private struct Fixture {
        let facts: JSON
        let bytes: [UInt8]

        init(_ name: String) throws {
            let path = Fixtures.path("sync/files/" + name)
            facts = try JSON(parsing: try TextFile.read(path + ".json")).member("internal")
            bytes = try TestFile.read(path + ".realm")
        }

        var sets: [JSON] { get throws { try facts.member("flx_subscription_sets").elements ?? [] } }
        var bootstraps: [JSON] { get throws { try facts.member("flx_pending_bootstrap").elements ?? [] } }
    }

    private static func json(_ value: SyncValue) -> JSON {
        switch value {
        case .int(let number): ["int": .int(number)]
        case .string(let text): ["string": .string(text.string)]
        case .timestamp(let time): ["timestamp": .array([.int(time.seconds), .int(time.nanoseconds)])]
        case .objectId(let id): ["objectId": .string(Hexadecimal.text(id.bytes))]
        default: .null
        }
    }

    private static func json(_ set: SubscriptionSet) -> JSON {
        func text(_ text: String?) -> JSON { text.map { json(.string(Text($0))) } ?? .null }
        let subscriptions = set.subscriptions.map { subscription -> JSON in
            [
                "created_at": json(.timestamp(subscription.createdAt)), "id": json(.objectId(subscription.id)),
                "name": text(subscription.name), "object_class": text(subscription.objectClass),
                "query": text(subscription.query), "updated_at": json(.timestamp(subscription.updatedAt)),
            ]
        }
        return [
            "error": text(set.error), "snapshot_version": json(.int(Int64(set.snapshotVersion))),
            "state": json(.int(set.state.rawValue)), "subscriptions": .array(subscriptions),
            "version": json(.int(Int64(set.version))),
        ]
    }

    @Test func thereAreFiles() { #expect(Self.names.count == 16) }

    @Test(arguments: names) func theSetsReadAsRecorded(_ name: String) throws {
        let fixture = try Fixture(name)
        let snapshot = try ClientDatabase(copyOf: fixture.bytes).database.snapshot()
        let store = try #require(try SubscriptionStore(snapshot))
        #expect(try store.all.map(Self.json).description == fixture.sets.description)
        let headers = try #require(try PendingBootstraps(snapshot)).headers
        #expect(try headers.count == fixture.bootstraps.count)
    }

    @Test(arguments: names) func theMoveFromAPartitionReadsAsRecorded(_ name: String) throws {
        let fixture = try Fixture(name)
        let migration = try PartitionMigration.completed(in: try ClientDatabase(copyOf: fixture.bytes).database)
        let recorded = fixture.facts["flx_migration"]?.elements?.first
        #expect(migration?.partition == recorded?["original_partition"]?["string"]?.text)
        #expect(migration?.query == recorded?["query_string"]?["string"]?.text)
        #expect((migration != nil) == (name == "flx-migrated"))
    }

    @Test func aHalfBootstrapReadsAsRecorded() throws {
        let fixture = try Fixture("flx-set-bootstrapping")
        let snapshot = try ClientDatabase(copyOf: fixture.bytes).database.snapshot()
        let bootstraps = try #require(try PendingBootstraps(snapshot))
        let header = try #require(try bootstraps.headers.first)
        #expect(header.queryVersion == 1 && header.progress == nil)
        let slice = try bootstraps.slice(of: header, limit: 1 << 20)
        let recorded = try #require(try fixture.bootstraps[0]["changesets"]?.elements)
        #expect(slice.isLast)
        #expect(try slice.changes.map(\.changeset) == recorded.map { try Changeset(json: $0.member("instructions")) })
        #expect(slice.changes.map(\.serverVersion) == [3, 3])
        #expect(slice.changes.map(\.clientVersion) == [6, 6])
        #expect(slice.changes.map(\.order) == [100, 100].map { ChangeOrder(timestamp: $0, fileIdent: 1) })
        #expect(slice.changes.map(\.originalSize) == [75, 75])
        #expect(try bootstraps.slice(of: header, limit: 10).changes.count == 1)
        #expect(try bootstraps.slice(of: header, limit: 10).isLast == false)
    }

    /// The tables that we create have the keys, columns and attributes of the original's.
    @Test func ourTablesAreThoseOfTheOriginal() throws {
        func tables(_ client: ClientDatabase) throws -> [String] {
            let snapshot = try client.database.snapshot()
            return try snapshot.tableKeys().compactMap { key -> String? in
                guard let table = try snapshot.table(key), table.className == nil, table.name != "metadata" else {
                    return nil
                }
                let columns = table.columns.map { "\($0.name) \($0.key) \($0.attributes.rawValue)" }
                let primaryKey = table.primaryKey.map { "\($0)" } ?? ""
                return "\(table.name) \(key) \(table.kind) \(primaryKey) \(columns)"
            }
        }
        let client = try ClientDatabase()
        try client.database.prepareSubscriptions()
        #expect(try tables(client) == tables(ClientDatabase(copyOf: Fixture("flx-fresh").bytes)))
        #expect(try tables(client).count == 6)
        let version = try client.database.snapshot().version
        try client.database.prepareSubscriptions()
        #expect(try client.database.snapshot().version == version)
        try client.close()
        try PythonChecker.requireClean(path: client.path)
    }

    /// The first session of each file, with a new set, a bootstrap for it, and a mark.
    @Test(arguments: names) func theFileContinues(_ name: String) throws {
        let client = try ClientDatabase(copyOf: try Fixture(name).bytes)
        let store = FileClientStore(client.database)
        _ = try store.beginSession()
        #expect(try PendingBootstraps(client.database.snapshot())?.headers.isEmpty == true)
        let before = try #require(try SubscriptionStore(client.database.snapshot())?.latest)
        let uploads = store.uploads(after: store.state.progress.upload.clientVersion, limit: .max).entries
        let added = Subscription(
            id: try #require(ObjectIdBytes(hexadecimal: "6b0873842b669217ffe53a99")),
            createdAt: Timestamp(seconds: 5, nanoseconds: 6), updatedAt: Timestamp(seconds: 7, nanoseconds: 8),
            objectClass: "Person", query: "TRUEPREDICATE")
        let base = try client.database.snapshot().version
        let version = try client.database.write { transaction in
            try #require(try SubscriptionStore(transaction)).add(before.subscriptions + [added])
        }
        #expect(version == before.version + 1)
        var pending: [PendingQuery] = []
        while let next = store.pendingQuery(after: pending.last?.query.version ?? 0) { pending.append(next) }
        #expect(pending.last?.query.version == version && pending.last?.snapshotVersion == base)
        let text = try #require(pending.last).query.text
        #expect(text.contains("(TRUEPREDICATE)"))
        let state = store.state
        let entry = ServerMessage.Download.Entry(
            serverVersion: state.progress.download.serverVersion + 1,
            clientVersion: state.progress.download.clientVersion, timestamp: 100, origin: 1, originalSize: 9,
            changeset: [])
        var progress = state.progress
        try progress.take(
            ServerMessage.Download(
                session: 1,
                download: DownloadCursor(
                    serverVersion: entry.serverVersion, clientVersion: state.progress.download.clientVersion),
                latest: SaltedVersion(version: max(entry.serverVersion, state.progress.latest.version), salt: 1),
                upload: state.progress.upload,
                stage: .flexible(queryVersion: version, .lastOfBootstrap, progress: 1), entries: [entry]),
            ownIdent: 0, newestVersion: state.newestVersion)
        let count = try store.receive(
            BootstrapPart(queryVersion: version, isFirst: true, entries: [entry], progress: progress))
        #expect(count == 1)
        #expect(store.state.progress == progress)
        #expect(try store.completeSet())
        let sets = try #require(try SubscriptionStore(client.database.snapshot())).all
        #expect(sets.map(\.version) == [version] && sets[0].state == .complete)
        #expect(sets[0].subscriptions == before.subscriptions + [added])
        // No pending change was lost.
        #expect(store.uploads(after: store.state.progress.upload.clientVersion, limit: .max).entries == uploads)
        try client.close()
        try PythonChecker.requireClean(path: client.path, strict: false)
    }
}
