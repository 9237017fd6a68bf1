// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server && Sync
    import Foundation
    import RealmTestSupport
    import ServerTestSupport
    import TestTraits
    import Testing

    @testable import RealmSwift

    /// The other settings of a configuration together with `syncConfiguration`. `SyncConfigurationTests` has the
    /// rejected combinations.
    @Suite(.serialized, .timeLimited, .scope(TestCleanup.perform)) struct SynchronisedSettingsTests {
        private func write(_ text: String, _ configuration: Realm.Configuration) async throws {
            let session = try withRealm(configuration) { realm in
                try realm.write { realm.add(Note(text)) }
                return try #require(realm.syncSession)
            }
            try await session.wait(for: .upload)
        }

        private func texts(_ configuration: Realm.Configuration) async throws -> [String] {
            try await opened(configuration) { $0.objects(Note.self).map(\.text).sorted() }
        }

        @Test func aFileOfAnyPlaceIsEncrypted() async throws {
            let server = try await SyncedServer()
            let device = try Device(port: server.port)
            var configuration = try await device.configuration()
            let file = URL(fileURLWithPath: device.folder.path + "/elsewhere.realm")
            (configuration.fileURL, configuration.encryptionKey) = (file, Data(0..<64))
            try await write("secret text", configuration)
            try await device.endOfSessions()
            #expect(try Data(contentsOf: file).range(of: Data("secret text".utf8)) == nil)
            try Realm.check(fileAt: file, encryptionKey: Data(0..<64)).requireClean()
            var bare = configuration
            bare.encryptionKey = nil
            let open = bare
            #expect {
                _ = try withRealm(open) { $0.isEmpty }
            } throws: { ($0 as? Realm.Error)?.code == .invalidDatabase }
            #expect(try await texts(configuration) == ["secret text"])
            #expect(try await texts(try await Device(port: server.port).configuration()) == ["secret text"])
        }

        @Test func migrationsAreIgnored() async throws {
            let server = try await SyncedServer()
            let device = try Device(port: server.port)
            var configuration = try await device.configuration()
            configuration.schemaVersion = 7
            try await write("first", configuration)
            try await device.endOfSessions()
            let calls = Collected<UInt64>()
            configuration.migrationBlock = { _, version in calls.append(version) }
            // A lower version isn't an error either.
            for version: UInt64 in [9, 3] {
                configuration.schemaVersion = version
                #expect(try await texts(configuration) == ["first"])
                try await device.endOfSessions()
            }
            #expect(calls.all.isEmpty && device.errors.all.isEmpty)
        }

        @Test func aFileIsCompactedWhenItOpens() async throws {
            let server = try await SyncedServer()
            let device = try Device(port: server.port)
            var configuration = try await device.configuration()
            let file = try #require(configuration.fileURL)
            let session = try withRealm(configuration) { realm in
                try realm.write {
                    for number in 0..<300 { realm.add(Note(String(repeating: "text \(number) ", count: 500))) }
                }
                try realm.write { realm.delete(realm.objects(Note.self).where { $0.text != "" }) }
                try realm.write { realm.add(Note("left")) }
                return try #require(realm.syncSession)
            }
            try await session.wait(for: .upload)
            try await device.endOfSessions()
            let size = try Data(contentsOf: file).count
            let asked = Collected<Int>()
            configuration.shouldCompactOnLaunch = { total, used in
                asked.append(total)
                return used < total
            }
            #expect(try await texts(configuration) == ["left"])
            try await write("more", configuration)
            try await device.endOfSessions()
            #expect(asked.all.first == size)
            #expect(try Data(contentsOf: file).count < size)
            try Realm.check(fileAt: file).requireClean()
            #expect(try await texts(try await Device(port: server.port).configuration()) == ["left", "more"])
            #expect(device.errors.all.isEmpty)
        }

        @Test func aFileBeginsAsItsSeed() async throws {
            let server = try await SyncedServer()
            let device = try Device(port: server.port)
            var configuration = try await device.configuration()
            func url(_ name: String) -> URL { URL(fileURLWithPath: device.folder.path + "/" + name) }
            let local = Realm.Configuration(fileURL: url("local.realm"), objectTypes: [Note.self, Place.self])
            var seed = configuration
            seed.fileURL = url("seed.realm")
            let target = seed
            try withRealm(local) { realm in
                try realm.write { realm.add(Note("planted")) }
                try realm.writeCopy(configuration: target)
            }
            configuration.seedFilePath = target.fileURL
            #expect(try withRealm(configuration) { $0.objects(Note.self).map(\.text) } == ["planted"])
            try await write("grown", configuration)
            #expect(try await texts(configuration) == ["grown", "planted"])
            #expect(try await texts(try await Device(port: server.port).configuration()) == ["grown", "planted"])
            var other = try await device.configuration("other")
            other.seedFilePath = local.fileURL
            let bad = other
            #expect {
                _ = try withRealm(bad) { $0.isEmpty }
            } throws: { ($0 as? Realm.Error)?.code == .incompatibleHistories }
        }

        @Test func onlyTheListedClassesAreOpened() async throws {
            let server = try await SyncedServer()
            let own = try await Device(port: server.port).configuration()
            try await write("first", own)
            var other = try await Device(port: server.port).configuration()
            other.objectTypes = []
            #expect(try await opened(other) { realm in realm.isEmpty && realm.schema.objectSchema.isEmpty })
            // Downloaded objects of other classes are available once those classes are opened.
            other.objectTypes = [Note.self, Place.self]
            #expect(try await texts(other) == ["first"])
        }
    }
#endif
