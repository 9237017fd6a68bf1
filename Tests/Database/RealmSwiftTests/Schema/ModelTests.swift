// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

/// Definition of object models, except for cases in other suites (behaviours B-001 to B-040).
@Suite struct ModelTests {
    final class Defaulted: TestObject {
        @Persisted var number = 5
        @Persisted var name: String
    }

    @Test(.behaviour("B-010")) func defaultOnEveryRoute() throws {
        #expect(Defaulted().number == 5 && Defaulted(value: ["name": "a"]).number == 5)
        #expect(Defaulted(value: [Int]()).number == 5 && Defaulted.init().name == "")
        try withRealm([Defaulted.self]) { realm in
            try realm.write {
                realm.add(Defaulted())
                realm.create(Defaulted.self)
                realm.create(Defaulted.self, value: ["name": "b"])
            }
            #expect(realm.objects(Defaulted.self).map(\.number) == [5, 5, 5])
        }
    }

    /// `@objc dynamic` represents all properties of the older style here.
    final class BothStyles: TestObject {
        @Persisted var name: String
        @Persisted(_dynamic: true) dynamic var age = 3
        let numbers = List<Int>()
        let size = RealmProperty<Int?>()
    }

    @Test(.behaviour("B-012")) func theOlderStyleIsIgnoredNextToPersisted() throws {
        #expect(BothStyles().objectSchema.properties.map(\.name) == ["name"])
        try withRealm([BothStyles.self]) { realm in
            let object = BothStyles(value: ["name": "a", "age": 9])
            object.numbers.append(1)
            try realm.write { realm.add(object) }
            // Ignored values stay in memory, and can be changed outside of writes.
            object.age = 4
            object.size.value = 2
            #expect(object.age == 4 && object.numbers.realm == nil && object.size.value == 2)
        }
    }

    class Beast: TestObject {
        @Persisted var legs = 4
    }

    final class Wolf: Beast {
        @Persisted var pack: String
    }

    @Test(.behaviour("B-016")) func queriesLeaveSubclassesOut() throws {
        try withRealm([Beast.self, Wolf.self]) { realm in
            try realm.write {
                realm.add(Wolf(value: ["pack": "north"]))
                realm.add(Beast())
            }
            #expect(realm.objects(Beast.self).count == 1 && realm.objects(Wolf.self).count == 1)
            #expect(realm.objects(Wolf.self).first?.legs == 4)
        }
    }

    final class Indexes: TestObject {
        @Persisted(indexed: true) var int: Int
        @Persisted(indexed: true) var int8: Int8?
        @Persisted(indexed: true) var optInt: Int?
        @Persisted(indexed: true) var bool: Bool
        @Persisted(indexed: true) var optBool: Bool?
        @Persisted(indexed: true) var string: String
        @Persisted(indexed: true) var optString: String?
        @Persisted(indexed: true) var date: Date
        @Persisted(indexed: true) var optDate: Date?
        @Persisted(indexed: true) var uuid: UUID
        @Persisted(indexed: true) var optUuid: UUID?
        @Persisted(indexed: true) var objectId: ObjectId
        @Persisted(indexed: true) var optObjectId: ObjectId?
        @Persisted(indexed: true) var size: Size
        @Persisted(indexed: true) var optColor: Color?
    }

    @Test(.behaviour("B-020")) func indexedTypes() throws {
        #expect(Indexes().objectSchema.properties.allSatisfy { $0.isIndexed })
        #expect(Indexes().objectSchema.properties.count == 15)
        try withRealm([Indexes.self]) { realm in
            try realm.write { _ = realm.create(Indexes.self, value: ["optColor": Color.green]) }
            #expect(realm.objects(Indexes.self).where { $0.optColor == .green && $0.optInt == nil }.count == 1)
        }
    }

    @Test(.behaviour("B-078")) func anIndexChangesNoResult() throws {
        class Plain: TestObject {
            @Persisted var number: Int
            @Persisted var text: String?
        }
        class Indexed: TestObject {
            @Persisted(indexed: true) var number: Int
            @Persisted(indexed: true) var text: String?
        }
        let seed = UInt64.random(in: 0..<1_000_000)
        var random = SeededGenerator(seed: seed)
        let texts: [String?] = [nil, "", "a", "ä", "A long text that lies outside of the column's leaf: \(seed)"]
        let rows = (0..<500).map { _ in
            (Int.random(in: -3...3, using: &random), texts.randomElement(using: &random) ?? nil)
        }
        try withRealm([Plain.self, Indexed.self]) { realm in
            try realm.write {
                for (number, text) in rows {
                    realm.create(Plain.self, value: ["number": number, "text": text as Any])
                    realm.create(Indexed.self, value: ["number": number, "text": text as Any])
                }
            }
            let (plain, indexed) = (realm.objects(Plain.self), realm.objects(Indexed.self))
            for number in -4...4 {
                let expected = plain.where { $0.number == number }.map(\.text)
                #expect(Array(indexed.where { $0.number == number }.map(\.text)) == Array(expected), "seed \(seed)")
                let several = plain.where { $0.number.in([number, 2]) }.map(\.text)
                #expect(
                    Array(indexed.where { $0.number.in([number, 2]) }.map(\.text)) == Array(several), "seed \(seed)")
            }
            for text in texts + ["absent"] {
                let expected = plain.where { $0.text == text }.map(\.number)
                #expect(Array(indexed.where { $0.text == text }.map(\.number)) == Array(expected), "seed \(seed)")
            }
        }
    }

    @Test(.behaviour("B-079", "B-080")) func unmanagedCollectionsNeedNoWrite() throws {
        try withRealm { realm in
            let person = Person()
            person.dogs.append(Dog(value: ["name": "Rex"]))
            person.dogs[0] = Dog(value: ["name": "Max"])
            #expect(person.dogs.map(\.name) == ["Max"])
            let managed = try realm.write { realm.create(Person.self) }
            #expect(managed.dogs === managed.dogs)
        }
    }

    // MARK: Names

    final class LongClassName: TestObject {
        @Persisted var a: Int
        override class func _realmObjectName() -> String? { String(repeating: "ü", count: 28) + "ab" }
    }

    final class LongPropertyName: TestObject {
        @Persisted var a234567890123456789012345678901234567890123456789012345678901234: Int
    }

    final class LongestNames: TestObject {
        @Persisted var a23456789012345678901234567890123456789012345678901234567890123: Int
        override class func _realmObjectName() -> String? { String(repeating: "ü", count: 28) + "a" }
    }

    @Test(.behaviour("B-022")) func lengthOfNames() throws {
        #expect {
            try withRealm([LongClassName.self]) { _ in }
        } throws: { "\($0)".contains("57 bytes") }
        #expect {
            try withRealm([LongPropertyName.self]) { _ in }
        } throws: { "\($0)".contains("63 bytes") }
        try withRealm([LongestNames.self]) { realm in
            try realm.write { _ = realm.create(LongestNames.self) }
            #expect(realm.objects(LongestNames.self).count == 1)
        }
    }

    final class OneColumn: TestObject {
        @Persisted var a: Int
        @Persisted var b: Int
        override class func propertiesMapping() -> [String: String] { ["a": "c", "b": "c"] }
    }

    @Test(.behaviour("B-038")) func twoNamesOfOneColumn() throws {
        #expect {
            try withRealm([OneColumn.self]) { _ in }
        } throws: { "\($0)".contains("appears more than once in the schema") }
    }

    final class Mapped: TestObject {
        @Persisted var firstName: String
        @Persisted var age: Int
        override class func propertiesMapping() -> [String: String] { ["firstName": "first_name"] }
    }

    @Test(.behaviour("B-036", "B-039")) func publicNamesAreUsedThroughout() throws {
        try withRealm([Mapped.self]) { realm in
            try realm.write {
                for (name, age) in [("b", 1), ("a", 2), ("a", 3)] {
                    realm.create(Mapped.self, value: ["firstName": name, "age": age])
                }
            }
            let all = realm.objects(Mapped.self)
            #expect(all.filter("firstName == 'a'").count == 2 && all.where { $0.firstName == "b" }.count == 1)
            #expect(all.sorted(byKeyPath: "firstName").map(\.age) == [2, 3, 1])
            #expect(all.sorted(by: \.firstName, ascending: false).first?.age == 1)
            #expect(all.distinct(by: ["firstName"]).map(\.age) == [1, 2])
            #expect(all.max(ofProperty: "age") == 3 as Int?)
            let first = try #require(all.first)
            #expect(first["firstName"] as? String == "b")
            #expect(first.description == "Mapped {\n\tfirstName = b;\n\tage = 1;\n}")
            try realm.write { first["firstName"] = "c" }
            #expect(first.firstName == "c")
        }
    }

    @Test(.behaviour("B-036"), arguments: ["filter", "sorted", "distinct", "subscript"])
    func columnNamesAreUnknown(_ use: String) async {
        await #expect(processExitsWith: .failure, observing: .errorText) { [use] in
            inRealm([Mapped.self]) { realm in
                let all = realm.objects(Mapped.self)
                switch use {
                case "filter": _ = all.filter("first_name == 'a'").count
                case "sorted": _ = all.sorted(byKeyPath: "first_name").count
                case "distinct": _ = all.distinct(by: ["first_name"]).count
                default: try realm.write { _ = realm.create(Mapped.self)["first_name"] }
                }
            }
        }.expectText("first_name")
    }

    // MARK: Limits

    @Test(.behaviour("B-023")) func textTooBig() async throws {
        try withRealm { realm in
            let dog = try realm.write { realm.create(Dog.self) }
            try realm.write { dog.name = String(repeating: "x", count: 16_777_199) }
            #expect(dog.name.utf8.count == 16_777_199)
        }
        await #expect(processExitsWith: .failure, observing: .errorText) {
            inWrite { $0.create(Dog.self).name = String(repeating: "x", count: 16_777_200) }
        }.expectText("String too big")
    }

    @Test(.behaviour("B-024")) func dataTooBig() async throws {
        try withRealm { realm in
            let object = try realm.write { realm.create(AllTypes.self) }
            try realm.write { object.data = Data(count: 16_777_200) }
            #expect(object.data.count == 16_777_200)
        }
        await #expect(processExitsWith: .failure, observing: .errorText) {
            inWrite { $0.create(AllTypes.self).data = Data(count: 16_777_201) }
        }.expectText("Binary too big")
    }
}
