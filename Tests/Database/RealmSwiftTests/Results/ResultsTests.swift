// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

/// All objects of a class (collections 4, behaviours B-263 to B-273), and linking objects (collections 8).
@Suite struct ResultsTests: TrapSuite {
    func dogs(_ ages: some Sequence<Int>) -> [Dog] { ages.map { Dog(value: ["name": "d\($0)", "age": $0]) } }

    @Test(.behaviour("B-263", "B-264")) func emptyThenGrowing() throws {
        try withRealm { realm in
            let results = realm.objects(Dog.self)
            #expect(results.isEmpty && results.first == nil && results.last == nil && results.realm == realm)
            try realm.write {
                realm.add(dogs([1, 2]))
                #expect(results.count == 2 && results[0].age == 1)
            }
            #expect(results.count == 2 && results.first?.age == 1 && results.last?.age == 2)
            #expect(!results.isInvalidated)
        }
    }

    @Test(arguments: [1, 256, 257, 3000, 70_000]) func sizes(_ count: Int) throws {
        try withRealm { realm in
            try realm.write { for age in 0..<count { realm.create(Dog.self, value: ["age": age]) } }
            let results = realm.objects(Dog.self)
            #expect(results.count == count)
            var expected = 0
            for dog in results {
                guard dog.age == expected else { break }
                expected += 1
            }
            #expect(expected == count)
            for index in stride(from: 0, to: count, by: max(1, count / 50)) {
                let dog = results[index]
                #expect(dog.age == index && results.index(of: dog) == index)
            }
            try realm.write { #expect(results.reduce(0) { $0 + $1.age } == count * (count - 1) / 2) }
        }
    }

    /// Values stored in place move nothing, but queries, sorts, and sections that read the old ones read them again.
    @Test func valuesStoredInPlaceAreSeen() throws {
        try withRealm { realm in
            try realm.write { realm.add(dogs(0..<300)) }
            try realm.write {
                let all = Array(realm.objects(Dog.self))
                let old = realm.objects(Dog.self).where { $0.age >= 300 }
                let ordered = realm.objects(Dog.self).sorted(byKeyPath: "age", ascending: false)
                let sections = realm.objects(Dog.self).sectioned(by: { $0.age / 300 }, sortDescriptors: ["age"])
                #expect(old.isEmpty && sections.count == 1)
                for (index, dog) in all.enumerated() {
                    dog.age += 300
                    #expect(dog.age == index + 300 && old.count == index + 1)
                    #expect(ordered.first?.age == index + 300 && ordered.count == 300)
                    #expect(sections.count == (index == 299 ? 1 : 2))
                }
                all[12].age = 7
                realm.delete(all[11])
                all[13].age = 8
                #expect(all[11].isInvalidated && all[11].age == 0)
                #expect(all[12].age == 7 && all[13].age == 8 && old.count == 297)
            }
            let expected: Int = (300..<600).reduce(0, +) - 311 - 312 - 313 + 7 + 8
            let sum: Int = realm.objects(Dog.self).sum(ofProperty: "age")
            #expect(sum == expected)
        }
    }

    @Test(.behaviour("B-265")) func deletingWhileIterating() throws {
        try withRealm { realm in
            try realm.write { realm.add(dogs(0..<600)) }
            var seen: [Int] = []
            try realm.write {
                for dog in realm.objects(Dog.self) {
                    seen.append(dog.age)
                    realm.delete(dog)
                }
            }
            #expect(seen == Array(0..<600) && realm.objects(Dog.self).isEmpty)
        }
    }

    @Test(.behaviour("B-266")) func iterationCoversTheElementsAtItsStart() throws {
        try withRealm { realm in
            try realm.write { realm.add(dogs(0..<600)) }
            var seen = 0
            var gone = 0
            for dog in realm.objects(Dog.self) {
                seen += 1
                if dog.isInvalidated { gone += 1 }
                if seen == 2 {
                    try realm.write {
                        realm.delete(realm.objects(Dog.self)[2])
                        realm.delete(realm.objects(Dog.self)[400])
                        realm.add(dogs(600..<900))
                    }
                }
            }
            #expect(seen == 600 && gone == 2 && realm.objects(Dog.self).count == 898)
        }
    }

    @Test(.behaviour("B-267")) func anArrayOfTheResultsStays() throws {
        try withRealm { realm in
            try realm.write { realm.add(dogs([1, 2, 3])) }
            let array = Array(realm.objects(Dog.self))
            try realm.write { realm.delete(array[0]) }
            #expect(array.count == 3 && array[0].isInvalidated && array[1].age == 2)
        }
    }

    @Test(.behaviour("B-187", "B-188")) func deletingCollections() throws {
        try withRealm { realm in
            let person = Person()
            person.dogs.append(objectsIn: dogs([1, 2, 3]))
            try realm.write {
                realm.add(person)
                realm.add(dogs([4, 5]))
            }
            try realm.write { realm.delete(person.dogs) }
            #expect(person.dogs.isEmpty && realm.objects(Dog.self).count == 2)
            try realm.write { realm.delete(realm.objects(Dog.self)) }
            #expect(realm.objects(Dog.self).isEmpty && realm.objects(Person.self).count == 1)
        }
    }

    @Test("equality is that of the query", .behaviour("B-273")) func equality() throws {
        try withRealm { realm in
            let results = realm.objects(Dog.self)
            let copy = results
            #expect(results == copy && results != realm.objects(Dog.self))
        }
    }

    @Test func description() throws {
        try withRealm { realm in
            try realm.write { realm.add(dogs([7])) }
            let text = realm.objects(Dog.self).description
            #expect(text.hasPrefix("Results<Dog> <0x"))
            #expect(text.hasSuffix("> (\n\t[0] Dog {\n\t\tname = d7;\n\t\tage = 7;\n\t\ttoy = (null);\n\t}\n)"))
        }
    }

    @Test(.behaviour("B-268", "B-269"), arguments: traps) func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    static let traps = [
        Trap("Index 3 is out of bounds (must be less than 3).") {
            inRealm { realm in
                try realm.write { for _ in 0..<3 { realm.create(Dog.self) } }
                _ = realm.objects(Dog.self)[3]
            }
        },
        Trap("Cannot pass a negative value for 'index'.") { inRealm { _ = $0.objects(Dog.self)[-1] } },
        Trap("Realm accessed from incorrect thread.") {
            inRealm { realm in
                nonisolated(unsafe) let results = realm.objects(Dog.self)
                let thread = Thread { _ = results.count }
                thread.start()
                Thread.sleep(forTimeInterval: 1200)
            }
        },
    ]

    // MARK: Linking objects

    @Test("linking objects follow the links", .behaviour("B-054", "B-055", "B-056")) func linkingObjects() throws {
        try withRealm { realm in
            let dog = Dog()
            #expect(dog.owners.isEmpty && dog.owners.realm == nil)
            let person = Person()
            try realm.write {
                realm.add(dog)
                realm.add(person)
            }
            let owners = dog.owners
            #expect(owners.isEmpty && owners.first == nil && owners.realm == realm)
            try realm.write { person.dogs.append(dog) }
            #expect(owners.count == 1 && owners[0] == person && owners.index(of: person) == 0)
            try realm.write { person.dogs.append(dog) }
            #expect(owners.count == 2 && Array(owners) == [person, person] && dog.owners == owners)
            try realm.write { person.dogs.removeAll() }
            #expect(owners.isEmpty)
            try realm.write { realm.delete(dog) }
            #expect(owners.isInvalidated && owners.isEmpty)
        }
    }
}
