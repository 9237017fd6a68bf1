// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import TestTraits
import Testing

@testable import RealmSwift

/// Classes without `@Persisted` (model 6).
@Suite struct LegacyPropertyTests: TrapSuite {
    private static func fill(_ person: OldPerson) {
        person.name = "Ada"
        person.nickname = "A"
        person.age.value = 36
        person.weight.value = 50.5
        person.isTall.value = false
        person.size.value = .large
        person.newerSize.value = .small
        person.anything.value = .fromArray([.int(1), .string("x")])
        person.dogs.append(objectsIn: [OldDog("Rex"), OldDog("Max")])
        person.tags.insert("t")
        person.scores["a"] = 1
        person.scores.updateValue(nil, forKey: "b")
    }

    private static func verify(_ person: OldPerson) {
        #expect(person.name == "Ada" && person.nickname == "A" && person.age.value == 36)
        #expect(person.weight.value == 50.5 && person.isTall.value == false)
        #expect(person.size.value == .large && person.newerSize.value == .small)
        #expect(person.anything.value.listValue.map { Array($0) } == [.int(1), .string("x")])
        #expect(person.dogs.map(\.name) == ["Rex", "Max"] && Array(person.tags) == ["t"])
        #expect(person.scores["a"] == .some(1) && person.scores["b"] == .some(nil) && person.scores.count == 2)
    }

    @Test func schema() {
        let schema = OldPerson().objectSchema
        #expect(
            schema.properties.map(\.name) == [
                "id", "name", "nickname", "friend", "age", "weight", "isTall", "size", "newerSize", "anything", "dogs",
                "tags", "scores",
            ])
        #expect(schema.primaryKeyProperty?.name == "id" && schema["id"]?.isIndexed == true)
        #expect(schema["name"]?.isIndexed == true && schema["anything"]?.isIndexed == true)
        #expect(schema["age"]?.type == .int && schema["age"]?.isOptional == true && schema["age"]?.isArray == false)
        #expect(schema["size"]?.type == .int && schema["anything"]?.type == .any)
        #expect(schema["dogs"]?.isArray == true && schema["dogs"]?.objectClassName == "OldDog")
        #expect(schema["tags"]?.isSet == true && schema["scores"]?.isMap == true)
        #expect(OldDog().objectSchema["owners"]?.type == .linkingObjects)
        // Equal to today's properties, except for the index that `@Persisted` doesn't offer.
        let today = NewPerson().objectSchema.properties.filter { $0.name != "anything" && $0.objectClassName == nil }
        #expect(schema.properties.filter { $0.name != "anything" && $0.objectClassName == nil } == today)
    }

    @Test func unmanagedValues() {
        let person = OldPerson()
        #expect(person.age.value == nil && person.anything.value == .none && person.name == "?")
        Self.fill(person)
        Self.verify(person)
        #expect(OldDog().owners.isEmpty)
        let other = OldPerson(value: person)
        Self.verify(other)
        let given = OldPerson(value: ["id": 1, "age": 3, "dogs": [["name": "Bo"]], "anything": "x", "size": 7])
        #expect(given.age.value == 3 && given.dogs.first?.name == "Bo" && given.anything.value == .string("x"))
        #expect(given.size.value == .large && given["age"] as? Int == 3)
        given["age"] = nil
        #expect(given.age.value == nil && given.description.contains("\tage = (null);\n"))
    }

    @Test func storedAndReopened() throws {
        let file = try TemporaryFolderURL()
        try file.open(OldPerson.types) { realm in
            let person = OldPerson()
            Self.fill(person)
            let (age, dogs, scratch) = (person.age, person.dogs, person.scratch)
            try realm.write { realm.add(person) }
            Self.verify(person)
            #expect(person.age === age && person.dogs === dogs && dogs.realm == realm && scratch == 1)
            #expect(person.dogs[0].owners.count == 1 && person.dogs[0].owners.first == person)
            try realm.write {
                age.value = 37
                person.anything.value.listValue?.append(.bool(true))
            }
            #expect(person.age.value == 37 && person.anything.value.listValue?.count == 3)
            person.scratch = 5
            person.plain = 6
            #expect(person.scratch == 5 && realm.objects(OldPerson.self).first?.scratch == 1)
            try realm.write {
                Self.fill(realm.create(OldPerson.self, value: ["id": 2]))
                realm.create(OldPerson.self, value: ["id": 1, "weight": 1, "friend": ["id": 2]], update: .modified)
            }
        }
        try file.open(OldPerson.types) { realm in
            let second = try #require(realm.object(ofType: OldPerson.self, forPrimaryKey: 2))
            Self.verify(second)
            let first = try #require(realm.object(ofType: OldPerson.self, forPrimaryKey: 1))
            #expect(first.friend == second && first.weight.value == 1 && first.age.value == nil && first.name == "?")
            try realm.write { first.anything.value = .object(second) }
            #expect(first.anything.value.object(OldPerson.self) == second)
            let age = second.age
            try realm.write { realm.delete(second) }
            #expect(age.value == nil && first.anything.value == .none && second.size.value == nil)
        }
    }

    @Test func bothStylesShareAFile() throws {
        let file = try TemporaryFolderURL()
        try file.open(OldPerson.types) { realm in
            let person = OldPerson()
            Self.fill(person)
            try realm.write { realm.add(person) }
        }
        try file.open(NewPerson.types) { realm in
            let person = try #require(realm.objects(NewPerson.self).first)
            #expect(person.age == 36 && person.size == 7 && person.newerSize == .small && person.isTall == false)
            #expect(person.dogs.map(\.name) == ["Rex", "Max"] && person.scores["b"] == .some(nil))
            try realm.write {
                person.age = nil
                person.dogs.removeLast()
            }
        }
        try file.open(OldPerson.types) { realm in
            let person = try #require(realm.objects(OldPerson.self).first)
            #expect(person.age.value == nil && person.dogs.count == 1 && person.weight.value == 50.5)
        }
    }

    @Test func inversesAreLive() throws {
        try withRealm(OldPerson.types) { realm in
            let (person, dog) = (OldPerson(), OldDog("Rex"))
            let owners = dog.owners
            #expect(owners.count == 0 && owners.realm == nil)
            try realm.write {
                person.dogs.append(dog)
                realm.add(person)
            }
            #expect(dog.owners.count == 1 && owners.count == 1 && owners.first == person)
            let found = try #require(realm.objects(OldDog.self).first)
            #expect(found.owners == dog.owners && found.owners.filter("name == '?'").count == 1)
            try realm.write { person.dogs.removeAll() }
            #expect(dog.owners.isEmpty && found.owners.isEmpty)
        }
    }

    @Test func queries() throws {
        try withRealm(OldPerson.types) { realm in
            try realm.write {
                for id in 0..<4 {
                    let person = realm.create(OldPerson.self, value: ["id": id, "name": "n\(id)"])
                    person.age.value = id == 0 ? nil : id * 10
                    if id == 3 { person.dogs.append(OldDog("Rex")) }
                }
            }
            let all = realm.objects(OldPerson.self)
            #expect(all.filter("age > 10").map(\.id) == [2, 3] && all.where { $0.age > 10 }.map(\.id) == [2, 3])
            #expect(all.where { $0.age == nil }.map(\.id) == [0] && all.where { $0.name == "n1" }.map(\.id) == [1])
            #expect(all.where { $0.dogs.name == "Rex" }.map(\.id) == [3] && all.where { $0.dogs.count == 0 }.count == 3)
            #expect(all.sorted(byKeyPath: "age", ascending: false).map(\.id) == [3, 2, 1, 0])
            #expect(all.max(ofProperty: "age") == 30 as Int?)
            #expect(realm.objects(OldDog.self).where { $0.owners.id == 3 }.count == 1)
        }
    }

    @Test func equalityAndText() {
        let (first, second) = (RealmProperty<Int?>(), RealmProperty<Int?>())
        #expect(first == second && first.description == "nil")
        first.value = 5
        #expect(first != second && first.description == "Optional(5)" && "\(first)" == first.description)
        second.value = 5
        #expect(first == second)
    }

    private struct Coded: Codable {
        var age: RealmProperty<Int?>
        var sizes: [RealmProperty<Bool?>]
    }

    @Test(.behaviour("B-576")) func codesAsTheValue() throws {
        let data = Data(#"{"age":null,"sizes":[true,null]}"#.utf8)
        let coded = try JSONDecoder().decode(Coded.self, from: data)
        #expect(coded.age.value == nil && coded.sizes.map(\.value) == [true, nil])
        coded.age.value = 4
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(
            String(decoding: try encoder.encode(coded), as: UTF8.self) == #"{"age":4,"sizes":[true,null]}"#)
        #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(Coded.self, from: Data(#"{"age":"x","sizes":[]}"#.utf8))
        }
    }

    // MARK: Programmer errors

    @Test(arguments: traps) func programmerErrorsEndTheProcess(_ trap: Trap) async {
        await trap.expect(in: Self.self)
    }

    static let traps = [
        Trap("Attempting to modify object outside of a write transaction") {
            inRealm(OldPerson.types) { realm in
                let person = try realm.write { realm.create(OldPerson.self) }
                person.age.value = 1
            }
        },
        Trap("Object has been deleted or invalidated.") {
            inWrite(OldPerson.types) { realm in
                let person = realm.create(OldPerson.self)
                realm.delete(person)
                person.age.value = 1
            }
        },
        Trap("Cannot modify primary key after creation: 'OptionalKey.id'") {
            inWrite([OptionalKey.self]) { realm in
                realm.create(OptionalKey.self, value: ["id": 1]).id.value = 2
            }
        },
    ]

    final class OptionalKey: TestObject {
        let id = RealmProperty<Int?>()
        override class func primaryKey() -> String? { "id" }
    }
}

/// The operations of a class that can't be named without a warning.
protocol OldestStyle: Object {
    func exercise(_ realm: Realm) throws
}

/// The deprecated type `RealmOptional`.
@Suite struct RealmOptionalTests {
    @available(*, deprecated)
    final class OldestPerson: TestObject, OldestStyle {
        let age = RealmOptional<Int>()
        let height = RealmOptional<Double>(1.5)
        let size = RealmOptional<OldSize>(.small)

        func exercise(_ realm: Realm) throws {
            #expect(age.value == nil && height.value == 1.5 && size.value == .small)
            age.value = 3
            try realm.write { realm.add(self) }
            #expect(age.value == 3 && height.value == 1.5 && size.value == .small && age.description == "Optional(3)")
            try realm.write {
                age.value = nil
                size.value = .large
            }
            #expect(age.value == nil && self["size"] as? Int == 7 && age == RealmOptional<Int>())
            let data = try JSONEncoder().encode([height, RealmOptional<Double>()])
            #expect(String(decoding: data, as: UTF8.self) == "[1.5,null]")
            let decoded = try JSONDecoder().decode([RealmOptional<Double>].self, from: data)
            #expect(decoded.map(\.value) == [1.5, nil])
        }
    }

    /// A conformance adds no requirements, but no property can have the type.
    struct Temperature: RealmOptionalType {}

    @available(*, deprecated)
    final class Forecast: TestObject, OldestStyle {
        let temperature = RealmOptional<Temperature>()

        func exercise(_ realm: Realm) throws {}
    }

    @Test(.behaviour("S25")) func anOptionalOfATypeOfOnesOwnIsRefused() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            let found = ObjectClasses.all().first { _typeName($0, qualified: false) == "Forecast" }
            _ = (found as? any OldestStyle.Type)?.init().objectSchema
        }.expectText("Property Forecast.temperature has unsupported RealmOptional type Temperature.")
    }

    @Test func valuesAreStored() throws {
        let found = ObjectClasses.all().first { _typeName($0, qualified: false) == "OldestPerson" }
        let type = try #require(found as? any OldestStyle.Type)
        try withRealm([try #require(found)]) { realm in
            try type.init().exercise(realm)
            #expect(realm.schema["OldestPerson"]?.properties.map(\.isOptional) == [true, true, true])
        }
    }
}
