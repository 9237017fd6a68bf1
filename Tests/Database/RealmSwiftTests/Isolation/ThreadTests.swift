// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import Foundation
import RealmStorage
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

@Suite struct ThreadTests: TrapSuite {
    // MARK: Freshness

    @Test(.behaviour("B-276")) @MainActor func theMainRealmFollowsOtherThreads() async throws {
        let file = try LiveFile()
        let realm = try await Realm(configuration: file.configuration)
        let dog = try makeDog(realm)
        try await later { try file.set(name: "Max") }
        #expect(await eventually { dog.name == "Max" })
        realm.autorefresh = false
        #expect(!realm.autorefresh)
        try await later { try file.set(name: "Bello") }
        try await Task.sleep(for: .milliseconds(50))
        #expect(dog.name == "Max")
        realm.autorefresh = true
        #expect(dog.name == "Bello")
    }

    @Test(.behaviour("B-277")) func withoutAutorefreshOnlyRefreshMoves() throws {
        let file = try LiveFile()
        let queue = DispatchQueue(label: "test")
        let held = try queue.sync {
            let realm = try Realm(configuration: file.configuration, queue: queue)
            realm.autorefresh = false
            return UncheckedBox((realm, try makeDog(realm)))
        }
        try file.set(name: "Max")
        queue.sync {}
        queue.sync {
            #expect(held.value.1.name == "Rex")
            #expect(held.value.0.refresh() && !held.value.0.refresh())
            #expect(held.value.1.name == "Max")
        }
    }

    @Test func aRealmOfAQueueFollowsOtherThreads() async throws {
        let file = try LiveFile()
        let queue = DispatchQueue(label: "test")
        let held = try queue.sync {
            let realm = try Realm(configuration: file.configuration, queue: queue)
            return UncheckedBox((realm, try makeDog(realm)))
        }
        try file.set(name: "Max")
        #expect(await eventually { queue.sync { held.value.1.name == "Max" } })
    }

    /// Another opening of the file simulates another process.
    @Test @MainActor func theMainRealmFollowsOtherProcesses() async throws {
        let file = try LiveFile()
        let realm = try await Realm(configuration: file.configuration)
        let dog = try makeDog(realm)
        try await Task.sleep(for: .milliseconds(50))
        let path = try #require(file.configuration.fileURL?.path)
        try await later {
            let other = try Database.open(path)
            try other.write { transaction in
                let table = try #require(try transaction.table(named: "class_LiveDog"))
                let column = try #require(table.column(named: "name")?.key)
                let object = try #require(try table.object(primaryKey: .int(1)))
                try transaction.set(.string("Foreign"), column, of: object, in: table.key)
            }
        }
        #expect(await eventually { dog.name == "Foreign" })
    }

    @Test(.behaviour("B-278")) func refreshWithinAWriteIsFalse() throws {
        try withRealm(liveTypes) { realm in
            try realm.write { #expect(!realm.refresh()) }
        }
    }

    @Test(.behaviour("B-279")) func objectsFetchedBeforeInvalidateAreInvalid() throws {
        try withRealm(liveTypes) { realm in
            let dog = try makeDog(realm)
            let (dogs, list, inverse) = (realm.objects(LiveDog.self), dog.friends, dog.befriendedBy)
            let sorted = dogs.sorted(byKeyPath: "id")
            #expect(dogs.count == 2 && sorted.count == 2 && dog.name == "Rex")
            realm.invalidate()
            #expect(try realm.pins().allSatisfy { $0.label != "Realm" })
            #expect(dog.isInvalidated && dogs.isInvalidated && list.isInvalidated && inverse.isInvalidated)
            #expect(dog.name == "" && dog.age == 0 && dogs.count == 0 && list.count == 0 && inverse.count == 0)
            #expect(sorted.isEmpty && sorted.first == nil && Array(dogs).isEmpty && sorted.isInvalidated)
            #expect(realm.objects(LiveDog.self).count == 2)
            #expect(dog.isInvalidated && dogs.isEmpty)
            let again = try #require(realm.object(ofType: LiveDog.self, forPrimaryKey: 1))
            #expect(again.name == "Rex" && again != dog)
            try realm.write { again.age = 4 }
            #expect(again.age == 4)
        }
    }

    @Test func invalidateWithinAWriteCancelsIt() throws {
        try withRealm(liveTypes) { realm in
            _ = try makeDog(realm)
            realm.beginWrite()
            realm.deleteAll()
            realm.invalidate()
            #expect(!realm.isInWriteTransaction && realm.objects(LiveDog.self).count == 2)
        }
    }

    // MARK: Confinement

    @Test(.behaviour("B-291", "B-292", "B-294", "B-295", "B-300", "S24"), arguments: traps)
    func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    static let traps = [
        Trap("Realm accessed from incorrect thread.") {
            inRealm(liveTypes) { realm in
                let dog = UncheckedBox(try makeDog(realm))
                print(dog.value.age)
                try onThread { print(dog.value.age) }
            }
        },
        Trap("Realm opened from incorrect dispatch queue.") {
            let file = try LiveFile()
            _ = try Realm(configuration: file.configuration, queue: DispatchQueue(label: "test"))
        },
        // `sync` runs its block on the caller's thread, so it alone proves nothing.
        Trap("Realm accessed from incorrect thread.") {
            let file = try LiveFile()
            let queue = DispatchQueue(label: "test")
            let dog = try queue.sync {
                UncheckedBox(try makeDog(try Realm(configuration: file.configuration, queue: queue)))
            }
            queue.sync { print(dog.value.age) }
            print(dog.value.age)
        },
        Trap("Can only resolve a thread safe reference once.") {
            inRealm(liveTypes) { realm in
                let reference = ThreadSafeReference(to: try makeDog(realm))
                _ = realm.resolve(reference)
                _ = realm.resolve(reference)
            }
        },
        Trap("Cannot construct reference to unmanaged object, which can be passed across threads directly") {
            _ = ThreadSafeReference(to: LiveDog())
        },
        Trap("Cannot construct reference to invalidated object") {
            inRealm(liveTypes) { realm in
                let dog = try makeDog(realm)
                try realm.write { realm.delete(dog) }
                _ = ThreadSafeReference(to: dog)
            }
        },
        Trap("Only managed objects may be wrapped as thread safe.") { _ = ThreadSafe(wrappedValue: LiveDog()) },
        Trap("Realm accessed from incorrect thread. The Realm at in-memory Realm 'S24' belongs to") {
            let realm = try Realm(configuration: .init(inMemoryIdentifier: "S24", objectTypes: liveTypes))
            nonisolated(unsafe) let all = realm.objects(LiveDog.self)
            try onThread { _ = all.count }
        },
    ]

    @Test func aQueueHasOneInstance() throws {
        let file = try LiveFile()
        let (first, second) = (DispatchQueue(label: "first"), DispatchQueue(label: "second", target: nil))
        let held = try first.sync { UncheckedBox(try Realm(configuration: file.configuration, queue: first)) }
        try first.sync {
            let again = try Realm(configuration: file.configuration, queue: first)
            #expect(again == held.value)
            let other = try file.realm()
            #expect(other != held.value)
        }
        try second.sync {
            let realm = try Realm(configuration: file.configuration, queue: second)
            #expect(realm != held.value)
        }
        let inner = DispatchQueue(label: "inner", target: first)
        inner.sync { #expect(held.value.isEmpty) }
    }

    // MARK: Handover

    @Test(.behaviour("B-293", "B-296")) func referencesFindTheRow() throws {
        let file = try LiveFile()
        let realm = try file.realm()
        let dog = try makeDog(realm)
        let reference = ThreadSafeReference(to: dog)
        #expect(!reference.isInvalidated)
        #expect(try file.elsewhere { $0.resolve(reference)?.name } == "Rex")
        #expect(reference.isInvalidated)
        let home = ThreadSafeReference(to: try #require(dog.home))
        let doomed = ThreadSafeReference(to: dog)
        #expect(try file.elsewhere { $0.resolve(home)?.city } == "Oslo")
        try realm.write { realm.delete(dog) }
        // In a Realm at the newer version. Any other one begins with the version of the reference (row T1).
        #expect(try file.elsewhere { $0.objects(LiveDog.self).count == 1 && $0.resolve(doomed) == nil })
    }

    @Test(.behaviour("B-297")) func collectionsAreHandedOver() throws {
        let file = try LiveFile()
        let realm = try file.realm()
        let dog = try makeDog(realm)
        let list = ThreadSafeReference(to: dog.friends)
        let set = ThreadSafeReference(to: dog.tricks)
        let map = ThreadSafeReference(to: dog.notes)
        let results = ThreadSafeReference(to: realm.objects(LiveDog.self).where { $0.age > 3 })
        let inverse = ThreadSafeReference(to: dog.befriendedBy)
        let listQuery = ThreadSafeReference(to: dog.friends.sorted(byKeyPath: "age", ascending: false))
        try file.elsewhere { realm in
            #expect(realm.resolve(list)?.map(\.id) == [2, 1])
            #expect(realm.resolve(set)?.contains("roll") == true)
            #expect(realm.resolve(map)?["a"] == 1)
            #expect(realm.resolve(results)?.map(\.id) == [2])
            #expect(realm.resolve(inverse)?.map(\.id) == [1])
            let sorted = try #require(realm.resolve(listQuery))
            #expect(sorted.map(\.id) == [2, 1] && sorted.realm == realm && !sorted.isFrozen)
            try realm.write { sorted[0].age = 0 }
            #expect(sorted.map(\.id) == [1, 2])
        }
    }

    @Test(.behaviour("B-298")) func resolvingCatchesUp() throws {
        let file = try LiveFile()
        let realm = try file.realm()
        _ = try makeDog(realm)
        realm.refresh()
        let reference = try file.elsewhere { other in
            let dog = try other.write { other.create(LiveDog.self, value: ["id": 7, "name": "new"]) }
            return ThreadSafeReference(to: dog)
        }
        #expect(realm.object(ofType: LiveDog.self, forPrimaryKey: 7) == nil)
        #expect(realm.resolve(reference)?.name == "new")
    }

    @Test func aReferenceMadeInAWriteResolvesAfterIt() throws {
        let file = try LiveFile()
        let realm = try file.realm()
        let reference = try realm.write {
            ThreadSafeReference(to: realm.create(LiveDog.self, value: ["id": 7, "name": "new"]))
        }
        #expect(try file.elsewhere { $0.resolve(reference)?.name } == "new")
    }

    @Test(.behaviour("B-299", "B-301")) func threadSafeVariablesAreReadAnywhere() throws {
        let file = try LiveFile()
        let realm = try file.realm()
        let dog = try makeDog(realm)
        let variable = ThreadSafe(wrappedValue: dog)
        #expect(variable.wrappedValue == dog)
        for _ in 0..<2 { #expect(try onThread { variable.wrappedValue?.name } == "Rex") }
        @ThreadSafe var results: Results<LiveDog>? = realm.objects(LiveDog.self)
        #expect(results?.count == 2)
        results = nil
        #expect(results == nil)
        try realm.write { realm.delete(dog) }
        #expect(try onThread { variable.wrappedValue == nil })
        #expect(variable.wrappedValue == nil)
    }

    /// Compiles in Swift 6 mode. That `Object` and `Results` aren't `Sendable` can't be tested.
    @Test(.behaviour("B-315")) func sendableTypesCrossActors() async throws {
        let file = try LiveFile()
        let (dog, dogs, realm, reference) = try autoreleasing {
            let realm = try file.realm()
            let dog = try makeDog(realm)
            return (Frozen(dog), Frozen(realm.objects(LiveDog.self)), Frozen(realm), ThreadSafeReference(to: dog))
        }
        let configuration = file.configuration
        let texts = await withTaskGroup(of: String.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    let inRealm = realm.value.objects(LiveDog.self).count
                    return "\(dog.name) \(dogs.count) \(inRealm) " + account(dog.value)
                }
            }
            return await group.reduce(into: Set<String>()) { $0.insert($1) }
        }
        #expect(texts.count == 1 && texts.first?.hasPrefix("Rex 2 2 1 Rex 3|R,Rexy|Max,Rex") == true)
        let name = try await Task.detached { () -> String? in
            let realm = try Realm(configuration: configuration, queue: nil)
            return realm.resolve(reference)?.name
        }.value
        #expect(name == "Rex")
    }

    private func autoreleasing<Result>(_ body: () throws -> Result) rethrows -> Result { try body() }
}
