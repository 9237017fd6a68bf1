// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

/// Changing objects (behaviours B-174 to B-181).
@Suite struct UpdatingTests: TrapSuite {
    @Test(.behaviour("B-174", "B-176", "T16"), arguments: traps)
    func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    static let traps = [
        Trap("Primary key can't be changed to '2' after an object is inserted.") {
            inWrite(ruleTypes) { $0.create(RuleDog.self, value: ["id": 1])["id"] = 2 }
        },
        Trap("Primary key can't be changed after an object is inserted.") {
            inWrite(ruleTypes) { $0.create(RuleDog.self, value: ["id": 1]).id = 1 }
        },
        Trap("Invalid property name 'nope' for class 'RuleDog'.") {
            inWrite(ruleTypes) { _ = $0.create(RuleDog.self)["nope"] }
        },
        Trap("Cannot modify primary key after creation: 'RuleDog.id'") {
            inWrite(ruleTypes) { $0.create(RuleDog.self).setValue(0, forKey: "id") }
        },
    ]

    @Test(.behaviour("B-175")) func thePrimaryKeyOfAnUnmanagedObject() throws {
        let dog = RuleDog()
        for id in [3, 1, 2] { dog.id = id }
        dog["id"] = 7
        #expect(dog.id == 7)
        try withRealm(ruleTypes) { realm in
            try realm.write { realm.add(dog) }
            #expect(realm.object(ofType: RuleDog.self, forPrimaryKey: 7) == dog)
        }
    }

    @Test(.behaviour("B-179", "B-180")) func assigningLists() throws {
        try withRealm(ruleTypes) { realm in
            let first = RuleDog(value: ["id": 1, "bites": [1, 2, 3]])
            let second = RuleDog(value: ["id": 2, "bites": [9]])
            try realm.write { realm.add([first, second]) }
            let bites = first.bites
            try realm.write { first.bites = second.bites }
            #expect(Array(bites) == [9] && Array(first.bites) == [9] && first.bites === bites)
            try realm.write { second.bites.append(5) }
            #expect(Array(first.bites) == [9] && Array(second.bites) == [9, 5])
            try realm.write { second.bites = second.bites }
            #expect(Array(second.bites) == [9, 5])
        }
    }

    /// Reading a deleted object returns empty values, unless the original's behaviour is enabled
    /// (`B_181_readingADeletedObjectCanTrap`). The first read is logged.
    @Test(.behaviour("B-181")) func readingADeletedObject() async {
        let result = await #expect(processExitsWith: .success, observing: .errorText) {
            inWrite(ruleTypes) { realm in
                let dog = realm.create(RuleDog.self, value: ["id": 1, "name": "Rex", "toy": ["id": 1]])
                realm.delete(dog)
                precondition(dog.name == "" && dog.name == "" && dog.toy == nil && dog.isInvalidated)
            }
        }
        let text = "ERROR: 'RuleDog.name' was read from a deleted or invalidated object; the empty value is returned."
        #expect(result.errorText.components(separatedBy: text).count == 2)
    }
}
