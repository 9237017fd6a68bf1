// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server && Sync
    import RealmRuntime
    import RealmSyncCore
    import RealmTestSupport
    import ServerTestSupport
    import Testing

    @testable import RealmSwift

    final class SubscribedPet: Object {
        @Persisted(primaryKey: true) var _id: Int
        @Persisted var name: String
        @Persisted var age: Int
        @Persisted var friend: SubscribedPet?
        override class func shouldIncludeInDefaultSchema() -> Bool { false }

        convenience init(_ id: Int, age: Int) {
            self.init()
            (_id, self.age) = (id, age)
        }
    }

    final class SubscribedPlace: EmbeddedObject {
        @Persisted var city: String
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    final class SubscribedEvent: AsymmetricObject {
        @Persisted(primaryKey: true) var _id: Int
        @Persisted var kind: String
        @Persisted var place: SubscribedPlace?
        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    /// A device with subscriptions at a server that has the pets 1 and 2, whose ages are 10 and 20.
    final class SubscribedClient: @unchecked Sendable {
        enum Server: CaseIterable {
            /// Answers a few queries with fixed messages.
            case scripted
            /// Our server.
            case real
        }

        let user: User
        let scripted: ScriptedFlexibleServer?
        let sent: RecordedTransport
        private let server: SyncedServer
        private let device: Device
        private let connection: SyncConnection

        init(_ kind: Server) async throws {
            server = try await SyncedServer.flexible("notes")
            if kind == .real { try await SubscribedClient.addPets(server.port) }
            device = try Device(port: server.port)
            user = try await SubscribedClient.login(device.app, "ann")
            scripted = kind == .scripted ? ScriptedFlexibleServer(SubscribedClient.answer) : nil
            sent = RecordedTransport(scripted ?? linkedTransport())
            connection = SyncConnection(user, sent, .flexible)
            user.use(connection, .flexible)
        }

        private static func login(_ app: App, _ name: String) async throws -> User {
            let email = "\(name)@example.org"
            try await app.emailPasswordAuth.registerUser(email: email, password: "secret1")
            return try await app.login(credentials: .emailPassword(email: email, password: "secret1"))
        }

        @MainActor private static func addPets(_ port: Int) async throws {
            let device = try Device(port: port)
            let user = try await login(device.app, "bob")
            let realm = try await Realm(configuration: configuration(user.flexibleSyncConfiguration()))
            let subscriptions = realm.subscriptions
            try await subscriptions.update { subscriptions.append(QuerySubscription<SubscribedPet>()) }
            try realm.write { realm.add([SubscribedPet(1, age: 10), SubscribedPet(2, age: 20)]) }
            try await realm.syncSession?.wait(for: .upload)
        }

        static func configuration(_ configuration: Realm.Configuration) -> Realm.Configuration {
            var configuration = configuration
            configuration.objectTypes = [SubscribedPet.self, SubscribedEvent.self, SubscribedPlace.self]
            return configuration
        }

        var configuration: Realm.Configuration {
            SubscribedClient.configuration(user.flexibleSyncConfiguration())
        }

        var errors: [SyncError] { device.errors.all }

        // MARK: Script

        private static func answer(_ query: String) -> ScriptedFlexibleServer.Answer {
            let pets = [1, 2].map { ObjectReference("SubscribedPet", .int($0)) }
            if query.contains("friend") { return .rejection("a query on 'friend' isn't supported") }
            let instructions = pets.flatMap { pet -> [Instruction] in
                guard case .int(let key) = pet.key, query != "{}", !query.contains("age < 3") else {
                    return [.eraseObject(pet)]
                }
                return [
                    .eraseObject(pet), .createObject(pet),
                    .change(RealmSyncCore.Place(pet, "age"), .update(.int(key * 10), isDefault: false)),
                ]
            }
            return .changes([Changeset(instructions)])
        }
    }
#endif
