// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

/// Lists of managed objects (collections 5, behaviours B-041 to B-081 and B-310 to B-337).
@Suite struct ManagedListTests {
    func withList(
        _ elements: [Int], isManaged: Bool = true, _ body: (List<Int>, Realm) throws -> Void
    ) throws {
        try withRealm { realm in
            try realm.write {
                let object = isManaged ? realm.create(AllTypes.self) : AllTypes()
                object.ints.append(objectsIn: elements)
                try body(object.ints, realm)
            }
        }
    }

    @Test(.behaviour("B-316 to B-325"), arguments: [false, true]) func changes(isManaged: Bool) throws {
        try withList([1, 2, 3], isManaged: isManaged) { list, realm in
            #expect(list.realm == (isManaged ? realm : nil) && !list.isInvalidated && list.count == 3 && list[1] == 2)
            #expect(list.first == 1 && list.last == 3 && Array(list) == [1, 2, 3])
            list.insert(9, at: 3)
            list.insert(8, at: 0)
            #expect(Array(list) == [8, 1, 2, 3, 9])
            list[1] = 7
            list.replace(index: 2, object: 6)
            #expect(Array(list) == [8, 7, 6, 3, 9])
            list.removeFirst()
            list.removeLast(2)
            #expect(Array(list) == [7, 6])
            list.insert(contentsOf: [4, 5], at: 1)
            list.removeLast()
            list.removeFirst(0)
            #expect(Array(list) == [7, 4, 5])
            list.removeLast()
            list[1] = 6
            list.replaceSubrange(0..<1, with: [1, 2, 3])
            #expect(Array(list) == [1, 2, 3, 6])
            list.move(from: 0, to: 2)
            #expect(Array(list) == [2, 3, 1, 6])
            list.swapAt(0, 3)
            #expect(Array(list) == [6, 3, 1, 2])
            list.move(fromOffsets: [0], toOffset: 2)
            #expect(Array(list) == [3, 6, 1, 2])
            list.remove(atOffsets: [0, 2])
            #expect(Array(list) == [6, 2])
            list.append(objectsIn: list)
            #expect(Array(list) == [6, 2, 6, 2] && list.index(of: 2) == 1 && list.index(of: 5) == nil)
            list.removeSubrange(1...)
            #expect(Array(list) == [6])
            list.removeAll()
            #expect(list.isEmpty && list.first == nil && list.last == nil)
        }
    }

    /// A list follows its own changes, and is located again after changes of another one. All ways of reading return
    /// the current elements.
    @Test func readsBetweenChanges() throws {
        try withList(Array(0..<3000)) { list, realm in
            let other = realm.create(AllTypes.self).ints
            var model = Array(0..<3000)
            for step in 0..<400 {
                switch step % 5 {
                case 0: model.removeLast(); list.removeLast()
                case 1: model.remove(at: step); list.remove(at: step)
                case 2: model.insert(step, at: step * 3); list.insert(step, at: step * 3)
                case 3: model.append(step); list.append(step)
                default: other.append(step)
                }
                switch step % 7 {
                case 0: #expect(list[step] == model[step] && list.last == model.last)
                case 1: #expect(list.index(of: step) == model.firstIndex(of: step))
                case 2: #expect(Array(list.prefix(9)) == Array(model.prefix(9)))
                case 3: #expect(list.count == model.count)
                default: break
                }
            }
            #expect(Array(list) == model && other.count == 80)
            while !list.isEmpty { list.removeLast() }
            #expect(list.count == 0 && list.last == nil && Array(list) == [])
            list.append(7)
            #expect(Array(list) == [7] && list[0] == 7)
        }
    }

    @Test func removesLastLinks() throws {
        try withRealm { realm in
            try realm.write {
                let owner = realm.create(Person.self)
                for age in 0..<600 { owner.dogs.append(realm.create(Dog.self, value: ["name": "dog", "age": age])) }
                owner.dogs.append(objectsIn: Array(owner.dogs.prefix(3)))
                for age in [2, 1, 0] {
                    #expect(owner.dogs.last?.age == age)
                    owner.dogs.removeLast()
                }
                for left in stride(from: 599, to: 400, by: -1) {
                    let last = owner.dogs.last
                    if left % 50 == 0, let last { realm.delete(last) } else { owner.dogs.removeLast() }
                    #expect(owner.dogs.count == left)
                    if left % 50 != 0 { #expect(last?.owners.count == 0) }
                }
                #expect(owner.dogs.map(\.age) == Array(0..<401))
            }
        }
    }

    /// Existing objects, new ones, and live collections that change while they are appended.
    @Test func linksOfEveryOrigin() throws {
        try withRealm { realm in
            try realm.write {
                let list = realm.create(Person.self).dogs
                let all = realm.objects(Dog.self)
                for age in 0..<3 { realm.create(Dog.self, value: ["name": "dog", "age": age]) }
                var ages: [Int] { list.map(\.age) }
                list.append(objectsIn: all.sorted(byKeyPath: "age", ascending: false))
                #expect(ages == [2, 1, 0] && list.count == 3)
                list.append(objectsIn: list)
                #expect(ages == [2, 1, 0, 2, 1, 0])
                list.insert(contentsOf: [list[5], Dog(value: ["age": 7]), list[0], Dog(value: ["age": 8])], at: 1)
                #expect(ages == [2, 0, 7, 2, 8, 1, 0, 2, 1, 0] && all.count == 5)
                list.insert(contentsOf: list.where { $0.age > 6 }, at: 9)
                #expect(ages == [2, 0, 7, 2, 8, 1, 0, 2, 1, 7, 8, 0])
                list.append(objectsIn: all.where { $0.owners.count == 1 })
                #expect(ages.count == list.count)
                for dog in all { #expect(dog.owners.count == ages.count { $0 == dog.age }) }
                var model = ages
                while let last = model.popLast() {
                    #expect(list.last?.age == last)
                    list.removeLast()
                    if model.count == 4 {
                        list.append(list[0])
                        #expect(ages == model + [model[0]])
                        list.removeLast(2)
                        model.removeLast()
                    }
                    #expect(ages == model)
                }
                #expect(all.allSatisfy { $0.owners.isEmpty })
            }
        }
    }

    @Test("every element type", .behaviour("B-087", "B-329")) func elementTypes() throws {
        try withRealm { realm in
            let object = AllTypes()
            let id = ObjectId.generate()
            let date = Date(timeIntervalSince1970: 12.5)
            func fill(_ object: AllTypes) {
                object.ints.append(objectsIn: [1, .max])
                object.bools.append(objectsIn: [true, nil, false])
                object.floats.append(1.5)
                object.doubles.append(2.5)
                object.strings.append(objectsIn: ["a", nil])
                object.datas.append(Data([1, 2]))
                object.dates.append(date)
                object.objectIds.append(id)
                object.uuids.append(objectsIn: [nil, UUID(uuidString: "00000000-0000-0000-0000-000000000001")])
                object.decimals.append(3.25)
                object.sizes.append(objectsIn: [.large, .small])
                object.colors.append(objectsIn: [.green, nil])
                object.links.append(Dog(value: ["name": "Rex"]))
                object.embeddeds.append(Address(value: ["street": "Main"]))
            }
            func check(_ object: AllTypes) {
                #expect(Array(object.ints) == [1, .max] && Array(object.bools) == [true, nil, false])
                #expect(Array(object.floats) == [1.5] && Array(object.doubles) == [2.5])
                #expect(Array(object.strings) == ["a", nil] && Array(object.datas) == [Data([1, 2])])
                #expect(Array(object.dates) == [date] && Array(object.objectIds) == [id])
                #expect(object.uuids[0] == nil && object.uuids[1] != nil && object.decimals[0] == 3.25)
                #expect(Array(object.sizes) == [.large, .small] && Array(object.colors) == [.green, nil])
                #expect(object.links[0].name == "Rex" && object.embeddeds[0].street == "Main")
            }
            fill(object)
            try realm.write { realm.add(object) }
            check(object)
            let other = try realm.write {
                let other = realm.create(AllTypes.self)
                fill(other)
                return other
            }
            check(other)
        }
    }

    @Test(.behaviour("B-050", "B-179", "B-180")) func objectsBecomeManaged() throws {
        try withRealm { realm in
            let person = Person()
            let list = person.dogs
            list.append(Dog(value: ["name": "Rex"]))
            try realm.write { realm.add(person) }
            #expect(person.dogs === list && list.realm == realm && list[0].name == "Rex" && list[0].realm == realm)
            let dog = Dog(value: ["name": "Ida"])
            try realm.write {
                list.append(dog)
                list.append(dog)
            }
            #expect(dog.realm == realm && list.count == 3 && list.index(of: dog) == 1)
            #expect(list.index(of: Dog()) == nil && realm.objects(Dog.self).count == 2)
            try realm.write { person.dogs = person.dogs }
            #expect(list.count == 3)
            let others = List<Dog>()
            others.append(dog)
            try realm.write { person.dogs = others }
            #expect(person.dogs === list && list.map(\.name) == ["Ida"])
            try realm.write { list[0] = Dog(value: ["name": "Max"]) }
            #expect(list.map(\.name) == ["Max"] && realm.objects(Dog.self).count == 3)
        }
    }

    @Test("a deleted object leaves its lists", .behaviour("B-047")) func deletedElements() throws {
        try withRealm { realm in
            let person = Person()
            let dogs = (0..<3).map { Dog(value: ["name": "\($0)"]) }
            person.dogs.append(objectsIn: dogs + dogs)
            try realm.write { realm.add(person) }
            try realm.write { realm.delete(dogs[1]) }
            #expect(person.dogs.map(\.name) == ["0", "2", "0", "2"])
        }
    }

    @Test("embedded objects die with their place", .behaviour("B-067")) func embedded() throws {
        try withRealm { realm in
            let object = AllTypes()
            try realm.write {
                realm.add(object)
                for city in ["a", "b", "c"] { object.embeddeds.append(Address(value: ["city": city])) }
            }
            let kept = object.embeddeds[2]
            let first = object.embeddeds[0]
            try realm.write {
                object.embeddeds[0] = first
                #expect(!first.isInvalidated)
                object.embeddeds[0] = Address(value: ["city": "x"])
                object.embeddeds.swapAt(0, 2)
                object.embeddeds.remove(at: 1)
            }
            #expect(first.isInvalidated && !kept.isInvalidated && object.embeddeds.map(\.city) == ["c", "x"])
            try realm.write { object.embeddeds.removeAll() }
            #expect(kept.isInvalidated && object.embeddeds.isEmpty)
        }
    }

    @Test(.behaviour("B-334")) func afterTheOwnerIsDeleted() throws {
        try withRealm { realm in
            let person = Person()
            person.dogs.append(Dog())
            try realm.write { realm.add(person) }
            let list = person.dogs
            try realm.write { realm.delete(person) }
            #expect(list.isInvalidated && list.isEmpty && Array(list).isEmpty && list.first == nil)
            #expect(list.realm == realm && realm.objects(Dog.self).count == 1)
        }
    }

    @Test("one list per property", .behaviour("B-080", "B-081")) func identity() throws {
        try withRealm { realm in
            let person = Person()
            try realm.write { realm.add(person) }
            let other = realm.objects(Person.self)[0]
            #expect(person.dogs === person.dogs && other.dogs !== person.dogs && other.dogs == person.dogs)
            #expect(person.dogs != List<Dog>() && other.dogs == person.dogs)
            let second = try realm.write { realm.create(Person.self, value: ["_id": ObjectId.generate()]) }
            #expect(second.dogs != person.dogs)
        }
    }

    @Test func ownership() throws {
        try withRealm { realm in
            try realm.write { realm.create(Person.self, value: ["dogs": [["name": "Rex"]]]) }
            var person: Person? = realm.objects(Person.self)[0]
            weak let weakPerson = person
            let list = person?.dogs
            person = nil
            #expect(weakPerson == nil && list?.count == 1 && list?[0].name == "Rex")
        }
    }

    @Test func changingWhileIterating() throws {
        try withList([1, 2, 3]) { list, _ in
            var seen: [Int] = []
            for element in list {
                seen.append(element)
                list.removeAll()
            }
            #expect(seen == [1, 2, 3] && list.isEmpty)
        }
    }

    /// A commit during a loop changes neither its elements nor the file it reads from.
    @Test func writingWhileIterating() throws {
        try withRealm { realm in
            let object = AllTypes()
            object.ints.append(objectsIn: 0..<3000)
            try realm.write { realm.add(object) }
            var seen: [Int] = []
            for element in object.ints {
                seen.append(element)
                if element % 500 == 0 { try realm.write { object.ints.remove(at: 0) } }
            }
            #expect(seen == Array(0..<3000) && object.ints.count == 2994)
        }
    }

    @Test(.behaviour("B-337")) func description() throws {
        try withList(Array(0..<101)) { list, _ in
            #expect(list.description.hasPrefix("List<int> <0x"))
            #expect(list.description.hasSuffix("\t[99] 99\n\t... 1 objects skipped.\n)"))
        }
    }

    @Test func cancelledCreation() throws {
        try withRealm { realm in
            realm.beginWrite()
            let person = realm.create(Person.self)
            let list = person.dogs
            list.append(Dog())
            realm.cancelWrite()
            try realm.write { realm.create(Person.self) }
            #expect(person.isInvalidated && list.isInvalidated && list.isEmpty)
        }
    }

    @Test(.behaviour("U11")) func aListFindsObjectsByTheirRows() throws {
        try withRealm(ruleTypes) { realm in
            let list = try realm.write {
                let toys = realm.create(RuleDog.self, value: ["id": 1]).toys
                for id in 1...100 { toys.append(realm.create(RuleToy.self, value: ["id": id])) }
                return toys
            }
            let (first, last) = (list[0], list[99])
            #expect(list._customContainsEquatableElement(last) == true && list.contains(last))
            #expect(realm.objects(RuleToy.self).contains(first))
            #expect(list.freeze().contains(last.freeze()) && !list.contains(last.freeze()))
            #expect(!list.contains(RuleToy(value: ["id": 1])))
            try realm.write { list.remove(at: 0) }
            #expect(!list.contains(first))
            try realm.write { realm.delete(first) }
            #expect(!list.contains(first))
        }
    }
}
