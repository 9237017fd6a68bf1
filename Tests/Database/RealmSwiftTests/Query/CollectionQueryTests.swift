// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import TestTraits
import Testing

@testable import RealmSwift

/// Typed queries on sets, maps and mixed values.
@Suite struct CollectionQueryTests {
    private func withHolders(_ body: (Results<Holder>) throws -> Void) throws {
        try withRealm(Holder.types) { realm in
            try realm.write {
                for id in 0..<4 {
                    let holder = realm.create(Holder.self, value: ["id": id, "any": id])
                    holder.ints.insert(objectsIn: 0..<id)
                    holder.strings.insert(id == 2 ? nil : "s\(id)")
                    for key in 0..<id { holder.intMap["k\(key)"] = key * 10 }
                    holder.stringMap["name"] = "holder \(id)"
                    holder.animals.insert(Animal("animal \(id)", id))
                    holder.animalMap["a"] = Animal("mapped \(id)", id)
                    holder.sizes.insert(id < 2 ? .small : .large)
                    holder.anySet.insert(.int(id))
                    holder.anys.append(.string("x\(id)"))
                }
            }
            try body(realm.objects(Holder.self))
        }
    }

    private func ids(_ holders: Results<Holder>) -> [Int] { holders.map(\.id).sorted() }

    @Test(.behaviour("B-469")) func sets() throws {
        try withHolders { holders in
            #expect(ids(holders.where { $0.ints.contains(1) }) == [2, 3])
            #expect(ids(holders.where { $0.ints == 2 }) == [3])
            #expect(ids(holders.where { $0.ints.containsAny(in: [0, 9]) }) == [1, 2, 3])
            #expect(ids(holders.where { $0.ints.count == 2 }) == [2])
            #expect(ids(holders.where { $0.ints.max > 1 }) == [3])
            #expect(ids(holders.where { $0.strings.contains(nil) }) == [2])
            #expect(ids(holders.where { $0.animals.age >= 2 }) == [2, 3])
            #expect(ids(holders.where { $0.sizes.contains(.large) }) == [2, 3])
            #expect(ids(holders.where { $0.anySet.contains(.int(3)) }) == [3])
            #expect(ids(holders.filter("ANY ints == 1 AND animals.@count == 1")) == [2, 3])
        }
    }

    @Test(.behaviour("B-412")) func maps() throws {
        try withHolders { holders in
            #expect(ids(holders.where { $0.intMap.keys == "k1" }) == [2, 3])
            #expect(ids(holders.where { $0.intMap.keys.starts(with: "k2") }) == [3])
            #expect(ids(holders.where { $0.intMap.values == 20 }) == [3])
            #expect(ids(holders.where { $0.intMap.contains(10) }) == [2, 3])
            #expect(ids(holders.where { $0.intMap.containsAny(in: [20, 99]) }) == [3])
            #expect(ids(holders.where { $0.intMap.count > 1 }) == [2, 3])
            #expect(ids(holders.where { $0.intMap.sum == 30 }) == [3])
            #expect(ids(holders.where { $0.intMap.contains(0...10) }) == [1, 2])
            #expect(ids(holders.where { $0.stringMap.values == "holder 1" }) == [1])
            #expect(ids(holders.filter("ANY animalMap.age > 1")) == [2, 3])
        }
    }

    @Test(.behaviour("B-412")) func serialisation() {
        func text(_ query: (Query<Holder>) -> Query<Bool>) -> String { query(Query())._constructPredicate().0 }
        #expect(text { $0.intMap.keys == "k" } == "(ANY intMap.@allKeys == %@)")
        #expect(text { $0.intMap.values == 1 } == "(ANY intMap.@allValues == %@)")
        #expect(text { $0.intMap.contains(1) } == "(%@ IN intMap)")
        #expect(text { $0.ints.contains(3) } == "(%@ IN ints)")
        #expect(text { $0.ints.containsAny(in: [1, 2]) } == "(ANY ints IN %@)")
        #expect(text { $0.any == .int(3) } == "(any == %@)")
    }

    @Test(.behaviour("B-462")) func mixed() throws {
        try withHolders { holders in
            #expect(ids(holders.where { $0.any == .int(2) }) == [2])
            #expect(ids(holders.where { $0.any != .int(2) }) == [0, 1, 3])
            #expect(ids(holders.where { $0.any >= .double(1.5) }) == [2, 3])
            #expect(ids(holders.where { $0.any.in([.int(0), .double(3)]) }) == [0, 3])
            #expect(ids(holders.where { $0.anys.contains(.string("x1")) }) == [1])
        }
    }
}
