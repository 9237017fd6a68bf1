// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import Testing

@testable import RealmSwift

/// Queries for what is inside mixed values and maps.
@Suite struct SubscriptQueryTests {
    private func withZoos(_ body: (Realm, Results<Zoo>) throws -> Void) throws {
        try withRealm(Zoo.types) { realm in
            try realm.write {
                for id in 0..<4 {
                    let zoo = realm.create(Zoo.self, value: ["id": id])
                    zoo.any =
                        [
                            .fromArray([.int(3), .string("x"), .fromArray([.int(id), .bool(true)])]),
                            .fromDictionary(["k": .fromArray([.int(3)]), "s": .string("Some text")]), .int(3),
                            .fromDictionary(["k": .string("x")]),
                        ][id]
                    zoo.intMap["k"] = id
                    zoo.stringMap["name"] = "Zoo \(id)"
                    zoo.boolMap["open"] = id == 2
                    zoo.animalMap["leo"] = Animal("Leo", id)
                    zoo.anyMap["n"] = .fromArray([.int(id)])
                    zoo.sizeMap["s"] = id > 2 ? .large : .small
                    if id == 0 { zoo.intMap["only"] = 1 }
                }
            }
            try body(realm, realm.objects(Zoo.self).sorted(byKeyPath: "id"))
        }
    }

    private func ids(_ results: Results<Zoo>) -> [Int] { results.map(\.id) }

    @Test func B_111_mixedValues() throws {
        try withZoos { _, zoos in
            #expect(ids(zoos.filter("any[0] == 3")) == [0])
            #expect(ids(zoos.filter("any['k'] == 'x'")) == [3])
            #expect(ids(zoos.where { $0.any["k"][0] == .int(3) }) == [1])
            #expect(ids(zoos.where { $0.any.any == .int(3) }) == [0])
            #expect(ids(zoos.where { $0.any.any.any == .int(3) }) == [1])
            #expect(ids(zoos.where { $0.any[2][1] == .bool(true) }) == [0])
            #expect(ids(zoos.filter("any[2][#any] == true")) == [0])
            #expect(ids(zoos.filter("any[%@] == %@", "s", "Some text")) == [1])
            // A key that a dictionary does not have is null; what is no dictionary has no keys.
            #expect(ids(zoos.where { $0.any["n"] == .none }) == [1, 3])
            #expect(ids(zoos.where { $0.any["k"] == .none }) == [])
            #expect(ids(zoos.where { $0.any[9] != .none }) == [])
            #expect(ids(zoos.where { $0.anyMap["n"][0] > .int(1) }) == [2, 3])
        }
    }

    @Test func maps() throws {
        try withZoos { _, zoos in
            #expect(ids(zoos.where { $0.intMap["k"] == 3 }) == [3])
            #expect(ids(zoos.where { $0.intMap["k"] > 1 && $0.intMap["k"] < 3 }) == [2])
            #expect(ids(zoos.where { $0.intMap["k"].contains(1...2) }) == [1, 2])
            #expect(ids(zoos.where { $0.intMap["only"] == 1 }) == [0])
            #expect(ids(zoos.filter("intMap['only'] == nil")) == [1, 2, 3])
            #expect(ids(zoos.where { $0.stringMap["name"].ends(with: "2") }) == [2])
            #expect(ids(zoos.where { $0.stringMap["name"].in(["Zoo 1", "Zoo 3"]) }) == [1, 3])
            #expect(ids(zoos.where { $0.boolMap["open"] == true }) == [2])
            #expect(ids(zoos.where { $0.sizeMap["s"] == .large }) == [3])
            let leo = zoos[1].animalMap["leo"] ?? nil
            #expect(ids(zoos.where { $0.animalMap["leo"] == leo }) == [1])
            #expect(ids(zoos.where { !($0.intMap["k"] == 3) }) == [0, 1, 2])
        }
    }

    @Test func sorting() throws {
        try withZoos { realm, zoos in
            #expect(zoos.sorted(byKeyPath: "intMap['k']", ascending: false).map(\.id) == [3, 2, 1, 0])
            #expect(zoos.sorted(byKeyPath: "anyMap['n'][0]", ascending: false).map(\.id) == [3, 2, 1, 0])
            #expect(zoos.sorted(byKeyPath: "intMap['only']").map(\.id) == [1, 2, 3, 0])
            #expect(zoos.distinct(by: ["any['k']"]).map(\.id) == [0, 1, 3])
        }
    }

    @Test func texts() {
        func text(_ query: (Query<Zoo>) -> Query<Bool>) -> (String, String) {
            let (format, arguments) = query(Query<Zoo>._constructForTesting())._constructPredicate()
            return (format, arguments.map { "\($0)" }.joined(separator: " "))
        }
        #expect(text { $0.intMap["k"] == 3 } == ("(intMap[%@] == %@)", "k 3"))
        #expect(text { $0.any["k"][0] == .int(3) } == ("(any[%@][%@] == %@)", "k 0 3"))
        #expect(text { $0.any.any == .int(3) } == ("(any[%K] == %@)", "#any 3"))
        #expect(text { $0.boolMap["open"] == true } == ("(boolMap[%@] == %@)", "open true"))
    }

    @Test func aKeyPathBehindASubscript() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            inRealm(Zoo.types) { _ = $0.objects(Zoo.self).where { $0.animalMap["leo"].name == "Leo" } }
        }
        expect("Cannot apply key path to Map subscripts.", in: result)
    }

    @Test func subqueriesWithMaps() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            inRealm(Zoo.types) {
                _ = $0.objects(Zoo.self).where { ($0.animals.age > 1 && $0.intMap["k"] == 1).count > 0 }
            }
        }
        expect("Subqueries do not support map subscripts.", in: result)
    }

    @Test func subqueriesWithMixedValues() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            inRealm(Zoo.types) {
                _ = $0.objects(Zoo.self).where { ($0.animals.age > 1 && $0.any["k"] == .int(1)).count > 0 }
            }
        }
        expect("Subqueries do not support AnyRealmValue subscripts.", in: result)
    }
}
