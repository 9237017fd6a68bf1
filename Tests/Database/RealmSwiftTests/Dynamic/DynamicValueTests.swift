// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmTestSupport
import TestTraits
import Testing

@testable import RealmSwift

private final class NumberItem: TestObject {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var small: Int8
    @Persisted var large: Int64?
    @Persisted var ratio: Float
    @Persisted var any: AnyRealmValue
    @Persisted var child: NumberItem?
    @Persisted var ints: List<Int>
    @Persisted var spot: NumberSpot?
    @Persisted(originProperty: "child") var parents: LinkingObjects<NumberItem>
}

private final class NumberSpot: TestEmbedded {
    @Persisted var x: Int16
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

/// Objects by the name of their class, and properties by key (model 1.4, 1.5).
@Suite struct DynamicValueTests {
    private static let types: [ObjectBase.Type] = [NumberItem.self, NumberSpot.self]
    private static var values: [String: Any] {
        ["id": 1, "small": 3, "large": 4, "ratio": 1.5, "ints": [7, 8], "spot": ["x": 9]]
    }

    @Test(.behaviour("S11")) func numbersByKeyCastToEachType() throws {
        func verify(_ item: Object) {
            #expect(item["small"] as? Int == 3 && item["small"] as? Int8 == 3 && item["small"] as? Double == 3)
            #expect(item["large"] as? Int == 4 && item["large"] as? Int64 == 4)
            #expect(item["ratio"] as? Float == 1.5 && item["ratio"] as? Double == 1.5)
            #expect(item.value(forKey: "small") as? Int == 3 && item.value(forKey: "small") as? Int8 == 3)
            #expect(item["id"] as? Int == 1 && item["id"] is Int)
        }
        verify(NumberItem(value: Self.values))
        try withRealm(Self.types) { realm in
            try realm.write { verify(realm.create(NumberItem.self, value: Self.values)) }
            verify(realm.dynamicObjects("NumberItem")[0])
            let item = realm.objects(NumberItem.self)[0]
            #expect(item.spot?["x"] as? Int == 9 && item.value(forKeyPath: "spot.x") as? Int16 == 9)
            try realm.write {
                item["small"] = item["large"]
                item["ratio"] = item["small"]
            }
            #expect(item.small == 4 && item.ratio == 4)
        }
    }

    @Test(.behaviour("S11")) func numbersOfAMigration() throws {
        let folder = try TemporaryFolder()
        let url = URL(fileURLWithPath: folder.path + "/S11.realm")
        try onThread {
            let realm = try Realm(configuration: .init(fileURL: url, objectTypes: Self.types))
            try realm.write { _ = realm.create(NumberItem.self, value: Self.values) }
        }
        let configuration = Realm.Configuration(
            fileURL: url, schemaVersion: 1,
            migrationBlock: { migration, _ in
                migration.enumerateObjects(ofType: "NumberItem") { old, new in
                    #expect(old!["small"] as? Int8 == 3 && old!["small"] as? Int == 3)
                    #expect(old!["ratio"] as? Double == 1.5 && new!["small"] as? Int == 3)
                    #expect(old!["id"] is Int)
                    new!["large"] = old!["small"]
                }
            }, objectTypes: Self.types)
        try onThread {
            let realm = try Realm(configuration: configuration)
            #expect(realm.objects(NumberItem.self)[0].large == 3)
        }
    }

    @Test(.behaviour("S17")) func linksOfDynamicObjects() throws {
        try withRealm(Self.types) { realm in
            try realm.write {
                let child = realm.create(NumberItem.self, value: ["id": 2])
                realm.create(NumberItem.self, value: ["id": 1, "child": child, "any": child] as [String: Any])
            }
            let all = realm.dynamicObjects("NumberItem")
            let (child, parent) = (all[0], all[1])
            #expect((parent["child"] as? NumberItem)?.id == 2)
            #expect((parent["any"] as? DynamicObject)?.isSameObject(as: child) == true)
            try realm.write { child["child"] = parent }
            #expect((child["child"] as? NumberItem)?.isSameObject(as: parent) == true)
        }
    }

    @Test(.behaviour("S17")) func collectionsOfValues() throws {
        try withRealm(Self.types) { realm in
            try realm.write { _ = realm.create(NumberItem.self, value: Self.values) }
            let item = realm.objects(NumberItem.self)[0]
            #expect(item.dynamicList("ints").count == 2)
        }
    }

    @Test(.behaviour("S17")) func embeddedObjectsByName() throws {
        try withRealm(Self.types) { realm in
            try realm.write { _ = realm.create(NumberItem.self, value: Self.values) }
            #expect(realm.dynamicObjects("NumberSpot").map { $0["x"] as? Int } == [9])
        }
    }

    @Test(.behaviour("R17", "S17")) func inverseProperties() throws {
        try withRealm(Self.types) { realm in
            try realm.write {
                let child = realm.create(NumberItem.self, value: ["id": 2])
                realm.create(NumberItem.self, value: ["id": 1, "child": child] as [String: Any])
            }
            let child = realm.dynamicObjects("NumberItem")[0]
            #expect((child["parents"] as? LinkingObjects<DynamicObject>)?.map { $0["id"] as? Int } == [1])
            #expect((child.parents as? LinkingObjects<DynamicObject>)?.count == 1)
            #expect((child.value(forKeyPath: "parents.id") as? [Int]) == [1])
            let item = realm.objects(NumberItem.self)[0]
            #expect((item["parents"] as? LinkingObjects<NumberItem>)?.first?.id == 1)
            #expect(realm.dynamicObjects("NumberItem")[1].freeze()["parents"] is LinkingObjects<DynamicObject>)
        }
    }

    @Test(.behaviour("R07")) func keyPathsAsKeys() throws {
        let values: [AnyHashable: Any] = [\NumberItem.id: 5, \NumberItem.small: 6, "ratio": 0.5, "nothing": 1]
        let item = NumberItem(value: values)
        #expect(item.id == 5 && item.small == 6 && item.ratio == 0.5)
        try withRealm(Self.types) { realm in
            try realm.write { #expect(realm.create(NumberItem.self, value: values).small == 6) }
        }
    }

    @Test(.behaviour("B-070")) func embeddedObjectsAreNotCreatedByName() async {
        await #expect(processExitsWith: .failure, observing: .errorText) {
            inWrite { realm in realm.dynamicCreate("Address") }
        }.expectText("Embedded objects cannot be created directly")
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
        await #expect(processExitsWith: .failure, observing: .errorText) {
            inRealm { realm in _ = realm.dynamicObjects("Nobody") }
        }.expectText("Object type 'Nobody' is not managed by the Realm")
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

    @Test(.behaviour("T16")) func dynamicObjectsNameTheClassOfTheirElements() throws {
        try withRealm(sharedTypes) { realm in
            try realm.write { _ = realm.create(Person.self, value: ["dogs": [["name": "Rex"]]]) }
            let objects = realm.dynamicObjects("Person")
            #expect(objects.description.hasPrefix("Results<Person> <0x"))
            #expect(try #require(objects.first).description.contains("\tdogs = List<Dog> <0x"))
        }
        try withRealm([MixedHolder.self]) { realm in
            try realm.write { _ = realm.create(MixedHolder.self, value: ["value": AnyRealmValue.double(2)]) }
            #expect(realm.dynamicObjects("MixedHolder").first?.description.contains("\tvalue = 2;") == true)
        }
    }
}
