// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import TestTraits
import Testing

@testable import RealmSwift

/// Queries for values in mixed values and maps.
@Suite struct SubscriptQueryTests: TrapSuite {
    private func withHolders(_ body: (Realm, Results<Holder>) throws -> Void) throws {
        try withRealm(Holder.types) { realm in
            try realm.write {
                for id in 0..<4 {
                    let holder = realm.create(Holder.self, value: ["id": id])
                    holder.any =
                        [
                            .fromArray([.int(3), .string("x"), .fromArray([.int(id), .bool(true)])]),
                            .fromDictionary(["k": .fromArray([.int(3)]), "s": .string("Some text")]), .int(3),
                            .fromDictionary(["k": .string("x")]),
                        ][id]
                    holder.intMap["k"] = id
                    holder.stringMap["name"] = "Holder \(id)"
                    holder.boolMap["open"] = id == 2
                    holder.animalMap["leo"] = Animal("Leo", id)
                    holder.anyMap["n"] = .fromArray([.int(id)])
                    holder.sizeMap["s"] = id > 2 ? .large : .small
                    if id == 0 { holder.intMap["only"] = 1 }
                }
            }
            try body(realm, realm.objects(Holder.self).sorted(byKeyPath: "id"))
        }
    }

    private func ids(_ results: Results<Holder>) -> [Int] { results.map(\.id) }

    @Test(.behaviour("B-111")) func mixedValues() throws {
        try withHolders { _, holders in
            #expect(ids(holders.filter("any[0] == 3")) == [0])
            #expect(ids(holders.filter("any['k'] == 'x'")) == [3])
            #expect(ids(holders.where { $0.any["k"][0] == .int(3) }) == [1])
            #expect(ids(holders.where { $0.any.any == .int(3) }) == [0])
            #expect(ids(holders.where { $0.any.any.any == .int(3) }) == [1])
            #expect(ids(holders.where { $0.any[2][1] == .bool(true) }) == [0])
            #expect(ids(holders.filter("any[2][#any] == true")) == [0])
            #expect(ids(holders.filter("any[%@] == %@", "s", "Some text")) == [1])
            // A missing key of a dictionary is null. A value that isn't a dictionary has no keys.
            #expect(ids(holders.where { $0.any["n"] == .none }) == [1, 3])
            #expect(ids(holders.where { $0.any["k"] == .none }) == [])
            #expect(ids(holders.where { $0.any[9] != .none }) == [])
            #expect(ids(holders.where { $0.anyMap["n"][0] > .int(1) }) == [2, 3])
        }
    }

    @Test func maps() throws {
        try withHolders { _, holders in
            #expect(ids(holders.where { $0.intMap["k"] == 3 }) == [3])
            #expect(ids(holders.where { $0.intMap["k"] > 1 && $0.intMap["k"] < 3 }) == [2])
            #expect(ids(holders.where { $0.intMap["k"].contains(1...2) }) == [1, 2])
            #expect(ids(holders.where { $0.intMap["only"] == 1 }) == [0])
            #expect(ids(holders.filter("intMap['only'] == nil")) == [1, 2, 3])
            #expect(ids(holders.where { $0.stringMap["name"].ends(with: "2") }) == [2])
            #expect(ids(holders.where { $0.stringMap["name"].in(["Holder 1", "Holder 3"]) }) == [1, 3])
            #expect(ids(holders.where { $0.boolMap["open"] == true }) == [2])
            #expect(ids(holders.where { $0.sizeMap["s"] == .large }) == [3])
            let leo = holders[1].animalMap["leo"] ?? nil
            #expect(ids(holders.where { $0.animalMap["leo"] == leo }) == [1])
            #expect(ids(holders.where { !($0.intMap["k"] == 3) }) == [0, 1, 2])
        }
    }

    @Test func sorting() throws {
        try withHolders { realm, holders in
            #expect(holders.sorted(byKeyPath: "intMap['k']", ascending: false).map(\.id) == [3, 2, 1, 0])
            #expect(holders.sorted(byKeyPath: "anyMap['n'][0]", ascending: false).map(\.id) == [3, 2, 1, 0])
            #expect(holders.sorted(byKeyPath: "intMap['only']").map(\.id) == [1, 2, 3, 0])
            #expect(holders.distinct(by: ["any['k']"]).map(\.id) == [0, 1, 3])
        }
    }

    @Test func texts() {
        func text(_ query: (Query<Holder>) -> Query<Bool>) -> (String, String) {
            let (format, arguments) = query(Query<Holder>._constructForTesting())._constructPredicate()
            return (format, arguments.map { "\($0)" }.joined(separator: " "))
        }
        #expect(text { $0.intMap["k"] == 3 } == ("(intMap[%@] == %@)", "k 3"))
        #expect(text { $0.any["k"][0] == .int(3) } == ("(any[%@][%@] == %@)", "k 0 3"))
        #expect(text { $0.any.any == .int(3) } == ("(any[%K] == %@)", "#any 3"))
        #expect(text { $0.boolMap["open"] == true } == ("(boolMap[%@] == %@)", "open true"))
    }

    @Test(arguments: traps) func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    static let traps = [
        Trap("Cannot apply key path to Map subscripts.") {
            inRealm(Holder.types) { _ = $0.objects(Holder.self).where { $0.animalMap["leo"].name == "Leo" } }
        },
        Trap("Subqueries do not support map subscripts.") {
            inRealm(Holder.types) {
                _ = $0.objects(Holder.self).where { ($0.animals.age > 1 && $0.intMap["k"] == 1).count > 0 }
            }
        },
        Trap("Subqueries do not support AnyRealmValue subscripts.") {
            inRealm(Holder.types) {
                _ = $0.objects(Holder.self).where { ($0.animals.age > 1 && $0.any["k"] == .int(1)).count > 0 }
            }
        },
    ]
}
