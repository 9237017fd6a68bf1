// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

/// `query`: Realm Query Language through the API.
@Suite struct StatementTests {
    private func withWalkers(_ body: (Realm, Results<Walker>) throws -> Void) throws {
        try withRealm(Walker.types) { realm in
            try realm.write { QueryTests.fill(realm) }
            try body(realm, realm.objects(Walker.self))
        }
    }

    private func ids(_ results: Results<Walker>) -> [Int] {
        let ids = Array(results.map(\.id))
        #expect(results.count == ids.count && results.isEmpty == ids.isEmpty && results.first?.id == ids.first)
        return ids
    }

    @Test func everyPart() throws {
        try withWalkers { _, walkers in
            #expect(ids(walkers.query("age > $0 SORT(age DESC) LIMIT(3)", 2)) == [7, 6, 5])
            #expect(ids(walkers.query("age > %@", 5)) == [6, 7])
            #expect(ids(walkers.query("")) == Array(0..<8))
            #expect(ids(walkers.query("SORT(id DESC)")) == Array((0..<8).reversed()))
            #expect(ids(walkers.query("SORT(id DESC) DISTINCT(name)")) == [7, 6, 5, 4])
            #expect(ids(walkers.query("DISTINCT(name) SORT(id DESC) LIMIT(2)")) == [3, 2])
            #expect(ids(walkers.query("LIMIT(3) SORT(id DESC)")) == [2, 1, 0])
            #expect(ids(walkers.query("SORT(size DESC, id DESC) LIMIT(4)")).count == 4)
            #expect(ids(walkers.query("SORT(id DESC) SORT(isDone ASC)")) == [7, 5, 4, 2, 1, 6, 3, 0])
            #expect(ids(walkers.query("id IN {$0, $1, $0}", 4, 6)) == [4, 6])
            #expect(ids(walkers.query("nickname == $0 AND id > $1", nil, 2)) == [4, 6])
            #expect(ids(walkers.query("firstWord == 'w3'")) == [3])
            #expect(ids(walkers.query("pets[0].name == $0 AND pets[LAST].age == 1", "pet0")) == [2, 7])
            #expect(ids(walkers.query("age > ALL {4, 5}")) == [6, 7])
            #expect(ids(walkers.query("ALL pets.age < 1 AND pets.@count > 0")) == [1, 6])
        }
    }

    @Test func chainsWithOtherQueries() throws {
        try withWalkers { _, walkers in
            #expect(ids(walkers.where { $0.id > 2 }.query("age < $0 SORT(id DESC)", 6)) == [5, 4, 3])
            #expect(ids(walkers.query("pets[0].age == 0").filter("id > %@", 3)) == [4, 6, 7])
            #expect(ids(walkers.query("SORT(id DESC) LIMIT(4)").where { $0.isDone }) == [6])
            #expect(ids(walkers.sorted(by: \.id, ascending: false).query("isDone == true LIMIT(2)")) == [6, 3])
            #expect(ids(walkers.limit(5).query("id > 1").query("id < 4")) == [2, 3])
            #expect(walkers.query("SORT(id DESC) LIMIT(3)").index(matching: { $0.id == 6 }) == 1)
            #expect(walkers.query("id > 4").sum(of: \.id) == 18)
        }
    }

    @Test func everyKindOfCollection() throws {
        try withWalkers { realm, walkers in
            let walker = walkers[4]
            #expect(walker.pets.query("age > 0 SORT(age DESC) LIMIT(2)").map(\.age) == [3, 2])
            #expect(AnyRealmCollection(walker.pets).query("age > $0", 2).map(\.age) == [3])
            #expect(AnyRealmCollection(walkers).query("id < 2").map(\.id) == [0, 1])
            #expect(walkers[2].pets[0].owners.query("SORT(id DESC) LIMIT(2)").map(\.id) == [7, 6])
            #expect(Array(walker.numbers.query("SORT(self DESC) LIMIT(2)")) == [3, 2])
            try realm.write { walker.numbers.append(objectsIn: [3, 3]) }
            #expect(Array(walker.numbers.query("DISTINCT(self)")) == [0, 1, 2, 3])
        }
    }

    @Test func itIsLiveAndFreezes() throws {
        let notes = try ObservedRealm(nodes: 0..<8)
        var changes: [[Int]] = []
        let (oldest, frozen, token) = try notes.on { realm in
            let oldest = realm.objects(ObservedNode.self).query("age >= $0 SORT(age DESC) LIMIT(2)", 6)
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

    @Test func mistakes() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            inRealm(Walker.types) { _ = $0.objects(Walker.self).query("age > 3 SORTED(age)") }
        }.expectText("AND, OR, SORT, DISTINCT, LIMIT or the end")
        await #expect(processExitsWith: .failure, observing: .errorText) {
            inRealm(Walker.types) { _ = $0.objects(Walker.self).query("LIMIT(x)") }
        }.expectText("a number of objects")
        await #expect(processExitsWith: .failure, observing: .errorText) {
            inRealm(Walker.types) { _ = $0.objects(Walker.self).query("SORT(wings ASC)") }
        }.expectText("Walker.wings' does not exist")
        await #expect(processExitsWith: .failure, observing: .errorText) {
            inRealm(Walker.types) { _ = $0.objects(Walker.self).query("wings == 3") }
        }.expectText("Property 'wings' not found in object of type 'Walker'")
        await #expect(processExitsWith: .failure, observing: .errorText) {
            inWrite(Walker.types) { _ = $0.create(Walker.self).numbers.query("SORT(age ASC)") }
        }.expectText("can only be sorted on 'self'")
        await #expect(processExitsWith: .failure, observing: .errorText) {
            inWrite(Walker.types) { _ = $0.create(Walker.self).numbers.query("self > 3") }
        }.expectText("currently only implemented for arrays of Realm Objects")
        await #expect(processExitsWith: .failure, observing: .errorText) {
            _ = List<Pet>().query("age > 3")
        }.expectText("may only be called on RLMArray instances retrieved from an RLMRealm")
    }
}
