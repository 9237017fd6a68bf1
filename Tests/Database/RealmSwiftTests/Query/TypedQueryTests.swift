// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import TestTraits
import Testing

@testable import RealmSwift

private final class Bookcase: TestObject {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var text = ""
    @Persisted var items: List<Bookcase>
}

/// The results of typed queries (query 2). `QueryTextTests` tests their text.
@Suite struct TypedQueryTests {
    func ids(_ results: Results<Walker>) -> [Int] { Array(results.map(\.id)) }

    @Test(.behaviour("B-411", "B-412")) func keysOfMaps() throws {
        func text(_ query: (Query<Holder>) -> Query<Bool>) -> String {
            query(Query<Holder>._constructForTesting())._constructPredicate().0
        }
        #expect(text { $0.intMap["k"] == 3 } == "(intMap[%@] == %@)")
        #expect(text { $0.intMap.keys == "k" } == "(ANY intMap.@allKeys == %@)")
        #expect(text { $0.intMap.values == 3 } == "(ANY intMap.@allValues == %@)")
        try withRealm(Holder.types) { realm in
            try realm.write {
                for id in 0..<3 {
                    let holder = realm.create(Holder.self, value: ["id": id])
                    if id > 0 { holder.intMap["k"] = id }
                    if id > 0 { holder.doubleMap.updateValue(id == 1 ? nil : 2, forKey: "k") }
                }
            }
            let holders = realm.objects(Holder.self)
            #expect(
                holders.where { $0.intMap["k"] == 2 }.map(\.id) == [2]
                    && holders.where { $0.intMap["k"] > 0 }.count == 2)
            // A missing key compares as null.
            #expect(holders.where { $0.doubleMap["k"] == nil }.map(\.id) == [0, 1])
            #expect(holders.where { $0.doubleMap["k"] != nil }.map(\.id) == [2])
            #expect(holders.where { $0.intMap.keys == "k" }.map(\.id) == [1, 2])
            #expect(holders.where { $0.intMap.values > 1 }.map(\.id) == [2])
        }
    }

    @Test(.behaviour("B-414")) func nullsBehindLinks() throws {
        try withWalkers { realm, walkers in
            try realm.write { walkers[7].pet = Pet(value: ["name": "tagged", "tag": ["text": "x"]]) }
            #expect(ids(walkers.where { $0.pet.tag == nil }) == [0, 2, 3, 4, 5, 6])
            #expect(
                ids(walkers.where { $0.pet.tag.text == "x" }) == [7] && ids(walkers.where { $0.pet == nil }).count == 3)
        }
        try withRealm(ShelfBook.types) { realm in
            try realm.write {
                let author = realm.create(ShelfAuthor.self)
                author.books.append(objectsIn: [ShelfBook("A", nil), ShelfBook("B", 1)])
                realm.create(ShelfBook.self, value: ["title": "C"])
                author.books[0].author = author
            }
            let books = realm.objects(ShelfBook.self)
            #expect(books.filter("author.name == nil").map(\.title) == ["B", "C"])
            #expect(books.where { $0.year == nil }.map(\.title) == ["A", "C"])
        }
    }

    @Test(.behaviour("B-415")) func objectsInQueries() throws {
        try withWalkers { realm, walkers in
            let pet = walkers[2].pet
            #expect(ids(walkers.where { $0.pet == pet }) == [2])
            #expect(ids(walkers.where { $0.pet != pet }) == [0, 1, 3, 4, 5, 6, 7])
            #expect(
                ids(walkers.where { $0.pet == Pet() }) == [] && ids(walkers.where { $0.pet == nil }) == [4, 5, 6, 7])
            let gone = walkers[3].pet
            try realm.write { gone.map(realm.delete) }
            #expect(gone?.isInvalidated == true && ids(walkers.where { $0.pet == gone }) == [])
        }
    }

    @Test(.behaviour("B-416")) func propertiesAmongEachOther() throws {
        try withWalkers { realm, walkers in
            #expect(
                ids(walkers.where { $0.name == $0.firstWord }) == []
                    && ids(walkers.where { $0.id == $0.all }).count == 8)
            try realm.write {
                walkers[1].firstWord = "Ida"
                walkers[2].all = 9
            }
            #expect(ids(walkers.where { $0.name == $0.firstWord }) == [1])
            #expect(ids(walkers.where { $0.id < $0.all }) == [2] && ids(walkers.where { $0.id != $0.all }) == [2])
            #expect(try QueryTextTests().text { $0.name == $0.firstWord } == "(name == firstWord)")
        }
    }

    @Test(.behaviour("B-417")) func dates() throws {
        try withWalkers { realm, walkers in
            let day = Date(timeIntervalSince1970: 3)
            #expect(
                ids(walkers.where { $0.born < day }) == [0, 1, 2] && ids(walkers.where { $0.born < Date() }).count == 8)
            #expect(ids(walkers.where { $0.born >= day && $0.born < day + 2 }) == [3, 4])
            try realm.write {
                walkers[5].born = day + 0.25
                walkers[6].born = .distantPast
            }
            #expect(ids(walkers.where { $0.born > day && $0.born < day + 0.5 }) == [5])
            #expect(walkers.where { $0.born < Date(timeIntervalSince1970: 0) }.first?.id == 6)
        }
    }

    @Test(.behaviour("B-420", "B-421")) func chainsAndPositions() throws {
        try withWalkers { _, walkers in
            let chained = walkers.where { $0.id > 1 }.where { $0.isDone }.filter("name != %@", "Émile")
            let once = walkers.where { $0.id > 1 && $0.isDone && $0.name != "Émile" }
            #expect(ids(chained) == ids(once) && ids(chained) == [3])
            #expect(
                ids(walkers.sorted(by: \.id, ascending: false).where { $0.id > 2 }.where { $0.id < 6 }) == [5, 4, 3])
            #expect(walkers.index(matching: { $0.age == 3 }) == 3 && walkers.index(matching: "age == %@", 30) == nil)
            let pets = walkers[4].pets
            #expect(
                pets.index(matching: { $0.age == 2 }) == 2 && pets.where { $0.age > 0 }.where { $0.age < 2 }.count == 1)
            #expect(AnyRealmCollection(pets).index(matching: { $0.age == 2 }) == 2)
            let sorted = pets.sorted(by: \.age, ascending: false)
            #expect(sorted.index(matching: { $0.age == 2 }) == 1 && sorted.index(of: pets[2]) == 1)
            #expect(pets[0].owners.index(matching: { $0.id == 2 }) != nil)
            #expect(pets[0].owners.index(matching: { $0.id == 99 }) == nil)
        }
    }

    @Test(.behaviour("T06")) func aSubqueryMayCompareTwoPaths() throws {
        let condition: (Query<Bookcase>) -> Query<Bool> = { ($0.items.text == $0.text).count == 0 }
        let text = condition(Query<Bookcase>._constructForTesting())._constructPredicate().0
        #expect(text == "(SUBQUERY(items, $col1, ($col1.text == text)).@count == %@)")
        try withRealm([Bookcase.self]) { realm in
            try realm.write { _ = realm.create(Bookcase.self, value: ["id": 1, "items": [["id": 2]]]) }
            let parsed = realm.objects(Bookcase.self).filter("SUBQUERY(items, $x, $x.text == text).@count == 0")
            let found = realm.objects(Bookcase.self).where(condition)
            #expect(found.map(\.id) == parsed.map(\.id) && found.count == 1)
        }
    }
}
