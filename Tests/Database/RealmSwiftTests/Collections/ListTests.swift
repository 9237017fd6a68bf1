// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import TestTraits
import Testing

@testable import RealmSwift

/// Managed and unmanaged lists.
@Suite struct ListTests: TrapSuite {
    /// Runs `body` with an unmanaged list, and with a managed one in a write.
    private func withBoth(_ letters: [String?], _ body: (List<String?>) throws -> Void) throws {
        let object = AllTypes()
        object.strings.append(objectsIn: letters)
        try body(object.strings)
        try withRealm { realm in
            let object = AllTypes()
            object.strings.append(objectsIn: letters)
            try realm.write {
                realm.add(object)
                try body(object.strings)
            }
        }
    }

    @Test(.behaviour("B-318", "B-319", "B-320", "B-335", "B-177"), arguments: traps)
    func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    static let traps = [
        Trap("Index 1 is out of bounds (must be less than 1).") {
            inWrite { $0.create(AllTypes.self).ints.insert(1, at: 1) }
        },
        Trap("It is not possible to remove more objects (5) from a list than it already contains (3).") {
            inWrite { realm in
                let list = realm.create(AllTypes.self).ints
                list.append(objectsIn: [1, 2, 3])
                list.removeFirst(5)
            }
        },
        Trap("It is not possible to remove more objects (1) from a list than it already contains (0).") {
            List<Int>().removeLast()
        },
        Trap("NSUnknownKeyException") {
            let list = List<Int>()
            list.append(1)
            _ = list.value(forKey: "name") as Any?
        },
        Trap("Cannot modify Results outside of a write transaction.") {
            inRealm { $0.objects(Dog.self).setValue(1, forKey: "age") }
        },
    ]

    @Test(.behaviour("B-335")) func valuesByKey() throws {
        try withRealm { realm in
            let person = Person()
            person.dogs.append(objectsIn: [Dog(value: ["name": "Rex", "age": 3]), Dog(value: ["name": "Bo"])])
            person.dogs[0].toy = DogToy(value: ["name": "Bone"])
            for isManaged in [false, true] {
                if isManaged { try realm.write { realm.add(person) } }
                #expect((person.dogs.value(forKey: "name") as Any?) as? [String] == ["Rex", "Bo"])
                #expect((person.dogs.value(forKey: "age") as [AnyObject]).map { $0 as? Int } == [3, 0])
                #expect((person.dogs.value(forKey: "toy") as [AnyObject])[1] is NSNull)
                let toys = (person.dogs.value(forKeyPath: "toy.name") as Any?) as? [Any?]
                #expect(toys?.map { $0 as? String } == ["Bone", nil])
                let dogs = (person.dogs.value(forKey: "self") as Any?) as? [Dog]
                #expect(dogs?.map(\.name) == ["Rex", "Bo"])
                #expect((person.dogs.value(forKey: "invalidated") as Any?) as? Bool == false)
            }
            let results = realm.objects(Dog.self).sorted(byKeyPath: "name")
            #expect(results.value(forKey: "name") as? [String] == ["Bo", "Rex"])
            #expect(realm.objects(Dog.self).filter("name == 'Rex'").first?.owners.value(forKey: "firstName") != nil)
        }
    }

    @Test(.behaviour("B-336")) func operatorsInKeyPaths() throws {
        try withRealm { realm in
            let person = Person()
            for (name, age) in [("Rex", 3), ("Bo", 6), ("Rex", 0)] {
                person.dogs.append(Dog(value: ["name": name, "age": age]))
            }
            for isManaged in [false, true] {
                if isManaged { try realm.write { realm.add(person) } }
                let dogs = AnyRealmCollection(person.dogs)
                #expect(dogs.value(forKeyPath: "@avg.age") as? Double == 3)
                #expect(dogs.value(forKeyPath: "@sum.age") as? Int == 9)
                #expect(dogs.value(forKeyPath: "@min.age") as? Int == 0)
                #expect(dogs.value(forKeyPath: "@max.age") as? Int == 6)
                #expect(dogs.value(forKeyPath: "@count") as? Int == 3 && dogs.value(forKey: "@count") as? Int == 3)
                #expect(dogs.value(forKeyPath: "@unionOfObjects.name") as? [String] == ["Rex", "Bo", "Rex"])
                #expect(dogs.value(forKeyPath: "@distinctUnionOfObjects.name") as? [String] == ["Rex", "Bo"])
                #expect(person.value(forKeyPath: "dogs.@max.age") as? Int == 6)
                #expect((person.dogs.value(forKeyPath: "@avg.age") as [AnyObject])[0] as? Double == 3)
            }
            let people = realm.objects(Person.self)
            #expect((people.value(forKeyPath: "@unionOfArrays.dogs") as? [Dog])?.count == 3)
            #expect((people.value(forKeyPath: "@distinctUnionOfArrays.dogs") as? [Dog])?.count == 3)
            let numbers = List<Int>()
            numbers.append(objectsIn: [1, 2])
            #expect(numbers.value(forKeyPath: "@avg.self") as Any? as? Double == 1.5)
            #expect(List<Int>().value(forKeyPath: "@avg.self") as Any? == nil)
            #expect(List<Int>().value(forKeyPath: "@sum.self") as Any? as? Int == 0)
        }
    }

    static let badOperators: [(keyPath: String, text: String)] = [
        ("@foo.age", "Unsupported KVC collection operator found in key path '@foo.age'"),
        ("@sum", "Missing key path for KVC collection operator sum in key path '@sum'"),
        ("@sum.toy.name", "Nested key paths are not supported yet for KVC collection operators."),
        (
            "@unionOfArrays.self",
            "self is not a valid key-path for a KVC array collection operator as 'unionOfArrays'."
        ),
    ]

    @Test(.behaviour("B-336"), arguments: badOperators.indices) func operatorsThatAreNotForKeyPaths(_ index: Int) async
    {
        let keyPath = Self.badOperators[index].keyPath
        await #expect(processExitsWith: .failure, observing: .errorText) {
            [keyPath = keyPath as String] in
            inRealm { _ = $0.objects(Dog.self).value(forKeyPath: keyPath) }
        }.expectText(Self.badOperators[index].text)
    }

    @Test(.behaviour("B-177")) func setValueOfResults() throws {
        try withRealm { realm in
            try realm.write {
                realm.add([Dog(value: ["name": "a", "age": 3]), Dog(value: ["name": "b", "age": 4])])
                let results = realm.objects(Dog.self).filter("age > 2")
                // Both rows are set, although the first change excludes one from the query.
                results.setValue(1, forKey: "age")
                #expect(results.isEmpty)
            }
            #expect(realm.objects(Dog.self).map(\.age) == [1, 1])
        }
    }

    @Test(.behaviour("B-178")) func setValueOfValues() throws {
        try withBoth(["a", nil]) { list in
            list.setValue("x", forKey: "self")
            #expect(Array(list) == ["x", "x"])
        }
    }

    @Test func setValueByKeyPath() throws {
        try withRealm { realm in
            let dog = Dog(value: ["name": "Rex", "toy": ["name": "Bone"]])
            try realm.write {
                realm.add(dog)
                dog.setValue("Ball", forKeyPath: "toy.name")
                dog.setValue(2, forKey: "age")
            }
            #expect(dog.toy?.name == "Ball" && dog.value(forKey: "age") as? Int == 2)
            #expect(dog.value(forKeyPath: "toy.name") as? String == "Ball")
            #expect(Dog().value(forKeyPath: "toy.name") == nil)
        }
    }

    @Test func mapsByKeyPath() throws {
        try withRealm(Holder.types) { realm in
            let holder = Holder()
            Samples.fill(holder)
            for isManaged in [false, true] {
                if isManaged { try realm.write { realm.add(holder) } }
                #expect(holder.animalMap.value(forKeyPath: "leo.age") as? Int == 3)
                #expect(holder.animalMap.value(forKeyPath: "nobody.age") == nil)
                #expect(holder.animalMap.value(forKeyPath: "@max.age") as? Int == 3)
                #expect(holder.intMap.value(forKeyPath: "@sum.self") as? Int == 3)
                #expect(holder.intMap.value(forKeyPath: "one") as? Int == 1)
                #expect(holder.value(forKeyPath: "intMap.two") as? Int == 2)
            }
        }
    }
}
