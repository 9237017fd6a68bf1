// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server && Sync
    import Foundation
    import RealmRuntime
    import RealmSyncCore
    import RealmTestSupport
    import TestTraits
    import Testing

    @testable import RealmSwift

    /// Realms whose scripted server requires a migration to another schema version (§5.9).
    @Suite(.serialized, .timeLimited, .scope(TestCleanup.perform)) struct SchemaMigrationTests {
        private static let changed = ServerError(
            "the version was raised", .migrateSchema, canTryAgain: true, previousSchemaVersion: 3)

        private static func path(_ reason: Int, _ version: Int) -> String {
            #"{"schemaVersion":\#(version),"sessionReason":\#(reason)}"#
        }

        /// Opens a Realm of version 4 and writes an object, and waits for sessions with these paths.
        ///
        /// - Returns: The number of objects that were created at the server.
        private func run(_ expected: [String], _ prepare: (ScriptedFlexibleServer) -> Void) async throws -> Int {
            let client = try await SubscribedClient(.scripted)
            prepare(try #require(client.scripted))
            var configuration = client.user.flexibleSyncConfiguration(
                initialSubscriptions: { $0.append(QuerySubscription<SubscribedPet>(name: "all") { $0.age < 3 }) })
            configuration.objectTypes = [SubscribedPet.self]
            configuration.schemaVersion = 4
            try await Self.write(configuration, client.sent, expected)
            let created = client.sent.uploads.flatMap(\.instructions).count {
                if case .createObject = $0 { true } else { false }
            }
            return created
        }

        /// Unlike the asynchronous initializer, this one doesn't wait for the server.
        @MainActor private static func open(_ configuration: Realm.Configuration) throws -> Realm {
            try Realm(configuration: configuration)
        }

        @MainActor private static func write(
            _ configuration: Realm.Configuration, _ sent: RecordedTransport, _ expected: [String]
        ) async throws {
            let realm = try open(configuration)
            try realm.write { realm.create(SubscribedPet.self, value: ["_id": 1, "name": "Rex"]) }
            for _ in 0..<12_000 {
                realm.refresh()
                if sent.paths == expected, realm.isEmpty, realm.subscriptions.state == .complete { return }
                try await Task.sleep(for: .milliseconds(10))
            }
            Issue.record("sessions: \(sent.paths), objects: \(realm.objects(SubscribedPet.self).count)")
        }

        @Test func unsentChangesAreUploadedBeforeTheFileStartsOver() async throws {
            let created = try await run([Self.path(0, 4), Self.path(0, 4)]) { $0.scheduleErrors((236, Self.changed)) }
            #expect(created == 1)
        }

        @Test func aResetDuringTheMigrationUsesThePreviousVersion() async throws {
            let paths = [Self.path(0, 4), Self.path(1, 3), Self.path(1, 4), Self.path(0, 4)]
            let created = try await run(paths) { server in
                server.scheduleErrors(
                    (236, Self.changed), (208, ServerError("the file is unknown", .clientReset, canTryAgain: false)))
                // The fresh copy.
                server.scheduleErrors()
                server.scheduleErrors((236, Self.changed))
            }
            #expect(created == 1)
        }
    }
#endif
