// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift
import TestTraits
import Testing

/// Values that end the process, each with its text (model 1.2).
@Suite struct ObjectErrorTests {
    @Test(.behaviour("B-139")) func tooManyValues() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            _ = Dog(value: ["Rex", 3, NSNull(), 4])
        }.expectText("Invalid array input: more values (4) than properties (3).")
    }

    @Test func noValue() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            _ = Dog(value: NSNull())
        }.expectText("Must provide a non-nil value.")
    }

    @Test(.behaviour("B-140")) func wrongType() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            _ = Dog(value: ["age": "three"])
        }.expectText("Invalid value 'three' of type 'String' for 'int' property 'Dog.age'.")
    }

    @Test func valueOutOfRange() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            AllTypes()["optInt8"] = 128
        }.expectText("Invalid value '128' of type 'Int' for 'int?' property 'AllTypes.optInt8'.")
    }

    @Test(.behaviour("B-144")) func nilForRequired() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            _ = Dog(value: ["name": NSNull()])
        }.expectText("Invalid value '<null>' of type 'NSNull' for 'string' property 'Dog.name'.")
    }

    @Test func noCollection() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            _ = AllTypes(value: ["ints": 5])
        }.expectText("Invalid value (5) for 'int' array property 'AllTypes.ints': value is not enumerable.")
    }

    @Test func wrongElement() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            _ = AllTypes(value: ["ints": [5, "x"] as [Any]])
        }.expectText("Invalid value 'x' of type 'String' for 'int' array property 'AllTypes.ints'.")
    }

    @Test(.behaviour("B-142")) func missingKey() async {
        struct Source {
            var name = "Rex"
        }
        await #expect(processExitsWith: .failure, observing: .errorText) {
            _ = Dog(value: Source())
        }.expectText("to initialize object of type 'Dog': missing key 'age'")
    }

    @Test func unknownName() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            _ = Dog()["nope"]
        }.expectText("Invalid property name 'nope' for class 'Dog'.")
    }

    @Test(.behaviour("S24")) func aWrongValueNamesClassAndProperty() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            _ = AllTypes(value: ["size": 9])
        }.expectText("Invalid value '9' of type 'Int' for 'int' property 'AllTypes.size'.")
        await #expect(processExitsWith: .failure, observing: .errorText) {
            _ = Holder(value: ["any": Dog.self])
        }.expectText("Invalid data type for RLMPropertyTypeAny property. 'Holder.any' cannot hold 'Dog'")
    }

    @Test(.behaviour("S24")) func anExistingKeyIsQuoted() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            inWrite([RuleKey.self]) { realm in
                for _ in 0..<2 { realm.create(RuleKey.self, value: ["id": "twice"]) }
            }
        }.expectText("an object of type 'RuleKey' with an existing primary key value 'twice'")
    }

    @Test(.behaviour("S24")) func unknownKeysAreFoundations() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            _ = Dog().value(forKey: "nothing")
        }.expectText("uncaught exception 'NSUnknownKeyException'")
    }
}
