// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import TestTraits
import Testing

@testable import RealmSwift

/// Objects by the name of their class (model 1.4, 1.5).
@Suite struct DynamicBehaviourTests {
    @Test(.behaviour("B-070")) func embeddedObjectsAreNotCreatedByName() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            inWrite { realm in realm.dynamicCreate("Address") }
        }
        expect("Embedded objects cannot be created directly", in: result)
    }

    @Test(.behaviour("B-073")) func aLocalRealmRefusesAsymmetricClasses() throws {
        let file = try MigratingFile()
        let text = file.error(file.configuration([Reading.self, ReadingPlace.self]))
        #expect(text.hasPrefix("Schema validation failed due to the following errors:"))
        #expect(text.contains("\n- Asymmetric table 'Reading' not allowed in a local Realm"))
    }

    @Test(.behaviour("B-103")) func theObjectInAMixedValue() throws {
        #expect(AnyRealmValue.object(Dog(value: ["name": "Rex"])).dynamicObject?.name as? String == "Rex")
        try withRealm(sharedTypes + [MixedHolder.self]) { realm in
            try realm.write {
                let dog = realm.create(Dog.self, value: ["name": "Rex"])
                let holder = realm.create(MixedHolder.self)
                holder.value = .object(dog)
                #expect(holder.value.object(Person.self) == nil)
                #expect(holder.value.object(Dog.self)?.name == "Rex")
                #expect(holder.value.dynamicObject?.name as? String == "Rex")
                holder.value.dynamicObject?.name = "Max"
                #expect(dog.name == "Max")
            }
        }
    }

    @Test(.behaviour("B-172")) func objectsAreCreatedByName() throws {
        try withRealm { realm in
            try realm.write {
                let dog = realm.dynamicCreate("Dog", value: ["name": "Rex", "age": 3, "toy": ["name": "ball"]])
                #expect(dog["name"] as? String == "Rex" && dog.age as? Int == 3)
                dog.name = "Max"
                dog["age"] = 4
            }
            let dog = try #require(realm.objects(Dog.self).first)
            #expect(dog.name == "Max" && dog.age == 4 && dog.toy?.name == "ball")
        }
    }

    @Test(.behaviour("B-274")) func allObjectsOfAClassByName() async throws {
        try withRealm { realm in
            try realm.write { for index in 0..<5 { realm.create(Dog.self, value: ["age": index]) } }
            #expect(realm.dynamicObjects("Dog").count == 5)
            #expect(realm.dynamicObjects("Dog").map { $0.age as? Int } == [0, 1, 2, 3, 4])
        }
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            inRealm { realm in _ = realm.dynamicObjects("Nobody") }
        }
        expect("Object type 'Nobody' is not managed by the Realm", in: result)
    }

    @Test(.behaviour("B-275")) func valuesAreSwiftsOwn() throws {
        try withRealm { realm in
            try realm.write {
                let typed = AllTypes()
                typed.int = 5
                typed.string = "s"
                typed.size = .large
                typed.ints.append(objectsIn: [1, 2])
                typed.strings.append(objectsIn: ["a", nil])
                typed.links.append(Dog(value: ["name": "Rex"]))
                typed.embedded = Address(value: ["street": "here"])
                realm.add(typed)
                let object = try #require(realm.dynamicObjects("AllTypes").first)
                #expect(object.int as? Int == 5 && object.bool as? Bool == false && object.float as? Float == 0)
                #expect(object.double as? Double == 0 && object.string as? String == "s")
                #expect(object.data as? Data == Data() && object.date is Date && object.objectId is ObjectId)
                #expect(object.uuid is UUID && object.decimal as? Decimal128 == 0 && object.size as? Int == 7)
                #expect(object.optInt == nil && object.optString == nil && object.link == nil)
                #expect((object.ints as? List<Int>).map(Array.init) == [1, 2])
                #expect((object.strings as? List<String?>).map(Array.init) == ["a", nil])
                #expect((object.links as? List<DynamicObject>)?.first?.name as? String == "Rex")
                #expect((object.embedded as? Address)?.street == "here")
                #expect(object.uuids is List<UUID?> && object.decimals is List<Decimal128>)
            }
        }
    }
}

final class MixedHolder: TestObject {
    @Persisted var value: AnyRealmValue
}

final class Reading: AsymmetricObject {
    @Persisted(primaryKey: true) var _id: Int
    @Persisted var celsius: Double
    @Persisted var place: ReadingPlace?
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

final class ReadingPlace: TestEmbedded {
    @Persisted var name: String
}
