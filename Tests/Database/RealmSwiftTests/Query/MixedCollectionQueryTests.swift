// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift
import TestTraits
import Testing

private final class MixedBag: TestObject {
    @Persisted var id: Int
    @Persisted var any: AnyRealmValue
    @Persisted var next: MixedBag?
}

/// Comparisons of mixed values with lists and dictionaries in typed queries.
@Suite struct MixedCollectionQueryTests {
    private static func list(_ values: AnyRealmValue...) -> AnyRealmValue { .fromArray(values) }

    @Test(.behaviour("S05")) func wholeCollectionsAreCompared() throws {
        try withRealm([MixedBag.self]) { realm in
            try realm.write {
                let values: [AnyRealmValue] = [
                    .none, .int(1), Self.list(.int(1)), Self.list(.int(1), .string("a")), Self.list(),
                    .fromDictionary(["k": .int(1)]), .fromDictionary(["k": Self.list(.int(2))]), .fromDictionary([:]),
                ]
                for (id, value) in values.enumerated() {
                    realm.create(MixedBag.self, value: ["id": id, "any": value] as [String: Any])
                }
            }
            let all = realm.objects(MixedBag.self)
            func ids(_ condition: (Query<MixedBag>) -> Query<Bool>) -> [Int] { all.where(condition).map(\.id) }
            #expect(ids { $0.any == Self.list(.int(1)) } == [2])
            #expect(ids { $0.any == Self.list(.int(1), .string("a")) } == [3])
            #expect(ids { $0.any == Self.list() } == [4])
            #expect(ids { $0.any == .fromDictionary(["k": .int(1)]) } == [5])
            #expect(ids { $0.any == .fromDictionary(["k": Self.list(.double(2))]) } == [6])
            #expect(ids { $0.any == .fromDictionary([:]) } == [7])
            #expect(ids { $0.any != Self.list(.int(1)) } == [0, 1, 3, 4, 5, 6, 7])
            #expect(ids { $0.any.in([.int(1), Self.list(), .fromDictionary([:])]) } == [1, 4, 7])
            #expect(ids { $0.any == Self.list() && $0.id > 0 || $0.id == 0 } == [0, 4])
            #expect(ids { $0.next.any == Self.list() } == [])
        }
    }
}
