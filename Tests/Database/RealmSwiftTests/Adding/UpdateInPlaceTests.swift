// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import TestTraits
import Testing

@testable import RealmSwift

private final class WholeItem: TestObject {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var one: WholePiece?
    @Persisted var many: List<WholePiece>
    @Persisted var named: Map<String, WholePiece?>
    @Persisted var numbers: List<Int>
    @Persisted var others: List<WholeItem>
    @Persisted var any: List<AnyRealmValue>
}

private final class WholePiece: TestEmbedded {
    @Persisted var v: Int
    @Persisted var w: Int
    @Persisted var inner: List<WholeCrumb>
}

private final class WholeCrumb: TestEmbedded {
    @Persisted var v: Int
}

/// `update: .modified` changes embedded objects in place.
@Suite struct UpdateInPlaceTests {
    private static let types: [ObjectBase.Type] = [WholeItem.self, WholePiece.self, WholeCrumb.self]

    private static var first: [String: Any] {
        [
            "id": 1, "one": ["v": 1, "w": 2], "many": [["v": 1, "w": 1], ["v": 2, "w": 2]],
            "named": ["a": ["v": 1, "w": 1], "b": ["v": 2, "w": 2]], "numbers": [1, 2, 3], "any": [1, "x"],
        ]
    }

    @Test(.behaviour("S09")) func addedObjectsChangeTheEmbeddedOnes() throws {
        try withRealm(Self.types) { realm in
            try realm.write {
                let whole = realm.create(WholeItem.self, value: Self.first)
                let (one, many, named) = (whole.one!, Array(whole.many), whole.named["a"]!!)
                let other = WholeItem(
                    value: [
                        "id": 1, "one": ["v": 5], "many": [["v": 6, "inner": [["v": 9]]]],
                        "named": ["a": ["v": 7], "c": ["v": 8]],
                        "numbers": [1, 4], "any": [1.5],
                    ] as [String: Any])
                realm.add(other, update: .modified)
                #expect(!one.isInvalidated && one.v == 5 && one.w == 0)
                #expect(!many[0].isInvalidated && many[0].v == 6 && many[0].inner.first?.v == 9)
                #expect(many[1].isInvalidated && whole.many.count == 1)
                #expect(!named.isInvalidated && named.v == 7 && Set(whole.named.keys) == ["a", "c"])
                #expect(Array(whole.numbers) == [1, 4] && Array(whole.any) == [.double(1.5)])
                #expect(other.isSameObject(as: whole))
            }
        }
    }

    @Test(.behaviour("S09", "R29")) func propertiesMissingFromADictionaryStayUnchanged() throws {
        try withRealm(Self.types) { realm in
            try realm.write {
                let whole = realm.create(WholeItem.self, value: Self.first)
                let (first, named) = (whole.many[0], whole.named["a"]!!)
                let values: [String: Any] = [
                    "id": 1, "one": ["v": 5], "many": [["v": 6], ["w": 7], ["v": 8]], "named": ["a": ["w": 9]],
                ]
                realm.create(WholeItem.self, value: values, update: .modified)
                #expect(whole.one?.v == 5 && whole.one?.w == 2)
                #expect(whole.many.map(\.v) == [6, 2, 8] && whole.many.map(\.w) == [1, 7, 0])
                #expect(!first.isInvalidated && !named.isInvalidated && named.v == 1 && named.w == 9)
                #expect(whole.named.count == 1 && Array(whole.numbers) == [1, 2, 3])
            }
        }
    }

    @Test(.behaviour("S09")) func objectsByDynamicNames() throws {
        try withRealm(Self.types) { realm in
            try realm.write {
                let whole = realm.create(WholeItem.self, value: Self.first)
                let first = whole.many[0]
                realm.dynamicCreate(
                    "WholeItem", value: ["id": 1, "many": [["v": 6]]] as [String: Any], update: .modified)
                #expect(!first.isInvalidated && first.v == 6 && first.w == 1 && whole.many.count == 1)
            }
        }
    }

    @Test(.behaviour("S09", "R27")) func equalDataAreNotAChange() throws {
        let queue = DispatchQueue(label: "test.S09")
        let log = ObservedLog()
        let configuration = Realm.Configuration(inMemoryIdentifier: "S09", objectTypes: Self.types)
        try queue.sync {
            let realm = try Realm(configuration: configuration, queue: queue)
            try realm.write { _ = realm.create(WholeItem.self, value: Self.first) }
            let tokens = [realm.objects(WholeItem.self).observe { log.add($0) }]
            try realm.write { _ = realm.create(WholeItem.self, value: Self.first, update: .modified) }
            try realm.write { realm.add(WholeItem(value: Self.first), update: .modified) }
            try realm.write { _ = realm.create(WholeItem.self, value: ["id": 2]) }
            try realm.write {}
            #expect(log.take() == ["initial 1", "2 -[] +[1] ~[]"])
            withExtendedLifetime(tokens) {}
        }
    }

    @Test(.behaviour("S09")) func linksInLists() throws {
        try withRealm(Self.types) { realm in
            try realm.write {
                let whole = realm.create(
                    WholeItem.self, value: ["id": 1, "others": [["id": 2], ["id": 3]]] as [String: Any])
                let values: [String: Any] = ["id": 1, "others": [["id": 2], ["id": 4], ["id": 3]]]
                realm.add(WholeItem(value: values), update: .modified)
                #expect(whole.others.map(\.id) == [2, 4, 3] && realm.objects(WholeItem.self).count == 4)
            }
        }
    }

    @Test(.behaviour("S20", "T18")) func anEmbeddedObjectIsAssignedToItsOwnPlace() throws {
        try withRealm(Self.types) { realm in
            try realm.write {
                let whole = realm.create(WholeItem.self, value: Self.first)
                let (one, first, named) = (whole.one!, whole.many[0], whole.named["a"]!)
                whole.one = one
                whole.many[0] = first
                whole.named["a"] = named
                #expect(!one.isInvalidated && !first.isInvalidated && named?.isInvalidated == false)
            }
        }
    }
}
