// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server && Sync
    import Foundation
    import RealmAccounts
    import RealmSyncServer
    import RealmTestSupport
    import ServerTestSupport
    import TestTraits
    import Testing

    @testable import RealmSwift

    /// Client resets of files whose server has lost its partitions and kept its accounts (§7).
    @Suite(.serialized, .timeLimited, .scope(TestCleanup.perform)) struct ClientResetTests {
        private final class Shown: Sendable {
            let before = Collected<[String]>()
            let after = Collected<[String]>()

            func take(_ realm: Realm) { before.append(ClientResetTests.texts(realm)) }

            func take(_ before: Realm, _ after: Realm) {
                self.after.append(ClientResetTests.texts(before) + ClientResetTests.texts(after))
            }
        }

        private static func texts(_ realm: Realm) -> [String] { realm.objects(Note.self).map(\.text).sorted() }

        /// A device with "old" uploaded and "own" not, and a server that has lost "old" and got "new" from another
        /// device.
        private func reset(
            isFlexible: Bool = false, _ mode: (Shown) -> ClientResetMode,
            _ check: (Device, Realm.Configuration, Shown, SyncedServer) async throws -> Void
        ) async throws {
            let change: @Sendable (inout RealmServer.Options, inout AccountsConfiguration) -> Void = { options, _ in
                if isFlexible { options.flexibleApps = ["notes"] }
            }
            let first = try await SyncedServer(nil, change)
            let (device, other) = (try Device(port: first.port), try Device(port: first.port))
            let shown = Shown()
            let configuration = try await device.configuration("team", mode(shown), isFlexible: isFlexible)
            let session = try withRealm(configuration) { realm in
                try realm.write { realm.add(Note("old")) }
                return try #require(realm.syncSession)
            }
            try await session.wait(for: .upload)
            let otherConfiguration = try await other.configuration(isFlexible: isFlexible)
            try await first.stop()
            try TestDatabases.removeStores(of: first.folder.path)
            try withRealm(configuration) { realm in try realm.write { realm.add(Note("own")) } }
            // An open session would reset the file before "new" is on the server.
            try await device.endOfSessions()
            let server = try await SyncedServer(first, change)
            let fresh = try withRealm(otherConfiguration) { realm in
                try realm.write { realm.add(Note("new")) }
                return try #require(realm.syncSession)
            }
            try await fresh.wait(for: .upload)
            try await check(device, configuration, shown, server)
            #expect(!FileManager.default.fileExists(atPath: try #require(configuration.fileURL).path + ".fresh"))
            try await server.stop()
        }

        private func open(_ configuration: Realm.Configuration, until holds: ([String]) -> Bool) async throws {
            let queue = DispatchQueue(label: "holder")
            let box = try queue.sync { ThreadConfinedBox(try Realm(configuration: configuration, queue: queue)) }
            try await eventually("the reset") { holds(try withRealm(configuration, Self.texts)) }
            try await withRealm(configuration, { $0.syncSession })?.wait(for: .upload)
            queue.sync { box.release() }
        }

        @Test(arguments: [false, true]) func aResetRecoversUnuploadedChanges(isFlexible: Bool) async throws {
            try await reset(isFlexible: isFlexible) { shown in
                .recoverUnsyncedChanges(beforeReset: { shown.take($0) }, afterReset: { shown.take($0, $1) })
            } _: { device, configuration, shown, server in
                try await open(configuration) { $0 == ["new", "own"] }
                #expect(try await shown.before.first() == ["old", "own"])
                #expect(try await shown.after.first() == ["old", "own", "new", "own"])
                #expect(device.errors.all.isEmpty)
                let third = try await Device(port: server.port).configuration(isFlexible: isFlexible)
                try await open(third) { $0 == ["new", "own"] }
                try Realm.check(fileAt: try #require(configuration.fileURL)).requireClean()
            }
        }

        @Test func aReadOnlyRealmSeesTheReset() async throws {
            try await reset { shown in
                .recoverUnsyncedChanges(beforeReset: { shown.take($0) }, afterReset: { shown.take($0, $1) })
            } _: { device, configuration, shown, _ in
                var reading = configuration
                reading.readOnly = true
                try await open(reading) { $0 == ["new", "own"] }
                #expect(try await shown.before.first() == ["old", "own"])
                #expect(try await shown.after.first() == ["old", "own", "new", "own"])
                #expect(device.errors.all.isEmpty)
            }
        }

        @Test(arguments: [false, true]) func aResetDiscardsUnuploadedChanges(isFlexible: Bool) async throws {
            try await reset(isFlexible: isFlexible) { shown in
                .discardUnsyncedChanges(beforeReset: { shown.take($0) }, afterReset: { shown.take($0, $1) })
            } _: { device, configuration, shown, _ in
                try await open(configuration) { $0 == ["new"] }
                #expect(try await shown.before.first() == ["old", "own"])
                #expect(try await shown.after.first() == ["old", "own", "new"])
                #expect(device.errors.all.isEmpty)
                try withRealm(configuration) { realm in try realm.write { realm.add(Note("later")) } }
                try await open(configuration) { $0 == ["later", "new"] }
            }
        }

        @Test func theProgramResetsTheFileByHand() async throws {
            let reported = Collected<SyncError>()
            try await reset { _ in
                .manual { error, _ in if let error = error as? SyncError { reported.append(error) } }
            } _: { device, configuration, _, _ in
                let file = try #require(configuration.fileURL)
                let queue = DispatchQueue(label: "holder")
                let box = try queue.sync { ThreadConfinedBox(try Realm(configuration: configuration, queue: queue)) }
                let error = try await reported.first()
                #expect(error.code == .clientResetError && device.errors.all.isEmpty)
                let (path, token) = try #require(error.clientResetInfo())
                #expect(path.hasPrefix(device.folder.path + "/mongodb-realm/notes/recovered-realms/recovered_realm-"))
                #expect(try withRealm(configuration, Self.texts) == ["old", "own"])
                queue.sync { box.release() }
                try await device.endOfSessions()
                SyncSession.immediatelyHandleError(token)
                #expect(!FileManager.default.fileExists(atPath: file.path))
                var recovered = Realm.Configuration(
                    fileURL: URL(fileURLWithPath: path), objectTypes: [Note.self, Place.self])
                recovered.readOnly = true
                #expect(try withRealm(recovered, Self.texts) == ["old", "own"])
                try await open(configuration) { $0 == ["new"] }
            }
        }
    }
#endif
