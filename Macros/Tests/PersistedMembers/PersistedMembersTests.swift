// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwiftLegacy
import Testing

/// Classes whose properties are declared as `dynamic var` (model 6).
@Suite struct PersistedMembersTests {
    private static let types: [ObjectBase.Type] = [Person.self, Dog.self, Address.self]
    private static let typesToday: [ObjectBase.Type] = [PersonToday.self, DogToday.self, AddressToday.self]

    /// A separate function, so that every reference to the Realm is released when it returns.
    @inline(never)
    private func open(_ url: URL, _ types: [ObjectBase.Type], _ body: (Realm) throws -> Void) throws {
        try body(try Realm(configuration: Realm.Configuration(fileURL: url, objectTypes: types)))
    }

    private func withFile(_ body: (URL) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("regnum-legacy-\(UUID())")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.appendingPathComponent("test.realm"))
    }

    /// Returns the stored columns of a class, without its name in the program.
    private func columns(_ schema: ObjectSchema) -> [String] {
        schema.properties.map {
            "\($0.columnName) \($0.type.rawValue) \($0.isOptional) \($0.isIndexed) \($0.isArray) \($0.isSet) \($0.isMap)"
        }
    }

    @Test func persistedPropertiesFormTheSchema() {
        let schema = Person().objectSchema
        #expect(
            schema.properties.map(\.name) == [
                "id", "name", "nickname", "motto", "born", "photo", "price", "code", "ratio", "isActive", "mood",
                "weather", "met", "motherTongue", "dog", "address", "age", "anything", "dogs", "tags", "scores",
                "changes",
            ])
        #expect(schema.properties.filter(\.isIndexed).map(\.name) == ["id", "name", "born"])
        #expect(schema.primaryKeyProperty?.name == "id" && schema["nickname"]?.isOptional == true)
        #expect(schema["mood"]?.type == .int && schema["dog"]?.objectClassName == "Dog")
        #expect(Puppy().objectSchema.properties.map(\.name) == ["name", "owner", "weeks"])
        #expect(Mixed().objectSchema.properties.map(\.name) == ["stored"])
        #expect(columns(schema) == columns(PersonToday().objectSchema))
        #expect(columns(Dog().objectSchema) == columns(DogToday().objectSchema))
    }

    @Test func unmanagedObjects() {
        let person = Person()
        #expect(person.name == "" && person.nickname == nil && person.isActive && person.mood == .good)
        person.upperName = "ADA"
        person.changes += 1
        person.homepage = nil
        person.cache.append(1)
        #expect(person.name == "ada" && person.changes == 1 && person.observed == 1 && person.cache == [1])
        person.age.value = 20
        #expect(person.isAdult && person.homepage == nil)
        #expect(Person(value: ["id": 3, "name": "x", "age": 4, "dogs": [["name": "Rex"]]]).dogs.first?.name == "Rex")
        let puppy = Puppy(value: ["name": "Bo", "weeks": 3])
        #expect(puppy.name == "Bo" && puppy.weeks == 3)
    }

    @Test func storedReopenedAndReadAsToday() throws {
        let code = UUID()
        try withFile { url in
            try open(url, Self.types) { realm in
                let person = Person()
                person.id = 1
                person.name = "Ada"
                person.code = code
                person.mood = .bad
                person.weather = .wet
                person.met = NSDate(timeIntervalSince1970: 9)
                person.motherTongue = "English"
                person.age.value = 36
                person.anything.value = .string("any")
                person.scores["a"] = 1
                person.tags.insert("t")
                person.address = Address(value: ["street": "High"])
                let dog = Dog(value: ["name": "Rex"])
                person.dog = dog
                person.dogs.append(dog)
                dog.owner = person
                try realm.write { realm.add(person) }
                try realm.write {
                    person.price = 2.5
                    person.nickname = "A"
                    person.session = 9
                }
                person.session += 1
                #expect(person.session == 10 && dog.owners.first == person && dog.owner == person)
                #expect(realm.objects(Person.self).where { $0.name == "Ada" && $0.mood == .bad }.count == 1)
                #expect(realm.objects(Person.self).filter("dog.name == 'Rex'").count == 1)
            }
            try open(url, Self.typesToday) { realm in
                let person = try #require(realm.object(ofType: PersonToday.self, forPrimaryKey: 1))
                #expect(person.name == "Ada" && person.nickname == "A" && person.mood == .bad && person.code == code)
                #expect(person.weather == 3 && person.met == Date(timeIntervalSince1970: 9))
                #expect(person.motherTongue == "English")
                #expect(person.age == 36 && person.anything == .string("any") && person.price == 2.5)
                #expect(person.scores["a"] == 1 && person.tags.contains("t") && person.address?.street == "High")
                #expect(person.dog?.owners.count == 1 && person.dog?.owner?.id == 1)
                try realm.write {
                    person.name = "Bea"
                    person.dogs.append(DogToday(value: ["name": "Max"]))
                }
            }
            try open(url, Self.types) { realm in
                let person = try #require(realm.object(ofType: Person.self, forPrimaryKey: 1))
                #expect(person.name == "Bea" && person.dogs.map(\.name) == ["Rex", "Max"] && person.session == 1)
                #expect(person.dog?.isSameObject(as: person.dogs[0]) == true && person.ratio == 0.5)
            }
        }
    }

    @Test func theKeyOfAManagedObjectIsFixed() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            let realm = try Realm(
                configuration: Realm.Configuration(
                    inMemoryIdentifier: "key", objectTypes: [Person.self, Dog.self, Address.self]))
            try realm.write { realm.create(Person.self, value: ["id": 1]).id = 2 }
        }
        let text = String(decoding: result?.standardErrorContent ?? [], as: UTF8.self)
        #expect(text.contains("Primary key can't be changed after an object is inserted."), "\(text)")
    }
}
