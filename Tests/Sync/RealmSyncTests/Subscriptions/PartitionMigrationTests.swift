// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore
import SyncTestSupport
import Testing

@testable import RealmSync

/// Subscriptions of files that were moved from a partition (§5.8).
@Suite struct PartitionMigrationTests {
    @Test func eachNewClassGetsOneSubscription() throws {
        let client = try ClientDatabase()
        let migration = PartitionMigration(of: "\"a\"", to: "n == 1")
        let id = ObjectIdBytes(high: 1, low: 2)
        #expect(try !client.database.subscribe(migration, field: "n") { id })
        try client.database.write { try ChangesetApplier($0, isRecorded: true).apply(SimpleChanges.schema) }
        #expect(try client.database.subscribe(migration, field: "n") { id })
        #expect(try !client.database.subscribe(migration, field: "n") { id })
        let latest = try SubscriptionStore(client.database.snapshot())?.latest
        #expect(latest?.subscriptions.map(\.name) == ["flx_migrated_Note"])
        #expect(latest?.subscriptions.map(\.objectClass) == ["Note"])
        try client.close()
    }

    /// The sets of the move itself are complete. A later one, for a new class, holds the uploads until it's complete,
    /// also in a file that is opened again.
    @Test(arguments: [true, false]) func uploadsWaitForTheSubscriptionsOfNewClasses(isAccepted: Bool) throws {
        let client = try ClientDatabase()
        let migration = PartitionMigration(of: "\"a\"", to: "n == 1")
        try client.database.write { transaction in
            try migration.complete(in: transaction, from: try client.database.snapshot())
            try ChangesetApplier(transaction, isRecorded: true).apply(SimpleChanges.schema)
        }
        #expect(!FileClientStore(client.database).holdsUploads)
        #expect(try client.database.subscribe(migration, field: "n") { ObjectIdBytes(high: 1, low: 2) })
        #expect(FileClientStore(client.database).holdsUploads)
        try client.reopen()
        let store = FileClientStore(client.database)
        let version = try #require(try SubscriptionStore(client.database.snapshot())?.latest).version
        #expect(store.holdsUploads)
        try store.assign(SaltedIdent(ident: 2, salt: 3))
        if isAccepted {
            let progress = ClientProgress(
                download: DownloadCursor(serverVersion: 1), latest: SaltedVersion(version: 1, salt: 1))
            _ = try store.receive(BootstrapPart(queryVersion: version, isFirst: true, entries: [], progress: progress))
            #expect(store.holdsUploads)
            #expect(try store.completeSet())
        } else {
            #expect(try store.reject(version, "a test"))
        }
        #expect(!store.holdsUploads)
        try client.close()
    }
}
