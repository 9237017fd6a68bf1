// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

#if Server && Sync
    import Foundation
    import RealmSync
    import RealmTestSupport
    import ServerTestSupport
    import TestTraits
    import Testing

    @testable import RealmSwift

    private final class LongerNote: Object {
        override class func _realmObjectName() -> String? { "Note" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }

        @Persisted(primaryKey: true) var _id: ObjectId
        @Persisted var text = ""
        @Persisted var extra: String?
    }

    private final class ShorterNote: Object {
        override class func _realmObjectName() -> String? { "Note" }
        override class func shouldIncludeInDefaultSchema() -> Bool { false }

        @Persisted(primaryKey: true) var _id: ObjectId
        @Persisted var text = ""
    }

    /// Read-only synchronised Realms.
    @Suite(.serialized, .timeLimited, .scope(TestCleanup.perform)) struct ReadOnlyRealmTests {
        /// A server on which all users but one are read-only, and the device of that user.
        private struct World {
            let server: SyncedServer
            let writer: Device
            let own: Realm.Configuration

            init() async throws {
                let author = Locked<String?>(nil)
                server = try await SyncedServer { options, _ in
                    options.permissions = { request in request.user == author.withLock { $0 } ? .write : .read }
                }
                writer = try Device(port: server.port)
                own = try await writer.configuration()
                author.withLock { [id = writer.app.currentUser?.id] in $0 = id }
            }

            func write(_ body: (Realm) throws -> Void) async throws {
                let session = try withRealm(own) { realm in
                    try realm.write { try body(realm) }
                    return try #require(realm.syncSession)
                }
                try await session.wait(for: .upload)
            }

            func reader() async throws -> (device: Device, configuration: Realm.Configuration) {
                let device = try Device(port: server.port)
                var configuration = try await device.configuration()
                configuration.readOnly = true
                return (device, configuration)
            }
        }

        private func hasNothingToUpload(_ configuration: Realm.Configuration) throws -> Bool {
            let coordinator = try RealmRegistry.coordinator(configuration)
            return FileClientStore(coordinator.database).uploads(after: 0, limit: .max).entries.isEmpty
        }

        @Test func theFirstOpeningDownloadsTheFile() async throws {
            let world = try await World()
            try await world.write { $0.add(Note("first")) }
            let (device, configuration) = try await world.reader()
            let queue = DispatchQueue(label: "reader")
            let changes = Collected<[String]>()
            let held = try await opened(configuration, on: queue) { realm in
                #expect(realm.objects(Note.self).map(\.text) == ["first"] && !realm.isEmpty)
                let token = realm.objects(Note.self).where { $0.count > 5 }.observe { change in
                    if case .update(let notes, _, _, _) = change { changes.append(notes.map(\.text)) }
                }
                return ThreadConfinedBox((realm, token))
            }
            try await world.write { realm in
                realm.add(Note("second"))
                realm.objects(Note.self).first?.count = 7
            }
            try await world.write { $0.add(Note(value: ["text": "third", "count": 8] as [String: Any])) }
            try await eventually("the changes") { changes.all.last?.contains("third") == true }
            #expect(try hasNothingToUpload(configuration))
            #expect(device.errors.all.isEmpty)
            queue.sync { held.release() }
            try await device.endOfSessions()
            try Realm.check(fileAt: try #require(configuration.fileURL)).requireClean()
            #expect(try withRealm(configuration) { $0.objects(Note.self).count } == 3)
        }

        /// The download of a class's first object creates its table.
        @Test func aQueryFollowsATableThatIsCreatedLater() async throws {
            let world = try await World()
            let (device, configuration) = try await world.reader()
            let queue = DispatchQueue(label: "reader")
            let (changes, few, texts) = (Collected<[Int]>(), Collected<[String]>(), Collected<[String]>())
            let held = try await opened(configuration, on: queue) { realm in
                let all = realm.objects(Note.self)
                #expect(realm.isEmpty)
                let some = all.where { $0.count > 1 }.sorted(byKeyPath: "count", ascending: false)
                #expect(all.isEmpty && some.isEmpty && some.first == nil && all.sum(ofProperty: "count") == 0)
                let tokens = [
                    all.observe { change in
                        if case .update(_, _, let insertions, _) = change { changes.append(insertions) }
                    },
                    some.observe { change in
                        if case .update(let notes, _, _, _) = change { few.append(notes.map(\.text)) }
                    },
                    all.observe(keyPaths: ["text", "parent.text", "answers.text", "place.name"]) { change in
                        guard case .update(let notes, _, _, let modified) = change, !modified.isEmpty else { return }
                        texts.append(modified.map { notes[$0].text })
                    },
                ]
                return ThreadConfinedBox((tokens, all, some))
            }
            try await world.write { realm in
                for number in 0..<4 { realm.add(Note(value: ["text": "\(number)", "count": number] as [String: Any])) }
            }
            try await eventually("the notes") { few.all.last == ["3", "2"] }
            #expect(try await changes.first() == [0, 1, 2, 3])
            try await world.write { realm in realm.objects(Note.self).where { $0.count == 0 }.first?.count = 9 }
            try await eventually("the change") { few.all.last == ["0", "3", "2"] }
            try await world.write { realm in realm.objects(Note.self).where { $0.text == "1" }.first?.text = "one" }
            #expect(try await texts.first() == ["one"])
            try queue.sync {
                let (_, all, some) = try #require(held.value)
                #expect(all.count == 4 && some.count == 3 && some.first?.text == "0" && some[2].text == "2")
                #expect(all.sum(ofProperty: "count") == 15 && all.freeze().count == 4)
            }
            #expect(device.errors.all.isEmpty)
            #expect(try hasNothingToUpload(configuration))
            queue.sync { held.release() }
        }

        @Test func aFileThatIsMissingIsAnError() async throws {
            let world = try await World()
            let (device, configuration) = try await world.reader()
            let file = try #require(configuration.fileURL)
            func fails(_ configuration: Realm.Configuration) -> Bool {
                do {
                    _ = try withRealm(configuration) { $0.isEmpty }
                    return false
                } catch { return (error as? Realm.Error)?.code == .fileNotFound }
            }
            var local = configuration
            local.syncConfiguration = nil
            #expect(fails(configuration) && fails(local))
            #expect(!FileManager.default.fileExists(atPath: file.deletingLastPathComponent().path))
            #expect(device.app.currentUser?.allSessions.isEmpty == true)
            #expect(try await isEmpty(configuration, .once))
            #expect(try withRealm(configuration) { $0.isEmpty })
        }

        @MainActor private func isEmpty(
            _ configuration: Realm.Configuration, _ behavior: Realm.OpenBehavior
        ) async throws -> Bool {
            try await Realm(configuration: configuration, downloadBeforeOpen: behavior).isEmpty
        }

        @Test func otherPermissionsAreRefused() async throws {
            let world = try await World()
            let (_, configuration) = try await world.reader()
            _ = try await opened(configuration) { $0.isEmpty }
            var writing = configuration
            writing.readOnly = false
            func isRefused(_ open: () throws -> Void) -> Bool {
                do {
                    try open()
                    return false
                } catch {
                    return (error as? Realm.Error)?.code == .fail
                        && "\(error)".contains("already opened with different read permissions")
                }
            }
            for (first, second) in [(configuration, writing), (writing, configuration)] {
                let queue = DispatchQueue(label: "first")
                // A notification may briefly retain the previous Realm.
                try await eventually("the end of the Realm before") {
                    !isRefused { _ = try withRealm(first) { $0.isEmpty } }
                }
                try queue.sync {
                    let realm = try Realm(configuration: first, queue: queue)
                    #expect(isRefused { _ = try Realm(configuration: second, queue: queue) })
                    #expect(isRefused { _ = try withRealm(second) { $0.isEmpty } })
                    #expect(realm.isEmpty)
                }
            }
        }

        /// Pending changes of a writing Realm are uploaded. A read-only Realm adds none.
        @Test func earlierWritesAreUploaded() async throws {
            let port = try FreePort.find()
            let server = try await SyncedServer(port: port)
            let device = try Device(port: port)
            var configuration = try await device.configuration()
            try await server.stop()
            try withRealm(configuration) { realm in try realm.write { realm.add(Note("offline")) } }
            configuration.readOnly = true
            let queue = DispatchQueue(label: "reader")
            let reading = configuration
            let held = try queue.sync { ThreadConfinedBox(try Realm(configuration: reading, queue: queue)) }
            _ = try await SyncedServer(server)
            queue.sync {
                #expect(held.value?.objects(Note.self).count == 1)
                held.value?.syncSession?.reconnect()
            }
            let other = try await Device(port: port).configuration()
            try await eventually("the upload") { try await opened(other) { $0.objects(Note.self).count } == 1 }
            queue.sync { held.release() }
        }

        @Test func modelsHaveToSuitTheFile() async throws {
            let world = try await World()
            try await world.write { $0.add(Note("first")) }
            var (_, configuration) = try await world.reader()
            configuration.objectTypes = [ShorterNote.self]
            #expect(try await opened(configuration) { $0.objects(ShorterNote.self).map(\.text) } == ["first"])
            let (device, _) = try await world.reader()
            var longer = try await device.configuration()
            (longer.readOnly, longer.objectTypes) = (true, [LongerNote.self])
            for _ in 0..<2 {
                let given = longer
                await #expect {
                    _ = try await opened(given) { $0.isEmpty }
                } throws: { error in
                    (error as? Realm.Error)?.code == .schemaMismatch
                        && "\(error)".contains("Property 'Note.extra' has been added.")
                }
            }
        }
    }
#endif
