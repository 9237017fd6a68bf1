// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server && Sync
    import Foundation
    import RealmSyncServer
    import RealmTestSupport
    import ServerTestSupport
    import TestTraits
    import Testing

    @testable import RealmSwift

    /// Clients of a server that was restored from a backup.
    @Suite(.serialized, .timeLimited, .scope(TestCleanup.perform)) struct BackupTests {
        private static func texts(_ realm: Realm) -> Set<String> { Set(realm.objects(Note.self).map(\.text)) }

        private func write(_ texts: [String], _ configuration: Realm.Configuration) async throws {
            // Open until the upload, since a closed Realm doesn't wait for a connection.
            let queue = DispatchQueue(label: "holder")
            let box = try queue.sync { ThreadConfinedBox(try Realm(configuration: configuration, queue: queue)) }
            defer { queue.sync { box.release() } }
            let session = try withRealm(configuration) { realm in
                for text in texts { try realm.write { realm.add(Note(text)) } }
                return try #require(realm.syncSession)
            }
            try await session.wait(for: .upload)
        }

        @Test(.embeddedStore)
        func clientsOfARestoredServerResetThemselvesAndKeepUnsentChanges() async throws {
            let first = try await SyncedServer()
            let backup = first.folder.path + ".backup"
            try await requireReset(of: first) {
                let report = try await first.server.backup(to: backup)
                #expect(report.partitions >= 1 && report.bytes > 0)
            } restart: {
                try FileManager.default.removeItem(atPath: first.folder.path)
                _ = try await RealmServer.restore(backup, to: first.folder.path)
                try FileManager.default.removeItem(atPath: backup)
                return try await SyncedServer(first)
            }
        }

        #if PostgreSQL
            @Test(.enabled(if: PostgresCluster.isAvailable, "\(PostgresCluster.absence)"))
            func clientsOfARestoredDatabaseResetThemselvesAndKeepUnsentChanges() async throws {
                let database = try PostgresCluster.shared().makePreparedDatabase()
                let first = try await SyncedServer { options, _ in options.postgres = database.url }
                var (dump, restored): (String, PostgresDatabase?) = ("", nil)
                try await requireReset(of: first) {
                    dump = try database.dump()
                } restart: {
                    let copy = try PostgresCluster.shared().restore(dump)
                    restored = copy
                    // The documents in the folder of the node are newer than the database.
                    return try await SyncedServer(first) { options, _ in options.postgres = copy.url }
                }
                withExtendedLifetime((database, restored)) {}
            }

            @Test(.enabled(if: PostgresCluster.canArchive, "\(PostgresCluster.archiveAbsence)"))
            func clientsOfADatabaseRecoveredToAPointInTimeResetThemselvesAndKeepUnsentChanges() async throws {
                let cluster = try PostgresCluster(archives: true)
                let database = try cluster.makePreparedDatabase()
                let first = try await SyncedServer { options, _ in options.postgres = database.url }
                // Users and objects are in the archived log alone.
                try cluster.makeBaseBackup()
                var recovered: PostgresCluster?
                try await requireReset(of: first) {
                    try cluster.makeRestorePoint("before the loss")
                } restart: {
                    let other = try PostgresCluster(recovering: cluster, to: "before the loss")
                    recovered = other
                    return try await SyncedServer(first) { options, _ in options.postgres = other.url(database.name) }
                }
                withExtendedLifetime((database, recovered)) {}
            }
        #endif

        private func requireReset(
            of first: SyncedServer, backUp: () async throws -> Void, restart: () async throws -> SyncedServer
        ) async throws {
            let (device, other) = (try Device(port: first.port), try Device(port: first.port))
            let configuration = try await device.configuration()
            let otherConfiguration = try await other.configuration("others")
            try await write(["old"], configuration)
            // Another client writes during the backup.
            let load = Task {
                for number in 0..<200 { try await write(["load \(number)"], otherConfiguration) }
            }
            try await backUp()
            try await load.value
            try await write(["lost"], configuration)
            try await device.endOfSessions()
            try await other.endOfSessions()
            try await first.stop()
            try withRealm(configuration) { realm in try realm.write { realm.add(Note("unsent")) } }
            try await device.endOfSessions()
            let second = try await restart()
            // The user of the backup is logged in.
            let queue = DispatchQueue(label: "holder")
            let box = try queue.sync { ThreadConfinedBox(try Realm(configuration: configuration, queue: queue)) }
            try await eventually("the reset") { try withRealm(configuration, Self.texts) == ["old", "unsent"] }
            try await withRealm(configuration, { $0.syncSession })?.wait(for: .upload)
            queue.sync { box.release() }
            let third = try await Device(port: second.port).configuration()
            try await opened(third) { realm in #expect(Self.texts(realm) == ["old", "unsent"]) }
            #expect(device.errors.all.isEmpty)
            try Realm.check(fileAt: try #require(configuration.fileURL)).requireClean()
            try await second.stop()
        }
    }
#endif
