// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

/// Adding and creating objects (behaviours B-147 to B-171). Other suites test B-152, B-153, and others.
@Suite struct AddingTests: TrapSuite {
    private static let outsideOfAWrite =
        "Can only add, remove, or create objects in a Realm in a write transaction - call beginWriteTransaction on an "
        + "RLMRealm instance first."

    @Test(.behaviour("B-147")) func addedObjectsAreManaged() throws {
        try withRealm(ruleTypes) { realm in
            let ball = RuleBall(value: ["name": "red"])
            try realm.write { realm.add(ball) }
            #expect(ball.realm == realm && !ball.isInvalidated)
            #expect(realm.objects(RuleBall.self).count == 1)
            #expect(realm.objects(RuleBall.self)[0].isSameObject(as: ball))
            try realm.write { ball.name = "blue" }
            #expect(realm.objects(RuleBall.self)[0].name == "blue")
        }
    }

    @Test(.behaviour("B-148", "B-150", "B-151", "B-156", "B-166", "B-171"), arguments: traps)
    func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    static let traps = [
        Trap(Self.outsideOfAWrite) { inRealm(ruleTypes) { $0.add(RuleBall()) } },
        Trap("Object is already managed by another Realm. Use create instead to copy it into this Realm.") {
            inWrite(ruleTypes) { first in
                let ball = first.create(RuleBall.self)
                inWrite(ruleTypes) { second in second.add(ball) }
            }
        },
        Trap("Adding a deleted or invalidated object to a Realm is not permitted") {
            inWrite(ruleTypes) { realm in
                let ball = realm.create(RuleBall.self)
                realm.delete(ball)
                realm.add(ball)
            }
        },
        Trap("'RuleBall' does not have a primary key and can not be updated") {
            inWrite(ruleTypes) { $0.add(RuleBall(), update: .modified) }
        },
        Trap("'RuleBall' does not have a primary key and can not be updated") {
            inWrite(ruleTypes) { $0.create(RuleBall.self, value: ["name": "red"], update: .all) }
        },
        Trap(Self.outsideOfAWrite) { inRealm(ruleTypes) { $0.create(RuleBall.self) } },
        Trap("left: [1, 2] true") {
            inWrite(ruleTypes) { realm in
                nonisolated(unsafe) let realm = realm
                ExceptionHook.current = { _, _ in
                    let ids = realm.objects(RuleDog.self).map(\.id)
                    FileHandle.standardError.write(Data("left: \(Array(ids)) \(realm.isInWriteTransaction)\n".utf8))
                }
                realm.add([1, 2, 1, 3].map { RuleDog(value: ["id": $0]) })
            }
        },
    ]

    @Test(.behaviour("B-149")) func addingTwice() throws {
        try withRealm(ruleTypes) { realm in
            let dog = RuleDog(value: ["id": 1, "name": "Rex"])
            try realm.write {
                realm.add(dog)
                realm.add(dog)
                realm.add(dog, update: .all)
                realm.add(dog, update: .modified)
            }
            #expect(realm.objects(RuleDog.self).count == 1 && dog.name == "Rex")
        }
    }

    @Test(.behaviour("B-153")) func allPropertiesAreOverwritten() throws {
        try withRealm(ruleTypes) { realm in
            let dog = RuleDog(value: ["id": 1, "name": "Rex", "age": 7, "nickname": "R", "bites": [1, 2]])
            try realm.write { realm.add(dog) }
            let second = RuleDog(value: ["id": 1, "name": "Max", "toy": ["id": 4, "label": "rope"]])
            try realm.write { realm.add(second, update: .all) }
            #expect(realm.objects(RuleDog.self).count == 1 && second == dog)
            #expect(dog.name == "Max" && dog.age == 1 && dog.nickname == nil && dog.bites.isEmpty)
            #expect(dog.toy?.label == "rope")
        }
    }

    @Test(.behaviour("B-157")) func createWithDefaults() throws {
        try withRealm(ruleTypes) { realm in
            let ball = try realm.write { realm.create(RuleBall.self) }
            #expect(ball.realm == realm && ball.name == "" && ball.size == 3 && ball.toy == nil)
            #expect(realm.objects(RuleBall.self).count == 1)
        }
    }

    @Test(.behaviour("B-158", "B-159"), arguments: [Realm.UpdatePolicy.modified, .all])
    func onlyNamedPropertiesChange(_ update: Realm.UpdatePolicy) throws {
        try withRealm(ruleTypes) { realm in
            let dog = try realm.write {
                realm.create(
                    RuleDog.self, value: ["id": 1, "name": "Rex", "age": 7, "nickname": "R", "bites": [1], "ball": [:]])
            }
            let changed = try realm.write {
                realm.create(RuleDog.self, value: ["id": 1, "name": "Max", "nickname": NSNull()], update: update)
            }
            #expect(changed == dog && dog.name == "Max" && dog.age == 7 && dog.nickname == nil)
            #expect(Array(dog.bites) == [1] && dog.ball != nil)
            // An array sets properties in the order of declaration.
            try realm.write { realm.create(RuleDog.self, value: [1, "Bo"] as [Any], update: update) }
            #expect(dog.name == "Bo" && dog.age == 7 && realm.objects(RuleDog.self).count == 1)
        }
    }

    @Test(.behaviour("B-158", "B-165"), arguments: [Realm.UpdatePolicy.modified, .all])
    func nestedDictionariesChangeOnlyNamedProperties(_ update: Realm.UpdatePolicy) throws {
        try withRealm(ruleTypes) { realm in
            try realm.write {
                realm.create(RuleToy.self, value: ["id": 1, "label": "rope", "price": 9])
                realm.create(
                    RuleToy.self, value: ["id": 2, "label": "bone", "price": 8, "next": ["id": 3, "price": 7]])
            }
            let value: [String: Any] = [
                "id": 1, "toy": ["id": 1, "label": "old rope"], "toys": [["id": 2, "price": 1], ["id": 4], [1]],
                "toysByName": ["a": ["id": 3, "label": "third"], "b": NSNull()],
                "ball": ["name": "red", "toy": ["id": 3]],
            ]
            let dog = try realm.write { realm.create(RuleDog.self, value: value, update: update) }
            #expect(dog.toy?.label == "old rope" && dog.toy?.price == 9)
            #expect(dog.toys.map(\.id) == [2, 4, 1] && dog.toys.map(\.price) == [1, 5, 9])
            #expect(dog.toys[0].label == "bone" && dog.toys[0].next?.id == 3)
            #expect(dog.toysByName["a"]??.label == "third" && dog.toysByName["a"]??.price == 7)
            #expect(dog.ball?.toy?.label == "third" && realm.objects(RuleToy.self).count == 4)
            // Existing objects are updated in the same way. An object without a primary key is created again.
            try realm.write { realm.create(RuleDog.self, value: value, update: update) }
            #expect(dog.toys.map(\.price) == [1, 5, 9] && realm.objects(RuleBall.self).count == 2)
        }
    }

    @Test func embeddedObjectsStayUnderModified() throws {
        try withRealm(ruleTypes) { realm in
            let value: [String: Any] = ["id": 1, "home": ["city": "Oslo", "street": "Karl Johan"]]
            let dog = try realm.write { realm.create(RuleDog.self, value: value) }
            let home = try #require(dog.home)
            try realm.write {
                realm.create(RuleDog.self, value: ["id": 1, "home": ["city": "Rome"]], update: .modified)
            }
            #expect(!home.isInvalidated && home.city == "Rome" && home.street == "Karl Johan")
            let second = RuleDog(value: ["id": 1, "home": ["city": "Bonn"]])
            let secondHome = try #require(second.home)
            try realm.write { realm.add(second, update: .modified) }
            #expect(!home.isInvalidated && home.city == "Bonn" && home.street == "Main Street")
            #expect(secondHome.realm == realm && secondHome.isSameObject(as: home))
            try realm.write { realm.create(RuleDog.self, value: value, update: .all) }
            #expect(home.isInvalidated && dog.home?.city == "Oslo")
            try realm.write { realm.create(RuleDog.self, value: ["id": 1, "home": NSNull()], update: .modified) }
            #expect(dog.home == nil)
        }
    }

    @Test(.behaviour("B-161")) func aSecondRowFromAManagedObject() throws {
        try withRealm(ruleTypes) { realm in
            let ball = try realm.write { realm.create(RuleBall.self, value: ["name": "red", "toy": ["id": 1]]) }
            let copy = try realm.write { realm.create(RuleBall.self, value: ball) }
            #expect(!copy.isSameObject(as: ball) && copy.name == "red" && realm.objects(RuleBall.self).count == 2)
            #expect(copy.toy == ball.toy && realm.objects(RuleToy.self).count == 1)
        }
    }

    @Test(.behaviour("B-162")) func anObjectOfTheSameRealmIsItself() throws {
        try withRealm(ruleTypes) { realm in
            let dog = try realm.write { realm.create(RuleDog.self, value: ["id": 1, "name": "Rex", "age": 9]) }
            let same = try realm.write { realm.create(RuleDog.self, value: dog, update: .modified) }
            #expect(same.isSameObject(as: dog) && same.name == "Rex" && same.age == 9)
            #expect(realm.objects(RuleDog.self).count == 1)
        }
    }

    @Test(.behaviour("B-163")) func missingValuesAreDefaultsOrZero() throws {
        try withRealm(ruleTypes) { realm in
            let dog = try realm.write { realm.create(RuleDog.self, value: [String: Any]()) }
            #expect(dog.id == 0 && dog.name == "" && dog.age == 1)
        }
    }

    /// The process ends, and the transaction leaves nothing.
    @Test(.behaviour("B-164")) func aWrongTypeLeavesNoRow() async throws {
        let folder = try RuleFolder()
        try folder.open { realm in try realm.write { realm.add(RuleBall()) } }
        await #expect(processExitsWith: .failure, observing: .errorText) {
            [path = folder.folder.path as String] in
            let url = URL(fileURLWithPath: path + "/rules.realm")
            let realm = try Realm(configuration: Realm.Configuration(fileURL: url, objectTypes: ruleTypes))
            try realm.write {
                realm.create(RuleBall.self, value: ["name": "before"])
                realm.create(RuleBall.self, value: ["name": "after", "size": "huge"])
            }
        }.expectText("Invalid value 'huge' of type 'String' for 'int' property 'RuleBall.size'.")
        try folder.open { #expect($0.objects(RuleBall.self).map(\.name) == [""]) }
    }

    @Test(.behaviour("B-165")) func nestedObjectsOfTheSameRealmAreLinkedTo() throws {
        try withRealm(ruleTypes) { realm in
            let toy = try realm.write { realm.create(RuleToy.self, value: ["id": 1, "label": "rope"]) }
            let dog = try realm.write {
                realm.create(RuleDog.self, value: ["id": 1, "toy": toy, "toys": [toy, toy]], update: .modified)
            }
            #expect(dog.toy == toy && dog.toys.map(\.id) == [1, 1] && realm.objects(RuleToy.self).count == 1)
            #expect(toy.label == "rope")
        }
    }

    /// Undefined in the original. Here a copy of a cycle is a cycle.
    @Test(.behaviour("B-167")) func cyclesAreCopied() throws {
        try withRealm(ruleTypes) { source in
            let first = RuleBall(value: ["name": "first"])
            first.partner = RuleBall(value: ["name": "second"])
            first.partner?.partner = first
            try source.write { source.add(first) }
            try withRealm(ruleTypes) { target in
                let copy = try target.write { target.create(RuleBall.self, value: first) }
                #expect(copy.partner?.name == "second" && copy.partner?.partner?.name == "first")
                #expect(copy.partner?.partner?.realm == target)
            }
        }
    }

    @Test(.behaviour("B-168", "B-169")) func valuesFromJSON() throws {
        let json = """
            {"id": 1, "name": "Rex", "home": {"city": "Oslo"}, "toy": {"id": 1, "label": "rope"}, "bites": [3, 1],
            "toys": [{"id": 2, "next": {"id": 3}}, {"id": 4}], "marks": {"front": 1, "back": 2}, "nickname": null}
            """
        try withRealm(ruleTypes) { realm in
            let value = try JSONSerialization.jsonObject(with: Data(json.utf8))
            let dog = try realm.write { realm.create(RuleDog.self, value: value) }
            #expect(dog.name == "Rex" && dog.home?.city == "Oslo" && dog.toy?.label == "rope" && dog.nickname == nil)
            #expect(Array(dog.bites) == [3, 1] && dog.toys.map(\.id) == [2, 4] && dog.toys[0].next?.id == 3)
            #expect(dog.marks["front"] == 1 && dog.marks["back"] == 2 && dog.marks.count == 2)
        }
    }

    @Test(.behaviour("B-169")) func mapsFromLiterals() throws {
        try withRealm(ruleTypes) { realm in
            let dog = try realm.write { realm.create(RuleDog.self, value: ["id": 1, "marks": ["a": 1, "b": 2]]) }
            #expect(dog.marks.count == 2 && dog.marks["b"] == 2)
        }
    }

    @Test(.behaviour("B-171")) func sequences() throws {
        try withRealm(ruleTypes) { realm in
            try realm.write { realm.add((1...3).lazy.map { RuleDog(value: ["id": $0]) }) }
            #expect(realm.objects(RuleDog.self).map(\.id) == [1, 2, 3])
        }
    }
}
