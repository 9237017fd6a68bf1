// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSync
import RealmSyncCore
import RealmTestSupport
import SyncTestSupport
import Testing

/// Files that start over with another schema version (§5.9).
@Suite struct SchemaMigrationTests {
    private static let id = ObjectIdBytes(high: 1, low: 2)

    private func file() throws -> (ClientDatabase, FileClientStore) {
        let client = try ClientDatabase()
        let store = FileClientStore(client.database)
        _ = try store.beginSession()
        try store.assign(SaltedIdent(ident: 5, salt: 3))
        let entry = ServerMessage.Download.Entry(
            serverVersion: 1, clientVersion: 0, timestamp: 100, origin: 1, originalSize: 1,
            changeset: Changeset(SimpleChanges.schema.instructions + SimpleChanges.create(1, n: 1).instructions)
                .encoded())
        let progress = ClientProgress(
            download: DownloadCursor(serverVersion: 1), latest: SaltedVersion(version: 1, salt: 1))
        _ = try store.receive(BootstrapPart(queryVersion: 0, isFirst: true, entries: [entry], progress: progress))
        try client.database.write { _ = try SubscriptionStore($0)?.add([]) }
        return (client, store)
    }

    @Test func aFileStartsOverAsANewOne() throws {
        let (client, store) = try file()
        #expect(try SchemaMigration.previousVersion(in: client.database) == nil)
        try SchemaMigration.record(previousVersion: 7, id: Self.id, in: client.database)
        try client.reopen()
        #expect(try SchemaMigration.previousVersion(in: client.database) == 7)
        try SchemaMigration.record(previousVersion: 8, id: Self.id, in: client.database)
        #expect(try SchemaMigration.previousVersion(in: client.database) == 8)
        #expect(store.state.file?.ident == 5)
        #expect(try SchemaMigration.run(on: client.database))
        #expect(try SchemaMigration.previousVersion(in: client.database) == nil)
        let state = FileClientStore(client.database).state
        #expect(state.file == nil && state.progress == ClientProgress())
        #expect(try client.state().tables["Note"]?.objects.isEmpty == true)
        let sets = try #require(try SubscriptionStore(client.database.snapshot())).all
        #expect(sets.map(\.version) == [0] && sets[0].state == .pending && sets[0].subscriptions.isEmpty)
        #expect(try client.recorded(after: 0).isEmpty)
        // The file is a new client, whose changes are uploaded from the first one.
        let again = FileClientStore(client.database)
        #expect(try again.beginSession() == nil)
        try again.assign(SaltedIdent(ident: 9, salt: 4))
        try client.database.write { try ChangesetApplier($0, isRecorded: true).apply(SimpleChanges.create(2, n: 2)) }
        #expect(again.uploads(after: 0, limit: .max).entries.count == 1)
        try client.close()
    }

    @Test func aFileThatWasMovedToSubscriptionsHasItsPartitionAgain() throws {
        let (client, _) = try file()
        let (copy, _) = try file()
        let migration = PartitionMigration(of: "\"a\"", to: "n == 1")
        try ClientReset(local: client.database, fresh: copy.database, .toSubscriptions(migration))
            .run(.recover, cause: ClientResetCause(.migrate))
        #expect(try PartitionMigration.completed(in: client.database)?.partition == "\"a\"")
        try SchemaMigration.record(previousVersion: 7, id: Self.id, in: client.database)
        #expect(try SchemaMigration.run(on: client.database))
        #expect(try PartitionMigration.completed(in: client.database) == nil)
        #expect(try SubscriptionStore(client.database.snapshot())?.all.isEmpty != false)
        #expect(FileClientStore(client.database).state.file == nil)
        try client.close()
        try copy.close()
    }

    @Test func aFileWithUnsentChangesIsUnchanged() throws {
        let (client, store) = try file()
        try client.database.write { try ChangesetApplier($0, isRecorded: true).apply(SimpleChanges.create(2, n: 2)) }
        try SchemaMigration.record(previousVersion: 0, id: Self.id, in: client.database)
        let before = try client.state()
        #expect(try !SchemaMigration.run(on: client.database))
        #expect(try client.state() == before)
        #expect(try SchemaMigration.previousVersion(in: client.database) == 0)
        #expect(store.state.file?.ident == 5 && store.uploads(after: 0, limit: .max).entries.count == 1)
        try client.close()
    }
}
