// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import TestTraits
import Testing

@testable import RealmSwift

/// Type-erased collections.
@Suite struct AnyRealmCollectionTests {
    private func withDogs(_ body: (Realm, Person) throws -> Void) throws {
        try withRealm { realm in
            let person = Person(value: ["firstName": "Jo"])
            for (name, age) in [("Rex", 3), ("Bo", 6), ("Ada", 1)] {
                person.dogs.append(Dog(value: ["name": name, "age": age]))
            }
            try realm.write { realm.add(person) }
            try body(realm, person)
        }
    }

    @Test func everyKindOfCollection() throws {
        try withDogs { realm, person in
            let kinds = [
                AnyRealmCollection(person.dogs), AnyRealmCollection(realm.objects(Dog.self)),
                AnyRealmCollection(AnyRealmCollection(person.dogs)),
            ]
            for dogs in kinds {
                #expect(dogs.count == 3 && !dogs.isEmpty && !dogs.isInvalidated && dogs.realm == realm)
                #expect(dogs.first?.name == "Rex" && dogs.last?.name == "Ada" && dogs[1].name == "Bo")
                #expect(dogs.index(of: person.dogs[2]) == 2)
                #expect(dogs.map(\.age) == [3, 6, 1])
                #expect(dogs.filter("age > 2").count == 2 && dogs.where { $0.age > 3 }.first?.name == "Bo")
                #expect(dogs.sorted(by: \.age).map(\.name) == ["Ada", "Rex", "Bo"])
                #expect(dogs.sorted(byKeyPath: "name")[0].name == "Ada")
                #expect(dogs.distinct(by: ["name"]).count == 3)
                #expect(dogs.index(matching: "age == 6") == 1 && dogs.index(matching: { $0.age == 1 }) == 2)
                #expect(dogs.max(of: \.age) == 6 && dogs.sum(ofProperty: "age") == 10)
                #expect(dogs.objects(at: [0, 2]).map(\.name) == ["Rex", "Ada"])
                #expect(dogs.value(forKey: "name") as? [String] == ["Rex", "Bo", "Ada"])
            }
            let owners = AnyRealmCollection(person.dogs[0].owners)
            #expect(owners.count == 1 && owners[0].firstName == "Jo")
            let (any, list) = (kinds[0].description, person.dogs.description)
            #expect(any.drop { $0 != "(" } == list.drop { $0 != "(" } && any.hasPrefix("AnyRealmCollection<Dog> <0x"))
        }
    }

    @Test func equality() throws {
        try withDogs { realm, person in
            let all = realm.objects(Dog.self)
            #expect(AnyRealmCollection(person.dogs) == AnyRealmCollection(person.dogs))
            #expect(AnyRealmCollection(person.dogs) != AnyRealmCollection(all))
            #expect(AnyRealmCollection(all) == AnyRealmCollection(all))
            #expect(AnyRealmCollection(all) != AnyRealmCollection(realm.objects(Dog.self)))
        }
    }

    @Test func setsAndValues() throws {
        try withRealm(Holder.types) { realm in
            let holder = Holder()
            Samples.fill(holder)
            for isManaged in [false, true] {
                if isManaged { try realm.write { realm.add(holder) } }
                let ints = AnyRealmCollection(holder.ints)
                #expect(ints.sorted() == [-1, 2, 3] && ints.sum() == 4 && ints.max() == 3)
                #expect((ints.realm == nil) != isManaged)
                let animals = AnyRealmCollection(holder.animals)
                if isManaged { #expect(animals.filter("age > 1").first?.name == "Leo") }
            }
        }
    }

    @Test func changesShow() throws {
        try withDogs { realm, person in
            let dogs = AnyRealmCollection(person.dogs)
            try realm.write { dogs.setValue(9, forKey: "age") }
            #expect(dogs.map(\.age) == [9, 9, 9])
            try realm.write { realm.delete(person) }
            #expect(dogs.isInvalidated && dogs.isEmpty)
        }
    }

    @Test func anUnmanagedSet() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            _ = AnyRealmCollection(MutableSet<Animal>()).filter("age > 1")
        }.expectText("This method may only be called on RLMSet instances retrieved from an RLMRealm")
    }

    @Test(.behaviour("T16")) func anAnyRealmCollectionIsPrintedWithItsOwnName() throws {
        try withRealm(Villager.types) { realm in
            try realm.write { realm.add(Stone(value: [1.5])) }
            let stones = AnyRealmCollection(realm.objects(Stone.self)).description
            #expect(stones.hasPrefix("AnyRealmCollection<Stone> <0x") && stones.contains("> (\n\t[0] Stone {"))
            let numbers = List<Int>()
            numbers.append(7)
            let list = AnyRealmCollection(numbers).description
            #expect(list.hasPrefix("AnyRealmCollection<int> <0x") && list.hasSuffix("> (\n\t[0] 7\n)"))
        }
    }
}
