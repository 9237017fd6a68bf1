// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSync
import RealmSyncCore
import SyncTestSupport
import Testing

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
}
