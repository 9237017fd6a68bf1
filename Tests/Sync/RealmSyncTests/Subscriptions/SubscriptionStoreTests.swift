// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSync
import RealmSyncCore
import RealmTestSupport
import SyncTestSupport
import Testing

/// The states of sets, and bootstraps in several messages and commits, in a new file.
@Suite struct SubscriptionStoreTests {
    private func subscription(_ query: String, class name: String = "Note") throws -> Subscription {
        Subscription(
            id: try #require(ObjectIdBytes(hexadecimal: "6b0873842b669217ffe53a16")),
            createdAt: Timestamp(seconds: 1, nanoseconds: 2), updatedAt: Timestamp(seconds: 3, nanoseconds: 4),
            name: "name of \(query)", objectClass: name, query: query)
    }

    @discardableResult
    private func subscribe(_ client: ClientDatabase, _ queries: String...) throws -> UInt64 {
        try client.database.write { transaction in
            try #require(try SubscriptionStore(transaction)).add(queries.map { try subscription($0) })
        }
    }

    private func sets(_ client: ClientDatabase) throws -> [String] {
        try #require(try SubscriptionStore(client.database.snapshot())).all.map {
            "\($0.version) \($0.state)" + ($0.error.map { ": \($0)" } ?? "")
        }
    }

    private func hasBootstrap(_ client: ClientDatabase) throws -> Bool {
        try PendingBootstraps(client.database.snapshot())?.headers.isEmpty == false
    }

    private func begun() throws -> (ClientDatabase, FileClientStore) {
        let client = try ClientDatabase()
        let store = FileClientStore(client.database)
        _ = try store.beginSession()
        try store.assign(SaltedIdent(ident: 2, salt: 3))
        return (client, store)
    }

    /// A file that has the class, and then a second set of subscriptions.
    private func subscribed(isComplete: Bool = true) throws -> (ClientDatabase, FileClientStore) {
        let (client, store) = try begun()
        _ = try store.receive(part(0, 1, [SimpleChanges.schema]))
        if isComplete { _ = try store.completeSet() }
        try subscribe(client, "n > 1")
        return (client, store)
    }

    private func entry(_ version: UInt64, _ changeset: Changeset) -> ServerMessage.Download.Entry {
        let bytes = changeset.isEmpty ? [] : changeset.encoded()
        return ServerMessage.Download.Entry(
            serverVersion: version, clientVersion: 0, timestamp: 100, origin: 1, originalSize: UInt64(bytes.count),
            changeset: bytes)
    }

    private func part(
        _ query: UInt64, _ version: UInt64, _ changesets: [Changeset], isFirst: Bool = false, isLast: Bool = true
    ) -> BootstrapPart {
        let progress = ClientProgress(
            download: DownloadCursor(serverVersion: version), latest: SaltedVersion(version: version, salt: 1))
        return BootstrapPart(
            queryVersion: query, isFirst: isFirst, entries: changesets.map { entry(version, $0) },
            progress: isLast ? progress : nil)
    }

    private func created(_ keys: Range<Int64>, text: String = "t") -> [Changeset] {
        keys.map { key in
            Changeset(
                [.eraseObject(SimpleChanges.object(key))] + SimpleChanges.create(key).instructions
                    + SimpleChanges.insert(Text(text), at: 0, of: 0, in: key).instructions)
        }
    }

    private func count(_ client: ClientDatabase) throws -> Int {
        try client.database.snapshot().table(named: "class_Note")?.count() ?? 0
    }

    private func close(_ client: ClientDatabase) throws {
        try client.close()
        try PythonChecker.requireClean(path: client.path)
    }

    @Test func lifeOfSets() throws {
        let (client, store) = try begun()
        #expect(try sets(client) == ["0 pending"])
        #expect(store.activeQuery == VersionedQuery(version: 0, text: "{}"))
        #expect(try store.receive(part(0, 1, [SimpleChanges.schema])) == 1)
        #expect(try sets(client) == ["0 awaitingMark"])
        #expect(try store.completeSet())
        #expect(try !store.completeSet())
        #expect(try subscribe(client, "n > 1") == 1)
        #expect(try subscribe(client, "n > 2") == 2)
        #expect(try subscribe(client, "n > 3") == 3)
        #expect(store.pendingQuery(after: 0)?.query.version == 1)
        #expect(store.pendingQuery(after: 1)?.query.version == 2)
        #expect(try store.reject(2, "no such field"))
        #expect(try !store.reject(2, "again") && !store.reject(0, "complete") && !store.reject(9, "absent"))
        #expect(try sets(client) == ["0 complete", "1 pending", "2 error: no such field", "3 pending"])
        #expect(store.pendingQuery(after: 1)?.query.version == 3)
        #expect(try store.receive(part(1, 2, created(0..<3))) == 3)
        #expect(try sets(client) == ["1 awaitingMark", "2 error: no such field", "3 pending"])
        #expect(store.activeQuery == VersionedQuery(version: 1, text: #"{"Note":"(n > 1)"}"#))
        #expect(!store.hasSet(0) && store.hasSet(1))
        #expect(try store.completeSet())
        #expect(try store.receive(part(3, 3, [Changeset()])) == 1)
        #expect(try store.completeSet())
        #expect(try sets(client) == ["3 complete"])
        // The server repairs the view.
        #expect(try store.receive(part(3, 4, created(2..<5))) == 3)
        #expect(try sets(client) == ["3 complete"])
        #expect(try count(client) == 5)
        #expect(store.state.progress.download.serverVersion == 4)
        #expect(store.uploads(after: 0, limit: .max).entries.isEmpty)
        try close(client)
    }

    @Test func aBootstrapInPartsIsAppliedWithItsLastOne() throws {
        let (client, store) = try subscribed()
        #expect(try store.receive(part(1, 2, created(0..<2), isLast: false)) == nil)
        #expect(try sets(client) == ["0 complete", "1 bootstrapping"])
        #expect(try count(client) == 0)
        #expect(store.state.progress.download.serverVersion == 1)
        #expect(try store.receive(part(1, 3, created(2..<4))) == 4)
        #expect(try sets(client) == ["1 awaitingMark"])
        #expect(try count(client) == 4)
        #expect(store.state.progress.download.serverVersion == 3)
        #expect(try !hasBootstrap(client))
        try close(client)
    }

    /// The server starts again over a new connection. Its changes can't be applied twice: an insertion names the size
    /// of the list.
    @Test(arguments: [true, false]) func aRestartedBootstrapReplacesItsFirstHalf(inOneMessage: Bool) throws {
        let (client, store) = try subscribed()
        let changes = (0..<4).map { key in
            Changeset(
                SimpleChanges.create(key).instructions + SimpleChanges.insert("x", at: 0, of: 0, in: key).instructions)
        }
        #expect(try store.receive(part(1, 2, Array(changes[..<2]), isFirst: true, isLast: false)) == nil)
        if inOneMessage {
            #expect(try store.receive(part(1, 3, changes, isFirst: true)) == 4)
        } else {
            #expect(try store.receive(part(1, 3, Array(changes[..<3]), isFirst: true, isLast: false)) == nil)
            #expect(try sets(client) == ["0 complete", "1 bootstrapping"])
            #expect(try store.receive(part(1, 3, Array(changes[3...]))) == 4)
        }
        #expect(try sets(client) == ["1 awaitingMark"])
        #expect(try count(client) == 4)
        #expect(try !hasBootstrap(client))
        try close(client)
    }

    /// A bootstrap may still be stored that the file has overtaken with later messages. Applying it would set the
    /// cursors back, and the server would send later changes twice.
    @Test func aBootstrapThatTheFileHasOvertakenIsDiscarded() throws {
        let (client, store) = try subscribed()
        try client.database.write { transaction in
            try #require(try PendingBootstraps(transaction)).append(part(1, 2, created(0..<3)))
            try #require(try SubscriptionStore(transaction)).setState(.bootstrapping, of: 1)
        }
        let progress = ClientProgress(
            download: DownloadCursor(serverVersion: 5), latest: SaltedVersion(version: 5, salt: 1))
        try store.integrate([], progress, downloadableBytes: 0)
        #expect(try FileClientStore(client.database).beginSession() == nil)
        #expect(try !hasBootstrap(client))
        #expect(try sets(client) == ["0 complete", "1 pending"])
        #expect(store.state.progress == progress)
        try close(client)
    }

    @Test func anIncompleteBootstrapEndsWithItsSession() throws {
        let (client, store) = try subscribed(isComplete: false)
        _ = try store.receive(part(1, 2, created(0..<2), isLast: false))
        #expect(try FileClientStore(client.database).beginSession() == nil)
        #expect(try !hasBootstrap(client))
        #expect(try sets(client) == ["0 awaitingMark", "1 pending"])
        // A message for a newer query also ends an incomplete bootstrap.
        try subscribe(client, "n > 2")
        _ = try store.receive(part(1, 2, created(0..<2), isLast: false))
        #expect(try store.receive(part(2, 3, created(5..<6))) == 1)
        #expect(try !hasBootstrap(client))
        #expect(try count(client) == 1)
        #expect(try sets(client) == ["2 awaitingMark"])
        try close(client)
    }

    /// Each commit applies about a megabyte, and the cursors advance with the last one.
    @Test func aLargeBootstrapIsAppliedInSlices() throws {
        let (client, store) = try subscribed(isComplete: false)
        let text = String(repeating: "0123456789", count: 10_000)
        _ = try store.receive(part(1, 2, created(0..<20, text: text), isLast: false))
        let version = try client.database.snapshot().version
        #expect(try store.receive(part(1, 2, created(20..<40, text: text))) == 40)
        let commits = try client.database.snapshot().version - version
        #expect(commits == 5)
        #expect(try count(client) == 40)
        #expect(store.state.progress.download.serverVersion == 2)
        try close(client)
    }

    /// A changeset contradicts the state of the file: the bootstrap stays until the next session, which requests it
    /// again.
    @Test func aBootstrapThatCannotBeAppliedIsDownloadedAgain() throws {
        let (client, store) = try subscribed(isComplete: false)
        let bad = [SimpleChanges.create(1), SimpleChanges.insert("x", at: 5, of: 5, in: 1)]
        #expect { try store.receive(part(1, 2, bad)) } throws: { ($0 as? SessionError)?.code == .badChangeset }
        #expect(try !hasBootstrap(client))
        _ = try store.receive(part(1, 2, bad, isLast: false))
        #expect { try store.receive(part(1, 2, [])) } throws: { ($0 as? SessionError)?.code == .badChangeset }
        #expect(try hasBootstrap(client))
        #expect(try count(client) == 0)
        #expect(store.state.progress.download.serverVersion == 1)
        #expect(try FileClientStore(client.database).beginSession() == nil)
        #expect(try !hasBootstrap(client))
        #expect(try sets(client) == ["0 awaitingMark", "1 pending"])
        try close(client)
    }

    /// The session reports the failure, and is bound again over the same connection.
    @Test(arguments: [true, false])
    func aBootstrapThatCannotBeAppliedIsReplacedByTheNextOne(inOneMessage: Bool) throws {
        let (client, store) = try subscribed()
        let bad = [SimpleChanges.create(1), SimpleChanges.insert("x", at: 5, of: 5, in: 1)]
        _ = try store.receive(part(1, 2, bad, isFirst: true, isLast: false))
        #expect { try store.receive(part(1, 2, [])) } throws: { ($0 as? SessionError)?.code == .badChangeset }
        #expect(try hasBootstrap(client))
        if inOneMessage {
            #expect(try store.receive(part(1, 3, created(0..<3), isFirst: true)) == 3)
        } else {
            #expect(try store.receive(part(1, 3, created(0..<2), isFirst: true, isLast: false)) == nil)
            #expect(try store.receive(part(1, 3, created(2..<3))) == 3)
        }
        #expect(try sets(client) == ["1 awaitingMark"])
        #expect(try count(client) == 3)
        #expect(try !hasBootstrap(client))
        try close(client)
    }

    /// A crash between the last message and its application: the next session applies it without the server.
    @Test func aCompleteBootstrapIsAppliedByTheNextSession() throws {
        let (client, store) = try subscribed(isComplete: false)
        try client.database.write { transaction in
            let bootstraps = try #require(try PendingBootstraps(transaction))
            try bootstraps.append(part(1, 2, created(0..<3)))
            try #require(try SubscriptionStore(transaction)).setState(.bootstrapping, of: 1)
        }
        #expect(try FileClientStore(client.database).beginSession() == 3)
        #expect(try sets(client) == ["1 awaitingMark"])
        #expect(try count(client) == 3)
        #expect(store.state.progress.download.serverVersion == 2)
        try close(client)
    }

    /// Local changes that the server doesn't have are merged with a bootstrap, slice by slice.
    @Test func unsentChangesSurviveABootstrap() throws {
        let (client, store) = try subscribed(isComplete: false)
        try client.database.write {
            try ChangesetApplier($0, isRecorded: true).apply(
                Changeset(SimpleChanges.create(7).instructions + SimpleChanges.add(3, to: 7).instructions))
        }
        let update = Instruction.change(
            Place(SimpleChanges.object(7), "n"), .update(.int(10), isDefault: false))
        _ = try store.receive(part(1, 2, [SimpleChanges.create(7)], isLast: false))
        _ = try store.receive(part(1, 2, [Changeset([update])]))
        let value = try client.state().content(at: Place(SimpleChanges.object(7), "n"))
        #expect(value == .value(.int(13)))
        #expect(store.uploads(after: 0, limit: .max).entries.count == 1)
        try close(client)
    }

    @Test func progressIsTheFractionOfTheQuerysData() throws {
        let (client, store) = try begun()
        #expect(store.transfer.downloaded == 0 && store.transfer.downloadable == 10_000)
        _ = try store.receive(part(0, 1, [SimpleChanges.schema]))
        #expect(store.transfer.downloaded == 10_000)
        let half = ServerMessage.Download.Stage.flexible(queryVersion: 0, .steady, progress: 0.5).downloadable
        try store.integrate([], store.state.progress, downloadableBytes: half)
        #expect(store.transfer.downloaded == 5000 && store.transfer.downloadable == 10_000)
        let excess = ServerMessage.Download.Stage.flexible(queryVersion: 0, .steady, progress: 7e300).downloadable
        #expect(excess == 10_000)
        try close(client)
    }

    @Test func queriesOfAClassAreAlternatives() throws {
        let subscriptions = try [
            subscription("b > 1"), subscription("a == \"x\""), subscription("b > 1"),
            subscription("TRUEPREDICATE", class: "Alpha"),
        ]
        #expect(
            SubscriptionSet.document(of: subscriptions)
                == #"{"Alpha":"(TRUEPREDICATE)","Note":"(a == \"x\") OR (b > 1)"}"#)
        #expect(SubscriptionSet.document(of: []) == "{}")
    }

    @Test func aFileWithANewerLayoutIsRejected() throws {
        let (client, store) = try begun()
        try client.database.write { transaction in
            let table = try #require(try transaction.table(named: "sync_internal_schemas"))
            let row = try #require(try table.object(primaryKey: .string("flx_subscription_store")))
            let column = try #require(table.column(named: "schema_version")).key
            try transaction.set(.int(3), column, of: row, in: table.key)
        }
        #expect { try client.database.prepareSubscriptions() } throws: {
            ($0 as? StorageError)?.code == .incompatibleHistory
        }
        #expect(throws: SessionError.self) { try store.beginSession() }
        #expect(store.pendingQuery(after: 0) == nil && store.failure != nil)
    }
}
