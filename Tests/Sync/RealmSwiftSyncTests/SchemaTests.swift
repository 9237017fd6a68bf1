// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server && Sync
    import Foundation
    import struct RealmSync.StoredHistory
    import RealmSyncServer
    import RealmTestSupport
    import ServerTestSupport
    import TestTraits
    import Testing

    @testable import RealmSwift

    /// Realms of an app whose server has its schema.
    @Suite(.serialized, .timeLimited, .scope(TestCleanup.perform)) struct SchemaTests {
        private static func schema(version: Int, hasPlace: Bool = true, _ more: String = "") -> String {
            let place = """
                , "place": {"title": "Place", "bsonType": "object", "required": ["name"], "properties": {
                    "name": {"bsonType": "string"}, "numbers": {"bsonType": "array", "items": {"bsonType": "double"}}}}
                """
            return """
                {"version": \(version), "classes": [{"title": "Note", "bsonType": "object",
                    "required": ["_id", "text", "count"], "properties": {
                        "_id": {"bsonType": "objectId"}, "text": {"bsonType": "string"}, "count": {"bsonType": "long"},
                        "tags": {"bsonType": "array", "items": {"bsonType": "string"}},
                        "marks": {"bsonType": "array", "uniqueItems": true, "items": {"bsonType": "long"}},
                        "facts": {"bsonType": "object", "additionalProperties": {"bsonType": "mixed"}},
                        "parent": {"bsonType": "objectId"}\(hasPlace ? place : "")\(more)},
                    "relationships": {"parent": {"ref": "Note", "foreign_key": "_id", "is_list": false}}}]}
                """
        }

        private static func server(_ before: SyncedServer? = nil, _ versions: String...) async throws -> SyncedServer {
            var settings = SchemaSettings(app: "notes")
            for version in versions { try settings.addVersion(json: version) }
            let schema = settings
            return try await SyncedServer(before) { options, _ in
                options.flexibleApps = ["notes"]
                options.schemas = [schema]
            }
        }

        private static func configuration(_ device: Device, version: UInt64) async throws -> Realm.Configuration {
            var user = device.app.currentUser
            if user == nil { user = try await device.app.login(credentials: .anonymous) }
            var configuration = try #require(user).flexibleSyncConfiguration(
                initialSubscriptions: { $0.append(QuerySubscription<Note>(name: "all")) })
            configuration.objectTypes = [Note.self, Place.self]
            configuration.schemaVersion = version
            return configuration
        }

        private static func texts(_ realm: Realm) -> [String] { realm.objects(Note.self).map(\.text).sorted() }

        private static func fileIdent(_ realm: Realm) throws -> UInt64? {
            try StoredHistory(try realm.instance.coordinator.database.snapshot(label: "test"))?.file?.ident
        }

        @Test func theErrorHandlerReceivesTheReasonOfARefusedSchema() async throws {
            let server = try await Self.server(nil, Self.schema(version: 0, hasPlace: false))
            let device = try Device(port: server.port)
            let configuration = try await Self.configuration(device, version: 0)
            try withRealm(configuration) { realm in try realm.write { realm.add(Note("a")) } }
            let error = try await device.errors.first()
            #expect(error.code == .clientSessionError)
            #expect(error.localizedDescription.contains("the class 'Place' isn't in the schema of the app"))
            // The file keeps the change.
            #expect(try withRealm(configuration, Self.texts) == ["a"])
        }

        @Test func aFileStartsOverWithANewSchemaVersion() async throws {
            let first = try await Self.server(nil, Self.schema(version: 1))
            let (device, other) = (try Device(port: first.port), try Device(port: first.port))
            var configuration = try await Self.configuration(device, version: 1)
            let session = try withRealm(configuration) { realm in
                try realm.write { realm.add(Note("old")) }
                return try #require(realm.syncSession)
            }
            try await session.wait(for: .upload)
            let otherConfiguration = try await Self.configuration(other, version: 2)
            try await device.endOfSessions()
            try await first.stop()
            // Neither the server nor the subscription knows of these changes.
            try withRealm(configuration) { realm in
                try realm.write { realm.add(Note("unsent")) }
                let subscriptions = realm.subscriptions
                subscriptions.update { subscriptions.append(QuerySubscription<Note>(name: "more")) }
            }
            try await device.endOfSessions()
            _ = try await Self.server(
                first, Self.schema(version: 1), Self.schema(version: 2, #", "extra": {"bsonType": "string"}"#))
            configuration.schemaVersion = 2
            // The opening ends when the file has started over and has the objects of its initial subscriptions.
            let found = try await opened(configuration) { realm in
                (Self.texts(realm), realm.subscriptions.compactMap(\.name), realm.subscriptions.state)
            }
            #expect(found.0 == ["old", "unsent"] && found.1 == ["all"] && found.2 == .complete)
            #expect(try await opened(otherConfiguration, Self.texts) == ["old", "unsent"])
            #expect(device.errors.all.isEmpty && other.errors.all.isEmpty)
            // The new file has the new version.
            try withRealm(configuration) { realm in try realm.write { realm.add(Note("new")) } }
            #expect(try await opened(configuration, Self.texts) == ["new", "old", "unsent"])
            try await device.endOfSessions()
            try Realm.check(fileAt: try #require(configuration.fileURL)).requireClean()
        }

        @Test func anOpenRealmObservesTheNewObjects() async throws {
            let first = try await Self.server(nil, Self.schema(version: 1))
            let device = try Device(port: first.port)
            var configuration = try await Self.configuration(device, version: 1)
            let ident = try await opened(configuration) { realm in
                try realm.write { realm.add(Note("old")) }
                return try Self.fileIdent(realm)
            }
            try await device.endOfSessions()
            try await first.stop()
            configuration.schemaVersion = 2
            // Opened without a connection, and still open when the server is there.
            let queue = DispatchQueue(label: "holder")
            let box = try queue.sync { ThreadConfinedBox(try Realm(configuration: configuration, queue: queue)) }
            _ = try await Self.server(first, Self.schema(version: 1), Self.schema(version: 2))
            try await eventually("the new file") {
                let new = try withRealm(configuration) { (try Self.fileIdent($0), Self.texts($0)) }
                return new.0 != nil && new.0 != ident && new.1 == ["old"]
                    && queue.sync { box.value.map(Self.texts) == ["old"] }
            }
            try withRealm(configuration) { realm in try realm.write { realm.add(Note("new")) } }
            try await withRealm(configuration, { $0.syncSession })?.wait(for: .upload)
            #expect(device.errors.all.isEmpty)
            queue.sync { box.release() }
        }

        @Test func anUnknownSchemaVersionIsReported() async throws {
            let server = try await Self.server(nil, Self.schema(version: 1))
            let device = try Device(port: server.port)
            let configuration = try await Self.configuration(device, version: 4)
            let queue = DispatchQueue(label: "holder")
            let box = try queue.sync { ThreadConfinedBox(try Realm(configuration: configuration, queue: queue)) }
            let error = try await device.errors.first()
            #expect(error.localizedDescription.contains("the schema version 4 is unknown; the app has 1"))
            queue.sync { box.release() }
        }
    }
#endif
