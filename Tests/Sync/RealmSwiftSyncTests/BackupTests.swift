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
    @Suite(.serialized, .timeLimited) struct BackupTests {
        private static func texts(_ realm: Realm) -> Set<String> { Set(realm.objects(Note.self).map(\.text)) }

        private func write(_ texts: [String], _ configuration: Realm.Configuration) async throws {
            let session = try withRealm(configuration) { realm in
                for text in texts { try realm.write { realm.add(Note(text)) } }
                return try #require(realm.syncSession)
            }
            try await session.wait(for: .upload)
        }

        @Test func clientsOfARestoredServerResetThemselvesAndKeepUnsentChanges() async throws {
            let first = try await SyncedServer()
            let (device, other) = (try Device(port: first.port), try Device(port: first.port))
            let configuration = try await device.configuration()
            let otherConfiguration = try await other.configuration("others")
            try await write(["old"], configuration)
            // Another client writes during the backup.
            let load = Task {
                for number in 0..<200 { try await write(["load \(number)"], otherConfiguration) }
            }
            let backup = first.folder.path + ".backup"
            let report = try await first.server.backup(to: backup)
            #expect(report.partitions >= 1 && report.bytes > 0)
            try await load.value
            try await write(["lost"], configuration)
            try await device.endOfSessions()
            try await other.endOfSessions()
            try await first.stop()
            try withRealm(configuration) { realm in try realm.write { realm.add(Note("unsent")) } }
            try await device.endOfSessions()
            try FileManager.default.removeItem(atPath: first.folder.path)
            _ = try await RealmServer.restore(backup, to: first.folder.path)
            try FileManager.default.removeItem(atPath: backup)
            let second = try await SyncedServer(first)
            // The user of the backup is logged in.
            let queue = DispatchQueue(label: "holder")
            let box = try queue.sync { ThreadConfinedBox(try Realm(configuration: configuration, queue: queue)) }
            try await eventually("the reset") { try withRealm(configuration, Self.texts) == ["old", "unsent"] }
            try await withRealm(configuration, { $0.syncSession })?.wait(for: .upload)
            queue.sync { box.release() }
            let third = try await Device(port: second.port).configuration()
            try await opened(third) { realm in #expect(Self.texts(realm) == ["old", "unsent"]) }
            #expect(device.errors.all.isEmpty)
            try Realm.check(fileAt: try #require(configuration.fileURL))
            try await second.stop()
        }
    }
#endif
