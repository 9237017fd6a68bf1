// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

/// `query`: Realm Query Language through the API.
@Suite struct StatementTests {
    private func ids(_ results: Results<Walker>) -> [Int] {
        let ids = Array(results.map(\.id))
        #expect(results.count == ids.count && results.isEmpty == ids.isEmpty && results.first?.id == ids.first)
        return ids
    }

    @Test func everyPart() throws {
        try withWalkers { _, walkers throws in
            #expect(try ids(walkers.query("age > $0 SORT(age DESC) LIMIT(3)", 2)) == [7, 6, 5])
            #expect(try ids(walkers.query("age > %@", 5)) == [6, 7])
            #expect(try ids(walkers.query("")) == Array(0..<8))
            #expect(try ids(walkers.query("SORT(id DESC)")) == Array((0..<8).reversed()))
            #expect(try ids(walkers.query("SORT(id DESC) DISTINCT(name)")) == [7, 6, 5, 4])
            #expect(try ids(walkers.query("DISTINCT(name) SORT(id DESC) LIMIT(2)")) == [3, 2])
            #expect(try ids(walkers.query("LIMIT(3) SORT(id DESC)")) == [2, 1, 0])
            #expect(try ids(walkers.query("SORT(size DESC, id DESC) LIMIT(4)")).count == 4)
            #expect(try ids(walkers.query("SORT(id DESC) SORT(isDone ASC)")) == [7, 5, 4, 2, 1, 6, 3, 0])
            #expect(try ids(walkers.query("id IN {$0, $1, $0}", 4, 6)) == [4, 6])
            #expect(try ids(walkers.query("nickname == $0 AND id > $1", nil, 2)) == [4, 6])
            #expect(try ids(walkers.query("firstWord == 'w3'")) == [3])
            #expect(try ids(walkers.query("pets[0].name == $0 AND pets[LAST].age == 1", "pet0")) == [2, 7])
            #expect(try ids(walkers.query("age > ALL {4, 5}")) == [6, 7])
            #expect(try ids(walkers.query("ALL pets.age < 1 AND pets.@count > 0")) == [1, 6])
        }
    }

    @Test func chainsWithOtherQueries() throws {
        try withWalkers { _, walkers throws in
            #expect(try ids(walkers.where { $0.id > 2 }.query("age < $0 SORT(id DESC)", 6)) == [5, 4, 3])
            #expect(try ids(walkers.query("pets[0].age == 0").filter("id > %@", 3)) == [4, 6, 7])
            #expect(try ids(walkers.query("SORT(id DESC) LIMIT(4)").where { $0.isDone }) == [6])
            #expect(try ids(walkers.sorted(by: \.id, ascending: false).query("isDone == true LIMIT(2)")) == [6, 3])
            #expect(try ids(walkers.limit(5).query("id > 1").query("id < 4")) == [2, 3])
            #expect(try walkers.query("SORT(id DESC) LIMIT(3)").index(matching: { $0.id == 6 }) == 1)
            #expect(try walkers.query("id > 4").sum(of: \.id) == 18)
        }
    }

    @Test func everyKindOfCollection() throws {
        try withWalkers { realm, walkers in
            let walker = walkers[4]
            #expect(try walker.pets.query("age > 0 SORT(age DESC) LIMIT(2)").map(\.age) == [3, 2])
            #expect(try AnyRealmCollection(walker.pets).query("age > $0", 2).map(\.age) == [3])
            #expect(try AnyRealmCollection(walkers).query("id < 2").map(\.id) == [0, 1])
            #expect(try walkers[2].pets[0].owners.query("SORT(id DESC) LIMIT(2)").map(\.id) == [7, 6])
            #expect(try Array(walker.numbers.query("SORT(self DESC) LIMIT(2)")) == [3, 2])
            try realm.write { walker.numbers.append(objectsIn: [3, 3]) }
            #expect(try Array(walker.numbers.query("DISTINCT(self)")) == [0, 1, 2, 3])
        }
    }

    @Test func itIsLiveAndFreezes() throws {
        let notes = try ObservedRealm(nodes: 0..<8)
        var changes: [[Int]] = []
        let (oldest, frozen, token) = try notes.on { realm in
            let oldest = try realm.objects(ObservedNode.self).query("age >= $0 SORT(age DESC) LIMIT(2)", 6)
            let token = oldest.observe { change in
                if case .update(_, let deletions, let insertions, _) = change { changes += [deletions, insertions] }
            }
            return (oldest, oldest.freeze(), token)
        }
        notes.settle()
        try notes.write { $0.create(ObservedNode.self, value: ["id": 8, "age": 8]) }
        try notes.on { _ in
            #expect(oldest.map(\.age) == [8, 7] && frozen.map(\.age) == [7, 6] && changes == [[1], [0]])
            token.invalidate()
        }
    }

    @Test(arguments: [
        ("age > 3 SORTED(age)", "AND, OR, SORT, DISTINCT, LIMIT or the end", 8),
        ("LIMIT(x)", "a number of objects", 6),
        ("age > $1", "an argument that was passed", 6),
        ("name == 'x", "expected ' to end this string", 8),
    ])
    func invalidSyntaxIsAnErrorWithItsPosition(_ text: String, _ message: String, _ position: Int) throws {
        try withWalkers { _, walkers in
            let error = try #require(throws: RealmQueryError.self) { try walkers.query(text, 3) }
            #expect(error.message.contains(message) && error.position == position, "\(error)")
            #expect(throws: error) { try RealmQueryText(validating: text, 3) }
        }
    }

    @Test(arguments: [
        ("SORT(wings ASC)", "Walker.wings' does not exist"),
        ("DISTINCT(pets.age)", "property 'Walker.pets' is of unsupported type"),
        ("wings == 3", "Property 'wings' not found in object of type 'Walker'"),
        ("age CONTAINS 'x'", "Operator 'CONTAINS' not supported for type 'int'"),
        ("age == 'x'", "Cannot compare value 'x' of type 'string' to property 'age' of type 'int'"),
    ])
    func aTextThatDoesNotMatchTheClassIsAnError(_ text: String, _ message: String) throws {
        try withWalkers { realm, walkers in
            let error = try #require(throws: RealmQueryError.self) { try walkers.query(text) }
            #expect(error.message.contains(message) && error.position == nil, "\(error)")
            let valid = try RealmQueryText(validating: text)
            #expect(throws: error) { try walkers.query(valid) }
            // The error has no effect on the Realm.
            try realm.write { walkers[0].age = 3 }
        }
    }

    @Test(arguments: [
        ("SORT(age ASC)", "can only be sorted on 'self'"),
        ("DISTINCT(self, self)", "on more than one key path"),
        ("self > 3", "currently only implemented for arrays of Realm Objects"),
    ])
    func aTextThatDoesNotMatchValuesIsAnError(_ text: String, _ message: String) throws {
        try withWalkers { _, walkers in
            let error = try #require(throws: RealmQueryError.self) { try walkers[0].numbers.query(text) }
            #expect(error.message.contains(message), "\(error)")
        }
    }

    @Test func aValidatedTextIsUsedWithAnyCollection() throws {
        try withWalkers { _, walkers in
            let text = try RealmQueryText(validating: "age > $0 SORT(age DESC) LIMIT(3)", 2)
            #expect("\(text)" == "age > $0 SORT(age DESC) LIMIT(3)")
            #expect(try ids(walkers.query(text)) == [7, 6, 5])
            #expect(try walkers[4].pets.query(text).map(\.age) == [3])
            #expect(text == (try RealmQueryText(validating: "age > $0 SORT(age DESC) LIMIT(3)", 2)))
            #expect(text != (try RealmQueryText(validating: "age > $0 SORT(age DESC) LIMIT(3)", 3)))
        }
    }

    /// Random texts, valid ones with changed characters, and deep ones: an error or results, never a trap.
    @Test func hostileTextsAreErrors() throws {
        var random = SeededGenerator(for: "StatementTests.hostileTexts")
        let texts = [
            "age > 3 AND (name BEGINSWITH[c] 'w' OR pets[0].age <= 2) SORT(age DESC) DISTINCT(name) LIMIT(3)",
            "ANY pets.age IN {1, 2, $0} AND SUBQUERY(pets, $x, $x.age > 1).@count > 0",
            String(repeating: "(", count: 5000) + "age > 3",
            "age > 3 SORT(" + String(repeating: "age, ", count: 5000) + "age)",
        ]
        let letters = Array("(){}[]$@%'\",.<>=!&|*+-/ aAsS09\\\u{0}é")
        try withWalkers { _, walkers in
            for _ in 0..<400 {
                var text = Array(random.pick(texts))
                for _ in 0..<(1 + random.below(3)) { text[random.below(text.count)] = random.pick(letters) }
                do {
                    let found = try walkers.query(String(text), 2)
                    #expect(found.count <= walkers.count)
                } catch is RealmQueryError {
                }
            }
        }
    }

    @Test func misuse() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            _ = try List<Pet>().query("age > 3")
        }.expectText("may only be called on RLMArray instances retrieved from an RLMRealm")
        await #expect(processExitsWith: .failure, observing: .errorText) {
            _ = try RealmQueryText(validating: "pets == $0", Pet())
        }.expectText("pass it to query(_:_:)")
    }
}
