// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift
import TestTraits
import Testing

/// Values that end the process, each with its text (model 1.2).
@Suite struct ObjectErrorTests {
    @Test(.behaviour("B-139")) func tooManyValues() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Dog(value: ["Rex", 3, NSNull(), 4])
        }
        expect("Invalid array input: more values (4) than properties (3).", in: result)
    }

    @Test func noValue() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Dog(value: NSNull())
        }
        expect("Must provide a non-nil value.", in: result)
    }

    @Test(.behaviour("B-140")) func wrongType() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Dog(value: ["age": "three"])
        }
        expect("Invalid value 'three' of type 'String' for 'int' property 'Dog.age'.", in: result)
    }

    @Test func valueOutOfRange() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            AllTypes()["optInt8"] = 128
        }
        expect("Invalid value '128' of type 'Int' for 'int?' property 'AllTypes.optInt8'.", in: result)
    }

    @Test(.behaviour("B-144")) func nilForRequired() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Dog(value: ["name": NSNull()])
        }
        expect("Invalid value '<null>' of type 'NSNull' for 'string' property 'Dog.name'.", in: result)
    }

    @Test func noCollection() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = AllTypes(value: ["ints": 5])
        }
        expect("Invalid value (5) for 'int' array property 'AllTypes.ints': value is not enumerable.", in: result)
    }

    @Test func wrongElement() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = AllTypes(value: ["ints": [5, "x"] as [Any]])
        }
        expect("Invalid value 'x' of type 'String' for 'int' array property 'AllTypes.ints'.", in: result)
    }

    @Test(.behaviour("B-142")) func missingKey() async {
        struct Source {
            var name = "Rex"
        }
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Dog(value: Source())
        }
        expect("to initialize object of type 'Dog': missing key 'age'", in: result)
    }

    @Test func unknownName() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Dog()["nope"]
        }
        expect("Invalid property name 'nope' for class 'Dog'.", in: result)
    }

    @Test(.behaviour("S24")) func aWrongValueNamesClassAndProperty() async {
        let enumeration = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = AllTypes(value: ["size": 9])
        }
        expect("Invalid value '9' of type 'Int' for 'int' property 'AllTypes.size'.", in: enumeration)
        let mixed = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Holder(value: ["any": Dog.self])
        }
        expect("Invalid data type for RLMPropertyTypeAny property. 'Holder.any' cannot hold 'Dog'", in: mixed)
    }

    @Test(.behaviour("S24")) func anExistingKeyIsQuoted() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            inWrite([RuleKey.self]) { realm in
                for _ in 0..<2 { realm.create(RuleKey.self, value: ["id": "twice"]) }
            }
        }
        expect("an object of type 'RuleKey' with an existing primary key value 'twice'", in: result)
    }

    @Test(.behaviour("S24")) func unknownKeysAreFoundations() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = Dog().value(forKey: "nothing")
        }
        expect("uncaught exception 'NSUnknownKeyException'", in: result)
    }
}
