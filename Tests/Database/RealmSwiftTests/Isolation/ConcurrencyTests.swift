// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import Foundation
import RealmRuntime
import RealmTestSupport
import Testing

@testable import RealmSwift

/// Access by many threads. Run this under Thread Sanitizer as well.
@Suite struct ConcurrencyTests {
    @Test func frozenThingsAreReadByAllThreadsAtOnce() throws {
        let file = try LiveFile()
        let realm = try file.realm()
        let dog = try makeDog(realm)
        try realm.write { for id in 10..<600 { realm.create(LiveDog.self, value: ["id": id, "age": id % 7]) } }
        let expected = account(dog)
        for _ in 0..<5 {
            let frozen = Frozen(dog)
            let dogs = Frozen(realm.objects(LiveDog.self))
            let old = Frozen(realm.objects(LiveDog.self).where { $0.age > 4 }.sorted(byKeyPath: "age"))
            let list = Frozen(dog.friends)
            let results = Locked<[String]>([])
            DispatchQueue.concurrentPerform(iterations: 8) { _ in
                var text = account(frozen.value)
                text += "|\(dogs.count) \(old.count) \(dogs.value[100].id) \(old.value[3].age)"
                text += "|\(list.value[0].name) \(list.value.sorted(byKeyPath: "id").first?.id ?? 0)"
                text += "|\(dogs.value.reduce(0) { $0 + $1.age }) \(old.value.map(\.age).reduce(0, +))"
                results.withLock { $0.append(text) }
            }
            let texts = results.withLock { $0 }
            #expect(texts.count == 8 && Set(texts).count == 1)
            #expect(texts[0].hasPrefix(expected))
            try realm.write { realm.create(LiveDog.self, value: ["id": Int.random(in: 10_000..<1_000_000)]) }
        }
    }

    @Test func everythingAtOnce() async throws {
        let file = try LiveFile()
        let frozen = try onThread {
            let realm = try file.realm()
            _ = try makeDog(realm)
            return Locked(Frozen(realm.objects(LiveDog.self)))
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for writer in 0..<2 {
                group.addTask {
                    try await later {
                        let realm = try file.realm()
                        for round in 0..<40 {
                            try realm.write {
                                let id = 100 + writer * 1000 + round
                                let dog = realm.create(LiveDog.self, value: ["id": id, "age": round])
                                dog.friends.append(dog)
                                realm.delete(realm.objects(LiveDog.self).where { $0.id == id - 5 })
                            }
                            let dogs = Frozen(realm.objects(LiveDog.self))
                            frozen.withLock { $0 = dogs }
                        }
                    }
                }
            }
            for _ in 0..<3 {
                group.addTask {
                    try await later {
                        for _ in 0..<100 {
                            let dogs = frozen.withLock { $0 }
                            let ids = Set(dogs.value.map(\.id))
                            #expect(ids.count == dogs.count && ids.contains(1))
                            for dog in dogs.value.where({ $0.id >= 100 }) {
                                #expect(dog.friends.first == dog && dog.befriendedBy.count == 1)
                            }
                        }
                    }
                }
            }
            group.addTask { try await Self.keepCount(file) }
            group.addTask {
                let clerk = Clerk()
                try await clerk.open(file.configuration)
                for name in 0..<20 { try await clerk.write("\(name)") }
            }
            try await group.waitForAll()
        }
        try file.audit()
    }

    @MainActor private static func keepCount(_ file: LiveFile) async throws {
        let realm = try await Realm(configuration: file.configuration)
        for age in 0..<30 {
            try await realm.asyncWrite {
                realm.object(ofType: LiveDog.self, forPrimaryKey: 1)?.age = age
            }
            realm.writeAsync { realm.object(ofType: LiveDog.self, forPrimaryKey: 1)?.age += 1 }
            let reference = ThreadSafeReference(to: realm.objects(LiveDog.self))
            try await later {
                let dogs = try file.realm().resolve(reference)
                #expect(dogs?.isEmpty == false)
            }
        }
        #expect(await eventually { !realm.isPerformingAsynchronousWriteOperations })
    }
}
