// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

private final class LifeItem: TestObject {
    @Persisted var number = 0
    @Persisted var map: Map<String, LifeItem?>
    @Persisted var items: List<LifeItem>
}

/// The version that a value handed over to another thread is resolved in.
@Suite struct ThreadSafeReferenceTests: TrapSuite {
    private static func configuration(_ name: String) -> Realm.Configuration {
        .init(inMemoryIdentifier: name, objectTypes: [LifeItem.self])
    }

    @Test(.behaviour("T01")) func aReferenceKeepsItsVersion() throws {
        let configuration = Self.configuration("S14")
        let realm = try Realm(configuration: configuration)
        let item = try realm.write { realm.create(LifeItem.self) }
        let reference = ThreadSafeReference(to: item)
        try onThread {
            let realm = try Realm(configuration: configuration)
            try realm.write { realm.deleteAll() }
        }
        try onThread {
            let realm = try Realm(configuration: configuration)
            let resolved = realm.resolve(reference)
            #expect(resolved?.number == 0 && reference.isInvalidated && realm.objects(LifeItem.self).count == 1)
            realm.refresh()
            #expect(resolved?.isInvalidated == true && realm.objects(LifeItem.self).isEmpty)
        }
    }

    @Test(.behaviour("T01")) func aRealmThatReadsAlreadyKeepsItsVersion() throws {
        let configuration = Self.configuration("T01")
        let realm = try Realm(configuration: configuration)
        let item = try realm.write { realm.create(LifeItem.self) }
        let references = (0..<4).map { _ in ThreadSafeReference(to: item) }
        try onThread {
            let realm = try Realm(configuration: configuration)
            try realm.write { realm.deleteAll() }
            // The Realm has advanced by its own write.
            #expect(realm.resolve(references[0]) == nil)
        }
        try onThread {
            let realm = try Realm(configuration: configuration)
            #expect(realm.objects(LifeItem.self).isEmpty && realm.resolve(references[1]) == nil)
            realm.invalidate()
            #expect(realm.resolve(references[2])?.isInvalidated == false)
            // Both share the version of the first one.
            #expect(realm.resolve(references[3])?.isInvalidated == false)
            try realm.write { #expect(realm.isEmpty) }
        }
    }

    @Test(.behaviour("T01")) func resolvedValuesShareOneVersion() throws {
        let configuration = Self.configuration("T01-values")
        let realm = try Realm(configuration: configuration)
        let item = try realm.write { realm.create(LifeItem.self, value: ["number": 1, "items": [["number": 2]]]) }
        let (single, list) = (ThreadSafeReference(to: item), ThreadSafeReference(to: item.items))
        let results = ThreadSafeReference(to: realm.objects(LifeItem.self).filter("number > 0"))
        try realm.write {
            item.number = -1
            item.items.removeAll()
        }
        try onThread {
            let realm = try Realm(configuration: configuration)
            let (single, list) = (realm.resolve(single), realm.resolve(list))
            let results = realm.resolve(results)
            #expect(single?.number == 1 && list?.count == 1 && results?.count == 2)
            realm.refresh()
            #expect(single?.number == -1 && list?.count == 0 && results?.count == 1)
        }
    }

    @Test(.behaviour("S14")) func aThreadSafeCollectionIsFresh() throws {
        let configuration = Self.configuration("S14-fresh")
        let realm = try Realm(configuration: configuration)
        let item = try realm.write { realm.create(LifeItem.self) }
        let map = ThreadSafe(wrappedValue: item.map)
        try onThread {
            let realm = try Realm(configuration: configuration)
            try realm.write { map.wrappedValue?["after"] = realm.create(LifeItem.self) }
        }
        #expect(map.wrappedValue?.count == 1)
    }

    @Test(.behaviour("S14")) func aReferenceMadeInAWrite() throws {
        let configuration = Self.configuration("S14-write")
        let realm = try Realm(configuration: configuration)
        for isCommitted in [true, false] {
            realm.beginWrite()
            let reference = ThreadSafeReference(to: realm.create(LifeItem.self, value: ["number": 4]))
            if isCommitted { try realm.commitWrite() } else { realm.cancelWrite() }
            try onThread {
                let realm = try Realm(configuration: configuration)
                #expect(realm.resolve(reference)?.number == (isCommitted ? 4 : nil))
            }
        }
    }

    @Test(.behaviour("S14", "T18"), arguments: traps) func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    static let traps = [
        Trap(
            """
            Cannot create a ThreadSafeReference to Results backed by a collection of objects inside the write \
            transaction which created the collection.
            """
        ) {
            let realm = try Realm(configuration: Self.configuration("S14-results"))
            realm.beginWrite()
            let results = realm.create(LifeItem.self).items.filter("number == 1")
            _ = ThreadSafeReference(to: results)
        },
        Trap("Cannot resolve thread safe reference in Realm with different configuration than the source Realm.") {
            let realm = try Realm(configuration: Self.configuration("S14-one"))
            let reference = ThreadSafeReference(to: try realm.write { realm.create(LifeItem.self) })
            _ = try Realm(configuration: Self.configuration("S14-other")).resolve(reference)
        },
    ]
}
