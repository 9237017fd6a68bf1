// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

/// Write transactions (behaviours B-229 to B-245). Separate suites test B-230, B-231, B-234, and B-236.
@Suite struct TransactionTests: TrapSuite {
    private final class Order: Sendable {
        private let steps = Locked<[String]>([])
        func add(_ step: String) { steps.withLock { $0.append(step) } }
        var all: [String] { steps.withLock { $0 } }
    }

    @Test(.behaviour("B-229")) func aWriteReturnsTheResultOfItsBlock() throws {
        try withRealm(ruleTypes) { realm in
            let five = try realm.write { 5 }
            let ball = try realm.write { realm.create(RuleBall.self) }
            #expect(five == 5 && ball.realm == realm)
        }
    }

    @Test(.behaviour("B-232", "B-237"), arguments: traps) func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    static let traps = [
        Trap("Can't cancel a non-existing write transaction") { inRealm(ruleTypes) { $0.cancelWrite() } },
        Trap("Can't perform transactions on read-only Realms.") {
            let folder = try RuleFolder()
            try folder.open()
            try folder.open(folder.configuration(readOnly: true)) { realm in try realm.write {} }
        },
        Trap("Read-only Realms do not change and cannot be refreshed.") {
            let folder = try RuleFolder()
            try folder.open()
            try folder.open(folder.configuration(readOnly: true)) { realm in realm.refresh() }
        },
    ]

    @Test(.behaviour("B-233")) func cancellingInsideAWrite() throws {
        try withRealm(ruleTypes) { realm in
            let result = try realm.write {
                realm.create(RuleBall.self)
                realm.cancelWrite()
                return 7
            }
            #expect(result == 7 && realm.isEmpty && !realm.isInWriteTransaction)
            try realm.write {
                realm.create(RuleBall.self)
                try realm.commitWrite()
            }
            #expect(realm.objects(RuleBall.self).count == 1 && !realm.isInWriteTransaction)
        }
    }

    @Test(.behaviour("B-235")) func aCancelledDeletion() throws {
        try withRealm(ruleTypes) { realm in
            let dog = try realm.write { realm.create(RuleDog.self, value: ["id": 1, "name": "Rex"]) }
            realm.beginWrite()
            realm.delete(dog)
            realm.cancelWrite()
            #expect(dog.isInvalidated)
            #expect(realm.object(ofType: RuleDog.self, forPrimaryKey: 1)?.name == "Rex")
            #expect(realm.objects(RuleDog.self).count == 1)
        }
    }

    @Test(.behaviour("B-239")) func writersWaitForEachOther() throws {
        let folder = try RuleFolder()
        try folder.open { realm in
            let (order, begun, done) = (Order(), DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
            Thread.detachNewThread {
                if let other = try? Realm(configuration: folder.configuration()) {
                    other.beginWrite()
                    begun.signal()
                    usleep(100_000)
                    order.add("second thread ends")
                    try? other.commitWrite()
                }
                done.signal()
            }
            begun.wait()
            realm.beginWrite()
            order.add("first thread begins")
            realm.cancelWrite()
            done.wait()
            #expect(order.all == ["second thread ends", "first thread begins"])
        }
    }

    @Test(.behaviour("B-240", "B-245")) func versions() throws {
        let folder = try RuleFolder()
        // A thread without a run loop doesn't advance automatically.
        try onThread {
            try folder.open { realm in
                let dog = try realm.write { realm.create(RuleDog.self, value: ["id": 1, "age": 1]) }
                for age in [2, 3] {
                    try onThread {
                        try folder.open { other in
                            let same = try #require(other.object(ofType: RuleDog.self, forPrimaryKey: 1))
                            try other.write { same.age = age }
                        }
                    }
                }
                #expect(dog.age == 1)
                realm.beginWrite()
                #expect(dog.age == 3)
                realm.cancelWrite()
                #expect(dog.age == 3)
            }
        }
    }

    @Test(.behaviour("B-243")) func queriesInsideAWrite() throws {
        try withRealm(ruleTypes) { realm in
            let old = realm.objects(RuleDog.self).where { $0.age > 5 }
            #expect(old.isEmpty)
            realm.beginWrite()
            let dog = realm.create(RuleDog.self, value: ["id": 1, "age": 6])
            #expect(old.count == 1 && realm.object(ofType: RuleDog.self, forPrimaryKey: 1) == dog)
            dog.age = 2
            #expect(old.isEmpty)
            dog.age = 9
            realm.cancelWrite()
            #expect(old.isEmpty)
        }
    }

    @Test(.behaviour("B-244")) func aRealmThatIsReleasedInAWrite() async {
        await #expect(processExitsWith: .success, observing: .errorText) {
            let folder = try RuleFolder()
            // An open write retains the Realm until its thread ends (row S7).
            try onThread {
                try folder.open { realm in
                    realm.beginWrite()
                    realm.create(RuleBall.self)
                }
            }
            try folder.open { realm in try realm.write { precondition(realm.isEmpty) } }
        }.expectText(
            """
            WARNING: An RLMRealm instance was deallocated during a write transaction and all pending changes have been \
            rolled back.
            """)
    }

    @Test(.behaviour("B-244")) func aRealmThatIsInvalidatedInAWrite() async {
        await #expect(processExitsWith: .success, observing: .errorText) {
            let folder = try RuleFolder()
            try folder.open { realm in
                realm.beginWrite()
                realm.create(RuleBall.self)
                realm.invalidate()
                precondition(realm.isEmpty && !realm.isInWriteTransaction)
            }
        }.expectText(
            """
            WARNING: An RLMRealm instance was invalidated during a write transaction and all pending changes have been \
            rolled back.
            """)
    }

    private static func inMemory(_ name: String) -> Realm.Configuration {
        .init(inMemoryIdentifier: name, objectTypes: ruleTypes)
    }

    @Test(.behaviour("S07")) func anOpenWriteKeepsItsRealm() throws {
        let configuration = Self.inMemory("S07")
        try onThread {
            try Realm(configuration: configuration).beginWrite()
            let item = try Realm(configuration: configuration).create(RuleBall.self, value: ["size": 4])
            try Realm(configuration: configuration).commitWrite()
            #expect(item.size == 4)
        }
    }

    @MainActor @Test(.behaviour("S07")) func anOpenWriteKeepsItsRealmOnTheMainThread() throws {
        let configuration = Self.inMemory("S07-main")
        try Realm(configuration: configuration).beginWrite()
        let item = try Realm(configuration: configuration).create(RuleBall.self, value: ["size": 4])
        try Realm(configuration: configuration).commitWrite()
        #expect(item.size == 4)
    }

    @Test(.behaviour("S07")) func theEndOfTheThreadEndsTheWrite() throws {
        let configuration = Self.inMemory("S07-end")
        let realm = try Realm(configuration: configuration)
        try onThread {
            let realm = try Realm(configuration: configuration)
            realm.beginWrite()
            realm.create(RuleBall.self)
        }
        try realm.write { #expect(realm.isEmpty) }
    }
}
