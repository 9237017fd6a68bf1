// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import Foundation
import RealmStorage
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

actor Clerk {
    private var realm: Realm?
    private var dog: LiveDog?

    func open(_ configuration: Realm.Configuration) async throws {
        realm = try await Realm(configuration: configuration, actor: self)
    }

    func openStatically(_ configuration: Realm.Configuration) async throws {
        realm = try await Realm.open(configuration: configuration)
    }

    func adopt() throws {
        dog = try realm.map(makeDog)
    }

    func write(_ name: String) async throws {
        try await realm?.asyncWrite { self.rename(name) }
    }

    private func rename(_ name: String) { dog?.name = name }

    var dogName: String? { dog?.name }

    func smuggle() -> UncheckedBox<LiveDog?> { UncheckedBox(dog) }

    func instance() -> UncheckedBox<Realm?> { UncheckedBox(realm) }

    func isShared(_ configuration: Realm.Configuration) async throws -> Bool {
        try await Realm(configuration: configuration, actor: self) == realm
    }

    func writeToThreadConfined(_ configuration: Realm.Configuration) async throws {
        let realm = try Realm(configuration: configuration, queue: nil)
        try await realm.asyncWrite {}
    }

    func refreshThreadConfined(_ configuration: Realm.Configuration) async throws {
        let realm = try Realm(configuration: configuration, queue: nil)
        await realm.asyncRefresh()
    }
}

private actor OpeningActor {
    private var realm: Realm!

    init(_ configuration: Realm.Configuration) async throws {
        realm = try await Realm.open(configuration: configuration)
    }

    func names(_ frozen: LiveDog, _ reference: ThreadSafeReference<LiveDog>) async throws -> [String] {
        let found = [realm.object(ofType: LiveDog.self, forPrimaryKey: frozen.id), realm.resolve(reference)]
        try await realm.asyncWrite { for item in found { item?.name += "!" } }
        return found.compactMap { $0 }.filter { $0.realm == realm && !$0.isFrozen }.map(\.name)
    }

    func count() async throws -> Int {
        try await realm.asyncWrite { realm.create(LiveDog.self, value: ["id": 1]) }
        return realm.objects(LiveDog.self).count
    }
}

@Suite struct ActorTests {
    @Test(.behaviour("B-302", "B-313")) @MainActor func theMainActorsRealm() async throws {
        let file = try LiveFile()
        let realm = try await Realm(configuration: file.configuration)
        let dog = try makeDog(realm)
        #expect(dog.name == "Rex")
        for behaviour in [Realm.OpenBehavior.never, .always, .once] {
            #expect(try await Realm(configuration: file.configuration, downloadBeforeOpen: behaviour) == realm)
        }
        #expect(try await Realm(configuration: file.configuration, actor: MainActor.shared) == realm)
        #expect(try await Realm.open(configuration: file.configuration) == realm)
        #expect(try Realm(configuration: file.configuration, queue: .main) == realm)
        #expect(try file.realm() == realm)
        for _ in 0..<5 {
            await Task.yield()
            #expect(dog.name == "Rex" && account(dog).hasPrefix("1 Rex 3"))
        }
    }

    @Test(.behaviour("B-303")) func anActorsRealmIsConfinedToTheActor() async throws {
        let file = try LiveFile()
        let clerk = Clerk()
        try await clerk.open(file.configuration)
        try await clerk.adopt()
        for _ in 0..<5 {
            #expect(await clerk.dogName == "Rex")
            await Task.yield()
        }
        #expect(try await clerk.isShared(file.configuration))
        try await clerk.write("Max")
        #expect(await clerk.dogName == "Max")
        try await later { try file.set(name: "Bello") }
        #expect(await eventually(clerk, "Bello"))
    }

    private func eventually(_ clerk: Clerk, _ name: String) async -> Bool {
        for _ in 0..<240_000 {
            if await clerk.dogName == name { return true }
            try? await Task.sleep(for: .milliseconds(5))
        }
        return false
    }

    @Test(.behaviour("B-303")) func usingAnActorsRealmOutsideTheActorEndsTheProcess() async {
        // Swift's own precondition. Nothing else detects whether code runs on an actor.
        await #expect(processExitsWith: .failure, observing: .errorText) {
            let file = try LiveFile()
            let clerk = Clerk()
            try await clerk.open(file.configuration)
            try await clerk.adopt()
            let dog = await clerk.smuggle()
            print(dog.value?.age ?? 0)
        }.expectText("Incorrect actor executor assumption")
    }

    @Test(.behaviour("B-304")) func openTakesTheCallersActor() async throws {
        let file = try LiveFile()
        let clerk = Clerk()
        try await clerk.openStatically(file.configuration)
        try await clerk.adopt()
        #expect(try await clerk.isShared(file.configuration))
        #expect(await clerk.dogName == "Rex")
    }

    @Test func anActorsRealmDoesNotKeepTheActor() async throws {
        let file = try LiveFile()
        weak var gone: Clerk?
        do {
            let clerk = Clerk()
            gone = clerk
            try await clerk.open(file.configuration)
            try await clerk.adopt()
        }
        for _ in 0..<240_000 where gone != nil { try await Task.sleep(for: .milliseconds(5)) }
        #expect(gone == nil)
    }

    @Test func openingFailsWithTheErrorAndOnCancelling() async throws {
        var configuration = try LiveFile().configuration
        configuration.readOnly = true
        configuration.fileURL = URL(fileURLWithPath: "/nowhere/at/all.realm")
        let missing = configuration
        await #expect(throws: Realm.Error.self) { try await Clerk().open(missing) }
        let file = try LiveFile()
        let task = Task {
            withUnsafeCurrentTask { $0?.cancel() }
            try await Clerk().open(file.configuration)
        }
        await #expect(throws: CancellationError.self) { try await task.value }
    }

    /// `thaw()` can't determine the actor. The actor's own Realm fetches the object, by key or reference.
    @Test(.behaviour("R76")) func anActorGetsAFrozenObjectFromItsOwnRealm() async throws {
        let file = try LiveFile()
        let configuration = file.configuration
        nonisolated(unsafe) let frozen = try frozenDog(configuration)
        let names = try await OpeningActor(configuration).names(frozen, ThreadSafeReference(to: frozen))
        #expect(names == ["seven!!", "seven!!"])
    }

    private func frozenDog(_ configuration: Realm.Configuration) throws -> LiveDog {
        let realm = try Realm(configuration: configuration)
        return try realm.write { realm.create(LiveDog.self, value: ["id": 7, "name": "seven"]) }.freeze()
    }

    @Test(.behaviour("R107")) func anActorOpensItsRealmInItsInitialiser() async throws {
        let count = try await OpeningActor(.init(inMemoryIdentifier: "R107", objectTypes: liveTypes)).count()
        #expect(count == 1)
    }
}
