// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import TestTraits
import Testing

@testable import RealmSwift

/// Typed queries and predicate strings on managed objects (query 2 and 3, behaviours B-393 to B-441).
@Suite struct QueryTests {
    static func fill(_ realm: Realm) {
        let pets = (0..<4).map { Pet(value: ["name": "pet\($0)", "age": $0]) }
        pets[1].tag = Tag(value: ["text": "one"])
        for id in 0..<8 {
            let walker = Walker(value: ["id": id, "name": ["Rex", "Ida", "Émile", "max"][id % 4]])
            walker.nickname = id % 2 == 0 ? nil : walker.name
            walker.age = id == 0 ? nil : id
            walker.weight = Double(id) / 2
            walker.isDone = id % 3 == 0
            walker.size = id < 4 ? .small : .large
            walker.color = [nil, .red, .green][id % 3]
            walker.born = Date(timeIntervalSince1970: Double(id))
            walker.photo = id < 2 ? nil : Data([UInt8(id), 7])
            walker.price = Decimal128(value: id)
            walker.pet = id < 4 ? pets[id] : nil
            walker.pets.append(objectsIn: pets.prefix(id % 5))
            walker.numbers.append(objectsIn: 0..<id)
            walker.all = id
            walker.firstWord = "w\(id)"
            realm.add(walker)
        }
    }

    func ids(_ results: Results<Walker>) -> [Int] {
        let ids = results.map(\.id)
        #expect(results.count == ids.count && results.isEmpty == ids.isEmpty && results.first?.id == ids.first)
        return Array(ids)
    }

    @Test("single values", .behaviour("B-393 to B-399")) func values() throws {
        try withWalkers { _, walkers in
            #expect(ids(walkers.where { $0.age > 5 }) == [6, 7] && ids(walkers.where { $0.age == nil }) == [0])
            #expect(ids(walkers.where { $0.age != 3 }) == [0, 1, 2, 4, 5, 6, 7])
            #expect(ids(walkers.where { $0.name == "Rex" && !$0.isDone }) == [4])
            #expect(
                ids(walkers.where { $0.isDone }) == [0, 3, 6] && ids(walkers.where { $0.weight <= 0.5 }) == [0, 1])
            #expect(ids(walkers.where { $0.age.contains(2...3) || $0.id == 7 }) == [2, 3, 7])
            #expect(ids(walkers.where { $0.id.contains(2..<4) }) == [2, 3])
            #expect(ids(walkers.where { $0.name.in(["Rex", "max"]) }) == [0, 3, 4, 7])
            #expect(ids(walkers.where { $0.id.in([]) }) == [])
            #expect(ids(walkers.where { $0.size == .large && $0.color == .red }) == [4, 7])
            #expect(ids(walkers.where { $0.color == nil }) == [0, 3, 6])
            #expect(ids(walkers.where { $0.color.in([.green]) }) == [2, 5])
            #expect(ids(walkers.where { $0.born >= Date(timeIntervalSince1970: 6) }) == [6, 7])
            #expect(ids(walkers.where { $0.price > 5.5 }) == [6, 7])
            #expect(ids(walkers.where { $0.photo.starts(with: Data([5])) }) == [5])
            let token = walkers[3].token
            #expect(ids(walkers.where { $0.token == token }) == [3])
            #expect(ids(walkers.where { $0.all == 4 }) == [4] && ids(walkers.where { $0.firstWord == "w5" }) == [5])
            #expect(ids(walkers.where { $0.id == $0.all }) == Array(0..<8))
        }
    }

    @Test("text", .behaviour("B-400", "B-401", "B-402")) func text() throws {
        try withWalkers { _, walkers in
            #expect(ids(walkers.where { $0.name.starts(with: "I") }) == [1, 5])
            #expect(ids(walkers.where { $0.name.contains("A", options: .caseInsensitive) }) == [1, 3, 5, 7])
            #expect(ids(walkers.where { $0.name.equals("émile", options: .caseInsensitive) }) == [2, 6])
            #expect(ids(walkers.where { $0.name.like("?e*") }) == [0, 4])
            #expect(ids(walkers.where { $0.name < "J" }) == [1, 5])
        }
    }

    @Test("links and collections", .behaviour("B-403 to B-415")) func links() throws {
        try withWalkers { realm, walkers in
            #expect(ids(walkers.where { $0.pet.name == "pet1" }) == [1])
            #expect(ids(walkers.where { $0.pet.tag.text == "one" }) == [1])
            #expect(ids(walkers.where { $0.pet == nil }) == [4, 5, 6, 7])
            let pet = realm.objects(Pet.self)[2]
            #expect(ids(walkers.where { $0.pet == pet }) == [2] && ids(walkers.where { $0.pet == Pet() }) == [])
            #expect(ids(walkers.where { $0.pets.count > 2 }) == [3, 4])
            #expect(ids(walkers.where { $0.pets.name == "pet2" }) == [3, 4])
            #expect(ids(walkers.where { $0.pets.age.sum == 3 }) == [3])
            #expect(ids(walkers.where { $0.pets.contains(pet) }) == [3, 4])
            #expect(ids(walkers.where { $0.numbers.contains(5) }) == [6, 7])
            #expect(ids(walkers.where { $0.numbers.max == 2 }) == [3])
            #expect(ids(walkers.where { $0.numbers.contains(0...1) }) == [1, 2])
            #expect(ids(walkers.where { ($0.pets.age > 0 && $0.pets.name != "pet1").count >= 2 }) == [4])
            #expect(realm.objects(Pet.self).where { $0.owners.count > 2 }.map(\.age) == [0, 1])
            #expect(realm.objects(Pet.self).where { $0.owners.id == 4 }.count == 4)
        }
    }

    @Test("chains, lists, positions", .behaviour("B-420", "B-421")) func chains() throws {
        try withWalkers { realm, walkers in
            let results = walkers.where { $0.age > 2 }.where { $0.isDone }
            #expect(ids(results) == [3, 6] && results[1].id == 6 && results.last?.id == 6)
            #expect(results.index(of: walkers[6]) == 1 && results.index(of: walkers[0]) == nil)
            #expect(walkers.index(matching: { $0.age == 3 }) == 3 && walkers.index(matching: "age > %@", 9) == nil)
            #expect(results.index(matching: "age > 3") == 1)
            let pets = walkers[4].pets
            #expect(pets.where { $0.age > 1 }.map(\.age) == [2, 3] && pets.filter("age < 2").count == 2)
            #expect(pets.index(matching: { $0.age == 2 }) == 2)
            #expect(realm.objects(Pet.self)[0].owners.where { $0.id > 3 }.map(\.id) == [4, 6, 7])
            #expect(
                ids(walkers.where { $0.age > 1 }.sorted(byKeyPath: "age", ascending: false).where { $0.id < 5 }) == [
                    4, 3, 2,
                ])
        }
    }

    @Test(.behaviour("B-243", "B-266")) func live() throws {
        try withWalkers { realm, walkers in
            let young = walkers.where { $0.age < 3 }
            #expect(young.count == 2)
            try realm.write {
                walkers[5].age = 1
                #expect(ids(young) == [1, 2, 5])
                realm.delete(walkers[1])
                #expect(ids(young) == [2, 5])
            }
            #expect(ids(young) == [2, 5])
            try realm.write {
                var seen: [Int] = []
                for walker in young {
                    seen.append(walker.id)
                    for other in walkers { other.age = 9 }
                }
                #expect(seen == [2, 5] && young.isEmpty)
                realm.delete(walkers.where { $0.age == 9 })
                #expect(walkers.isEmpty)
            }
        }
    }

    @Test("predicate strings", .behaviour("B-422 to B-431")) func strings() throws {
        try withWalkers { realm, walkers in
            for text in ["age = 3", "age == 3", "3 == age", "age == %@"] {
                #expect(ids(walkers.filter(text, 3)) == [3])
            }
            #expect(ids(walkers.filter("age BETWEEN {1, 3}")) == [1, 2, 3])
            #expect(ids(walkers.filter("age BETWEEN %@", [1, 3])) == [1, 2, 3])
            #expect(ids(walkers.filter("name IN %@", Set(["Rex"]))) == [0, 4])
            let list = List<String>()
            list.append("Ida")
            #expect(ids(walkers.filter("name IN %@", list)) == [1, 5])
            #expect(ids(walkers.filter("%@ IN numbers", 6)) == [7])
            #expect(ids(walkers.filter("name CONTAINS ''")) == [])
            #expect(ids(walkers.filter("name ==[c] 'éMILE'")) == [2, 6])
            #expect(ids(walkers.filter("%K > %@ AND nickname == %@", "age", 2, String?.none as Any)) == [4, 6])
            #expect(ids(walkers.filter("size == %@ AND color == %@", Size.large, Color.red)) == [4, 7])
            #expect(ids(walkers.filter("pet == %@", realm.objects(Pet.self)[1])) == [1])
            #expect(ids(walkers.filter("pet IN %@", realm.objects(Pet.self).filter("age > 1"))) == [2, 3])
            #expect(
                ids(walkers.filter("born < %@ OR photo == %@", Date(timeIntervalSince1970: 1), Data([7, 7]))) == [0, 7])
            #expect(ids(walkers.filter("firstWord == 'w3'")) == [3] && ids(walkers.filter("weight > %f", 3.2)) == [7])
            #expect(ids(walkers.filter("token == %@", walkers[2].token)) == [2])
            #expect(ids(walkers.filter("price == %@", Decimal128(value: 3))) == [3])
            #expect(ids(walkers.filter("ANY pets.name == 'pet3' AND pets.@count == 4")) == [4])
            #expect(ids(walkers.filter("NONE pets.age >= 0")) == [0, 5])
        }
    }
}
