// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift
import TestTraits
import Testing

/// Values that end the process, each with its text (model 1.2).
@Suite struct ObjectErrorTests: TrapSuite {
    @Test(.behaviour("B-139", "B-140", "B-144", "S24"), arguments: traps)
    func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    static let traps = [
        Trap("Invalid array input: more values (4) than properties (3).") { _ = Dog(value: ["Rex", 3, NSNull(), 4]) },
        Trap("Must provide a non-nil value.") { _ = Dog(value: NSNull()) },
        Trap("Invalid value 'three' of type 'String' for 'int' property 'Dog.age'.") {
            _ = Dog(value: ["age": "three"])
        },
        Trap("Invalid value '128' of type 'Int' for 'int?' property 'AllTypes.optInt8'.") {
            AllTypes()["optInt8"] = 128
        },
        Trap("Invalid value '<null>' of type 'NSNull' for 'string' property 'Dog.name'.") {
            _ = Dog(value: ["name": NSNull()])
        },
        Trap("Invalid value (5) for 'int' array property 'AllTypes.ints': value is not enumerable.") {
            _ = AllTypes(value: ["ints": 5])
        },
        Trap("Invalid value 'x' of type 'String' for 'int' array property 'AllTypes.ints'.") {
            _ = AllTypes(value: ["ints": [5, "x"] as [Any]])
        },
        Trap("Invalid property name 'nope' for class 'Dog'.") { _ = Dog()["nope"] },
        Trap("Invalid value '9' of type 'Int' for 'int' property 'AllTypes.size'.") {
            _ = AllTypes(value: ["size": 9])
        },
        Trap("Invalid data type for RLMPropertyTypeAny property. 'Holder.any' cannot hold 'Dog'") {
            _ = Holder(value: ["any": Dog.self])
        },
        Trap("an object of type 'RuleKey' with an existing primary key value 'twice'") {
            inWrite([RuleKey.self]) { realm in
                for _ in 0..<2 { realm.create(RuleKey.self, value: ["id": "twice"]) }
            }
        },
        Trap("uncaught exception 'NSUnknownKeyException'") { _ = Dog().value(forKey: "nothing") },
    ]

    @Test(.behaviour("B-142")) func missingKey() async {
        struct Source {
            var name = "Rex"
        }
        await #expect(processExitsWith: .failure, observing: .errorText) {
            _ = Dog(value: Source())
        }.expectText("to initialize object of type 'Dog': missing key 'age'")
    }
}
