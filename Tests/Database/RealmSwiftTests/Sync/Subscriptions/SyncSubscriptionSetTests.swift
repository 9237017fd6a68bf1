// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmStorage
import RealmSyncCore
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

final class SubscribedPet: Object {
    @Persisted(primaryKey: true) var _id: Int
    @Persisted var name: String
    @Persisted var age: Int
    @Persisted var weight: Double
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
    override class func propertiesMapping() -> [String: String] { ["weight": "weight_kg"] }
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

/// Realms with subscriptions, whose server is scripted.
@Suite struct SyncSubscriptionSetTests {
    private final class Client: @unchecked Sendable {
        let test: TestApp
        let user: User
        let server: TestFlexibleServer
        private let connection: SyncConnection
        let errors = Locked<[SyncError]>([])

        init(_ answer: @escaping @Sendable (String) -> TestFlexibleServer.Answer) async throws {
            test = try TestApp()
            user = try await test.login()
            server = TestFlexibleServer(answer)
            connection = SyncConnection(user, server, .flexible)
            user.use(connection, .flexible)
            test.app.syncManager.errorHandler = { [errors] error, _ in
                if let error = error as? SyncError { errors.withLock { $0.append(error) } }
            }
        }

        var configuration: Realm.Configuration { with(user.flexibleSyncConfiguration()) }

        func with(_ configuration: Realm.Configuration) -> Realm.Configuration {
            var configuration = configuration
            configuration.objectTypes = [SubscribedPet.self, SubscribedEvent.self, SubscribedPlace.self]
            return configuration
        }
    }

    private static func pet(_ id: Int, age: Int) -> Changeset {
        let object = ObjectReference("SubscribedPet", .int(Int64(id)))
        return Changeset([
            .eraseObject(object), .createObject(object),
            .change(Place(object, "age"), .update(.int(Int64(age)), isDefault: false)),
        ])
    }

    private static let pets: @Sendable (String) -> TestFlexibleServer.Answer = { query in
        switch query {
        case "{}": .changes([Changeset([.eraseObject(ObjectReference("SubscribedPet", .int(1)))])])
        case let text where text.contains("bad"): .rejection("no such field: bad")
        case let text where text.contains("silence"): .silence
        default: .changes([pet(1, age: 10), pet(2, age: 20)])
        }
    }

    @MainActor private func eventually(_ holds: () throws -> Bool) async throws {
        let end = ContinuousClock.now + .seconds(300)
        while try !holds() {
            try require(ContinuousClock.now < end, "the condition didn't become true")
            try await Task.sleep(for: .milliseconds(5))
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

    @Test @MainActor func anUpdateDownloadsTheObjects() async throws {
        let client = try await Client(Self.pets)
        let realm = try await Realm(configuration: client.configuration)
        let subscriptions = realm.subscriptions
        #expect(subscriptions.count == 0 && subscriptions.first == nil)
        try await subscriptions.update {
            subscriptions.append(
                QuerySubscription<SubscribedPet>(name: "old") { $0.age >= 9 },
                QuerySubscription<SubscribedPet>(where: "name BEGINSWITH %@", "A"))
            subscriptions.append(QuerySubscription<SubscribedPet>(where: "name BEGINSWITH %@", "A"))
        }
        #expect(subscriptions.state == .complete)
        #expect(subscriptions.map(\.name) == ["old", nil])
        #expect(client.server.queries == [#"{"SubscribedPet":"(age > 8) OR (name BEGINSWITH \"A\")"}"#])
        realm.refresh()
        #expect(realm.objects(SubscribedPet.self).map(\.age) == [10, 20])
        let found = subscriptions.first(ofType: SubscribedPet.self) { $0.age >= 9 }
        #expect(found?.name == "old" && subscriptions.first(named: "old")?.name == "old")
        #expect(subscriptions[1]?.name == nil && subscriptions[2] == nil && subscriptions.last?.name == nil)
        let before = realm.subscriptions
        try await subscriptions.update {
            subscriptions.first(named: "old")?.updateQuery(toType: SubscribedPet.self) { $0.age < 3 }
            subscriptions.remove(ofType: SubscribedPet.self, where: "name BEGINSWITH 'A'")
        }
        #expect(client.server.queries.last == #"{"SubscribedPet":"(age < 3)"}"#)
        #expect(before.state == .superseded)
        try await subscriptions.update { subscriptions.removeAll() }
        #expect(client.server.queries.last == "{}")
        realm.refresh()
        #expect(realm.objects(SubscribedPet.self).map(\._id) == [2])
    }

    /// A write of this thread that has the lock, or a group of commits, must not block an update.
    @Test(arguments: [false, true]) @MainActor
    func anUpdateFollowsAsynchronousWrites(_ allowsGrouping: Bool) async throws {
        let client = try await Client(Self.pets)
        let realm = try await Realm(configuration: client.configuration)
        let subscriptions = realm.subscriptions
        try await subscriptions.update { subscriptions.append(QuerySubscription<SubscribedPet>(name: "all")) }
        func writeAndUpdate() {
            if allowsGrouping {
                realm.beginWrite()
                realm.create(SubscribedPet.self, value: ["_id": 50])
                realm.commitAsyncWrite(allowGrouping: true)
            } else {
                realm.writeAsync { realm.create(SubscribedPet.self, value: ["_id": 50]) }
            }
            subscriptions.update {
                subscriptions.append(QuerySubscription<SubscribedPet>(name: "young") { $0.age < 3 })
            }
        }
        writeAndUpdate()
        #expect(subscriptions.count == 2)
        try await eventually { realm.object(ofType: SubscribedPet.self, forPrimaryKey: 50) != nil }
    }

    /// Integers have the original's normal form, and properties the names of the file.
    @Test @MainActor func queriesHaveTheTextOfTheOriginal() async throws {
        let client = try await Client(Self.pets)
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
        #expect(text("name CONTAINS[c] %@", #"a"b"#) == #"name CONTAINS[c] 'a"b'"#)
        #expect(text("(age == 1 OR age == 2) AND TRUEPREDICATE") == "(age == 1 or age == 2) and TRUEPREDICATE")
    }

    @Test @MainActor func aRejectedSetHasTheReasonOfTheServer() async throws {
        let client = try await Client(Self.pets)
        let realm = try await Realm(configuration: client.configuration)
        let subscriptions = realm.subscriptions
        await #expect(throws: SyncError.self) {
            try await subscriptions.update {
                subscriptions.append(QuerySubscription<SubscribedPet>(where: "name == 'bad'"))
            }
        }
        guard case .error(let error) = subscriptions.state else {
            Issue.record("the state is \(subscriptions.state)")
            return
        }
        #expect((error as? SyncError)?.code == .invalidFlexibleSyncSubscriptions)
        #expect("\(error)" == "no such field: bad")
        let completed = Locked<[String]>([])
        subscriptions.update {
            subscriptions.removeAll(unnamedOnly: true)
        } onComplete: { error in
            completed.withLock { $0.append("\(error.map { "\($0)" } ?? "complete")") }
        }
        try await eventually { completed.withLock { $0 } == ["complete"] }
    }

    @Test @MainActor func resultsSubscribeAndUnsubscribe() async throws {
        let client = try await Client(Self.pets)
        let realm = try await Realm(configuration: client.configuration)
        let old = realm.objects(SubscribedPet.self).where { $0.age > 5 }
        let results = try await old.subscribe(name: "old")
        realm.refresh()
        #expect(results.count == 2)
        _ = try await old.subscribe(name: "old")
        #expect(client.server.queries.count == 1)
        _ = try await realm.objects(SubscribedPet.self).where { $0.age > 6 }.subscribe(name: "old")
        #expect(client.server.queries.last == #"{"SubscribedPet":"(age > 6)"}"#)
        #expect(realm.subscriptions.count == 1)
        realm.objects(SubscribedPet.self).where { $0.age > 6 }.unsubscribe()
        #expect(realm.subscriptions.count == 0)
        try await eventually { client.server.queries.last == "{}" }
    }

    @Test @MainActor func aTimeoutEndsTheWait() async throws {
        let client = try await Client(Self.pets)
        let realm = try await Realm(configuration: client.configuration)
        let results = realm.objects(SubscribedPet.self).where { $0.name == "silence" }
        do {
            _ = try await results.subscribe(timeout: 0.1)
            Issue.record("the wait ended without an error")
        } catch {
            #expect((error as NSError).code == Int(ETIMEDOUT))
            #expect(error.localizedDescription == "Waiting for update timed out after 0.1 seconds.")
        }
        #expect(realm.subscriptions.state == .pending)
    }

    @Test @MainActor func initialSubscriptionsPrecedeTheFirstDownload() async throws {
        let client = try await Client(Self.pets)
        let calls = Locked(0)
        func configuration(_ rerun: Bool) -> Realm.Configuration {
            client.with(
                client.user.flexibleSyncConfiguration(
                    initialSubscriptions: { set in
                        calls.withLock { $0 += 1 }
                        if set.first(named: "all") == nil { set.append(QuerySubscription<SubscribedPet>(name: "all")) }
                    }, rerunOnOpen: rerun))
        }
        do {
            let realm = try await Realm(configuration: configuration(false), downloadBeforeOpen: .always)
            #expect(realm.objects(SubscribedPet.self).count == 2)
            #expect(realm.subscriptions.state == .complete)
            #expect(client.server.queries == [#"{"SubscribedPet":"(TRUEPREDICATE)"}"#])
        }
        try await eventually { client.user.allSessions.isEmpty }
        _ = try await Realm(configuration: configuration(false), downloadBeforeOpen: .always)
        #expect(calls.withLock { $0 } == 1)
        try await eventually { client.user.allSessions.isEmpty }
        _ = try await Realm(configuration: configuration(true))
        #expect(calls.withLock { $0 } == 2)
    }

    @Test @MainActor func anAsynchronousOpeningWaitsForTheInitialSubscriptions() async throws {
        let client = try await Client(Self.pets)
        let configuration = client.with(
            client.user.flexibleSyncConfiguration(initialSubscriptions: { set in
                set.append(QuerySubscription<SubscribedPet>(name: "all"))
            }))
        let ages = try await withCheckedThrowingContinuation { continuation in
            let task = Realm.asyncOpen(configuration: configuration) { result in
                continuation.resume(
                    with: Result {
                        let realm = try result.get()
                        #expect(realm.subscriptions.state == .complete)
                        return Array(realm.objects(SubscribedPet.self).map(\.age))
                    })
            }
            task.addProgressNotification { _ in }
        }
        #expect(ages == [10, 20])
    }

    /// The set stays pending until the next login, and later waits fail as well.
    @Test @MainActor func aLogOutEndsTheWaitForASet() async throws {
        let client = try await Client(Self.pets)
        let realm = try await Realm(configuration: client.configuration)
        let subscriptions = realm.subscriptions
        let completed = Locked<[String]>([])
        subscriptions.update {
            subscriptions.append(QuerySubscription<SubscribedPet>(where: "name == 'silence'"))
        } onComplete: { error in
            completed.withLock { $0.append(error == nil ? "complete" : "failed") }
        }
        try await client.user.logOut()
        try await eventually { completed.withLock { $0 } == ["failed"] }
        await #expect(throws: SyncError(.clientUserError)) {
            try await subscriptions.update { subscriptions.append(QuerySubscription<SubscribedPet>(name: "all")) }
        }
        #expect(subscriptions.state == .pending)
    }

    /// A server accepts queries of 256 KiB.
    @Test @MainActor func theQueriesOfASetAreLimited() async throws {
        let client = try await Client(Self.pets)
        let realm = try await Realm(configuration: client.configuration)
        let subscriptions = realm.subscriptions
        try await subscriptions.update {
            subscriptions.append(
                QuerySubscription<SubscribedPet>(where: "name == %@", String(repeating: "x", count: 250_000)))
        }
        #expect(client.server.queries.last?.utf8.count ?? 0 > 250_000)
        do {
            try await subscriptions.update {
                subscriptions.append(
                    QuerySubscription<SubscribedPet>(where: "name == %@", String(repeating: "y", count: 20_000)))
            }
            Issue.record("the set has more than 256 KiB")
        } catch {
            #expect((error as? SyncError)?.code == .invalidFlexibleSyncSubscriptions)
            #expect("\(error)".contains("more than the 262144 that a server accepts"))
        }
        #expect(subscriptions.count == 1 && subscriptions.state == .complete)
        #expect(client.server.queries.count == 1)
    }

    @Test @MainActor func compensatingWritesAreReported() async throws {
        let client = try await Client(Self.pets)
        let realm = try await Realm(configuration: client.configuration)
        let subscriptions = realm.subscriptions
        try await subscriptions.update { subscriptions.append(QuerySubscription<SubscribedPet>()) }
        client.server.rejectNextUpload(of: ObjectReference("SubscribedPet", .int(70)), because: "outside of the view")
        try realm.write { realm.add(SubscribedPet(value: ["_id": 70, "name": "x", "age": 1])) }
        try await eventually { !client.errors.withLock { $0 }.isEmpty }
        let error = try #require(client.errors.withLock { $0.first })
        #expect(error.code == .writeRejected)
        let info = try #require(error.compensatingWriteInfo?.first)
        #expect(info.objectType == "SubscribedPet" && info.reason == "outside of the view")
        #expect(info.primaryKey == .int(70))
        realm.refresh()
        #expect(realm.object(ofType: SubscribedPet.self, forPrimaryKey: 70) == nil)
    }

    @Test @MainActor func asymmetricObjectsAreSentAndNotKept() async throws {
        let client = try await Client(Self.pets)
        let realm = try await Realm(configuration: client.configuration)
        try realm.write { realm.create(SubscribedEvent.self, value: [1, "start", ["Graz"]]) }
        let object = ObjectReference("SubscribedEvent", .int(1))
        let city = Instruction.change(
            Place(object, "place", .one(.key("city"))), .update(.string("Graz"), isDefault: false))
        try await eventually {
            client.server.uploads.contains {
                $0.instructions.contains(.createObject(object)) && $0.instructions.contains(city)
            }
        }
        for name in ["class_SubscribedEvent", "class_SubscribedPlace"] {
            let table = try #require(try realm.instance.coordinator.database.snapshot().table(named: name))
            #expect(try table.count() == 0, "\(name)")
        }
    }

    @Test func aWriteNeedsASubscriptionOfItsClass() async {
        await #expect(processExitsWith: .signal(SIGABRT), observing: .errorText) {
            let client = try await Client(Self.pets)
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
        let client = try await Client(pets)
        let realm = try await Realm(configuration: client.configuration)
        realm.subscriptions.update({ body(realm) }, onComplete: nil)
    }

    @Test func subscriptionsChangeOnlyWithinAnUpdate() async {
        await #expect(processExitsWith: .signal(SIGABRT), observing: .errorText) {
            let client = try await Client(Self.pets)
            let configuration = client.configuration
            try await MainActor.run {
                let realm = try Realm(configuration: configuration)
                realm.subscriptions.append(QuerySubscription<SubscribedPet>())
            }
        }.expectText("Can only add, remove, or update subscriptions within a write subscription block.")
    }
}
