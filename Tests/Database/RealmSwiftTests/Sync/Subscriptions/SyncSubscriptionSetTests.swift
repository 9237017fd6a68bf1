// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import TestTraits
import Testing

@testable import RealmSwift

final class SubscribedPet: TestObject {
    @Persisted(primaryKey: true) var _id: Int
    @Persisted var name: String
    @Persisted var age: Int
    @Persisted var weight: Double
    override class func propertiesMapping() -> [String: String] { ["weight": "weight_kg"] }
}

/// Sets of subscriptions before a server is connected. `SubscribedRealmTests` has those that a server answers.
@Suite struct SyncSubscriptionSetTests {
    private final class Client: @unchecked Sendable {
        let test: TestApp
        let user: User
        private let connection: SyncConnection

        init() async throws {
            test = try TestApp()
            user = try await test.login()
            connection = SyncConnection(user, TestSockets(), .flexible)
            user.use(connection, .flexible)
        }

        var configuration: Realm.Configuration {
            var configuration = user.flexibleSyncConfiguration()
            configuration.objectTypes = [SubscribedPet.self]
            return configuration
        }
    }

    @Test func theConfigurationNamesTheFileOfTheOriginal() async throws {
        let test = try TestApp()
        let user = try await test.login()
        let configuration = user.flexibleSyncConfiguration()
        #expect(configuration.fileURL?.path == test.folder + "/user-1/flx_sync_default.realm")
        #expect(configuration.syncConfiguration?.partitionValue == nil)
        #expect(configuration.syncConfiguration?.initialSubscriptions == nil)
        #expect(configuration != user.configuration(partitionValue: AnyBSON.null))
        let initial = user.flexibleSyncConfiguration(initialSubscriptions: { _ in }, rerunOnOpen: true)
        #expect(initial.syncConfiguration?.initialSubscriptions?.rerunOnOpen == true)
    }

    /// Integers have the original's normal form, and properties the names of the file.
    @Test @MainActor func queriesHaveTheTextOfTheOriginal() async throws {
        let client = try await Client()
        let realm = try await Realm(configuration: client.configuration)
        let core = SubscriptionsCore(realm.instance)
        func text(_ format: String, _ arguments: Any...) -> String {
            core.text(core.predicate(format, arguments), of: SubscribedPet.self)
        }
        #expect(text("age >= 60 AND name != 'A'") == #"age > 59 and name != "A""#)
        #expect(text("age <= 20 OR NOT age == 3") == "age < 21 or !(age == 3)")
        #expect(text("weight >= 60 AND weight <= 1.5") == "weight_kg >= 60 and weight_kg <= 1.5")
        #expect(text("weight IN {1, 2}").hasPrefix("weight_kg IN {"))
        #expect(text("age <= %@", Int.max) == "age <= \(Int.max)")
        #expect(text("name CONTAINS[c] %@", #"a"b"#) == #"name CONTAINS[c] B64"YSJi""#)
        #expect(text("name == %@", "Müller") == #"name == B64"TcO8bGxlcg==""#)
        #expect(text("name == %@", "{a} ~`") == #"name == "{a} ~`""#)
        #expect(text("(age == 1 OR age == 2) AND TRUEPREDICATE") == "(age == 1 or age == 2) and TRUEPREDICATE")
    }

    @Test func aWriteNeedsASubscriptionOfItsClass() async {
        await #expect(processExitsWith: .signal(SIGABRT), observing: .errorText) {
            let client = try await Client()
            let configuration = client.configuration
            try await MainActor.run {
                let realm = try Realm(configuration: configuration)
                try realm.write { realm.add(SubscribedPet(value: ["_id": 1, "name": "x", "age": 1])) }
            }
        }.expectText("Cannot write to class SubscribedPet when no flexible sync subscription has been created.")
    }

    @Test func aRealmOfAPartitionHasNoSubscriptions() async {
        await #expect(processExitsWith: .signal(SIGABRT), observing: .errorText) {
            let realm = try Realm(configuration: Realm.Configuration(inMemoryIdentifier: "x", objectTypes: []))
            _ = realm.subscriptions
        }.expectText("This Realm was not configured with flexible sync")
    }

    /// They would wait for the write lock of the update.
    @Test func anUpdateContainsNoOtherUpdate() async {
        await #expect(processExitsWith: .signal(SIGABRT), observing: .errorText) {
            try await SyncSubscriptionSetTests.duringUpdate { $0.subscriptions.update {} }
        }.expectText("Cannot initiate a write transaction on subscription set that is already being updated.")
    }

    @Test func anUpdateContainsNoWrite() async {
        await #expect(processExitsWith: .signal(SIGABRT), observing: .errorText) {
            try await SyncSubscriptionSetTests.duringUpdate { realm in try? realm.write {} }
        }.expectText("The Realm is already in a write transaction")
        await #expect(processExitsWith: .signal(SIGABRT), observing: .errorText) {
            try await SyncSubscriptionSetTests.duringUpdate { $0.beginWrite() }
        }.expectText("The Realm is already in a write transaction")
    }

    @MainActor private static func duringUpdate(_ body: (Realm) -> Void) async throws {
        let client = try await Client()
        let realm = try await Realm(configuration: client.configuration)
        realm.subscriptions.update({ body(realm) }, onComplete: nil)
    }

    @Test func subscriptionsChangeOnlyWithinAnUpdate() async {
        await #expect(processExitsWith: .signal(SIGABRT), observing: .errorText) {
            let client = try await Client()
            let configuration = client.configuration
            try await MainActor.run {
                let realm = try Realm(configuration: configuration)
                realm.subscriptions.append(QuerySubscription<SubscribedPet>())
            }
        }.expectText("Can only add, remove, or update subscriptions within a write subscription block.")
    }
}
