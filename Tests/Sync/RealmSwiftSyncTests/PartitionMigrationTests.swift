// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server && Sync
    import Foundation
    import RealmSyncServer
    import RealmTestSupport
    import ServerTestSupport
    import TestTraits
    import Testing

    @testable import RealmSwift

    /// Clients with partitions whose app is moved to flexible sync and back (§5.8).
    @Suite(.serialized, .timeLimited, .scope(TestCleanup.perform)) struct PartitionMigrationTests {
        private static func texts(_ realm: Realm) -> Set<String> { Set(realm.objects(Note.self).map(\.text)) }

        private func write(_ texts: String..., to configuration: Realm.Configuration) async throws {
            let session = try withRealm(configuration) { realm in
                for text in texts { try realm.write { realm.add(Note(text)) } }
                return try #require(realm.syncSession)
            }
            try await session.wait(for: .upload)
        }

        /// Opens the Realm until it has the texts and everything is uploaded.
        private func expect(_ texts: Set<String>, in configuration: Realm.Configuration) async throws {
            let queue = DispatchQueue(label: "holder")
            let box = try queue.sync { ThreadConfinedBox(try Realm(configuration: configuration, queue: queue)) }
            try await eventually("\(texts)") { try withRealm(configuration, Self.texts) == texts }
            let session = try #require(try withRealm(configuration, { $0.syncSession }))
            try await session.wait(for: .upload)
            try await session.wait(for: .download)
            #expect(try withRealm(configuration, Self.texts) == texts)
            queue.sync { box.release() }
        }

        @Test func clientsFollowTheirAppToSubscriptionsAndBack() async throws {
            var server = try await SyncedServer()
            let (ann, bob) = (try Device(port: server.port), try Device(port: server.port))
            let team = try await ann.configuration("team")
            let others = try await bob.configuration("others")
            try await write("team 1", "team 2", to: team)
            try await write("others 1", to: others)
            try await ann.endOfSessions()
            try await bob.endOfSessions()
            try await server.stop()
            try withRealm(team) { realm in try realm.write { realm.add(Note("unsent")) } }
            try await ann.endOfSessions()

            let there = try AppMigration(data: TestDatabases.data(of: server.folder.path), app: "notes").migrate(
                field: "_partition")
            #expect(there.partitions == 2 && there.objects == 3)
            server = try await SyncedServer(server)
            try await expect(["team 1", "team 2", "unsent"], in: team)
            try await expect(["others 1"], in: others)
            // A new object belongs to the partition, although the class of the program has no such property.
            try await write("flexible", to: team)
            let carl = try Device(port: server.port)
            let carls = try await carl.configuration("team")
            try await expect(["team 1", "team 2", "unsent", "flexible"], in: carls)
            try await write("carl", to: carls)
            try await expect(["team 1", "team 2", "unsent", "flexible", "carl"], in: team)
            try await expect(["others 1"], in: others)
            for device in [ann, bob, carl] { try await device.endOfSessions() }
            try await server.stop()
            try withRealm(team) { realm in try realm.write { realm.add(Note("unsent again")) } }
            try await ann.endOfSessions()

            let back = try AppMigration(data: TestDatabases.data(of: server.folder.path), app: "notes").revert()
            #expect(back.partitions == 2 && back.objects == 6)
            server = try await SyncedServer(server)
            let all: Set<String> = ["team 1", "team 2", "unsent", "flexible", "carl", "unsent again"]
            try await expect(all, in: team)
            try await expect(["others 1"], in: others)
            try await expect(all, in: carls)
            try await write("partition", to: carls)
            try await expect(all.union(["partition"]), in: team)
            let dora = try await Device(port: server.port).configuration("team")
            try await expect(all.union(["partition"]), in: dora)
            for device in [ann, bob, carl] { #expect(device.errors.all.isEmpty, "\(device.errors.all)") }
            for configuration in [team, others, carls] {
                try Realm.check(fileAt: try #require(configuration.fileURL)).requireClean()
            }
        }
    }
#endif
