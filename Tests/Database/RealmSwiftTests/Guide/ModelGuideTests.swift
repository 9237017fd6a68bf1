// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift
import RealmTestSupport
import Testing

// A guide's code for object models, as clients write it.

class GuideHiker: Object {
    @Persisted(primaryKey: true) var id: ObjectId
    @Persisted(indexed: true) var surname = ""
    @Persisted var nickname: String?
    @Persisted var age: Int?
    @Persisted var tours: List<GuideTour>
    /// Not `@Persisted`, so it stays with the instance.
    var isSelected = false
    /// Computed, so it isn't stored.
    var greeting: String { "Hello, \(nickname ?? surname)" }

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

enum GuideDifficulty: String, PersistableEnum {
    case easy, demanding, expert
}

class GuideTour: Object {
    @Persisted var title = "Unnamed"
    @Persisted var difficulty = GuideDifficulty.easy
    @Persisted var fallback: GuideDifficulty?
    @Persisted var start: GuidePlace?
    @Persisted var notes: AnyRealmValue
    @Persisted(originProperty: "tours") var hikers: LinkingObjects<GuideHiker>

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// A part of its parent, deleted with it.
class GuidePlace: EmbeddedObject {
    @Persisted var name = ""
    @Persisted var latitude: Double
    @Persisted var longitude: Double

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

/// Stored under other names than in the code, as for a file of another program's models.
class GuideRenamed: Object {
    @Persisted var firstName: String
    @Persisted var lastName: String

    override class func propertiesMapping() -> [String: String] { ["firstName": "first_name"] }
    override class func _realmObjectName() -> String? { "guide_people" }
    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}

@Suite struct ModelGuideTests {
    private let types: [ObjectBase.Type] = [GuideHiker.self, GuideTour.self, GuidePlace.self]

    @Test func anObjectTypeIsAClassWithPersistedProperties() throws {
        try withRealm(types) { realm in
            let hiker = GuideHiker(value: ["surname": "Noether", "age": 53])
            try realm.write { realm.add(hiker) }
            let found = try #require(realm.object(ofType: GuideHiker.self, forPrimaryKey: hiker.id))
            #expect(found.surname == "Noether" && found.age == 53 && found.nickname == nil)
            #expect(found.greeting == "Hello, Noether")
        }
    }

    @Test func theAttributesShowInTheSchema() throws {
        try withRealm(types) { realm in
            let schema = try #require(realm.schema["GuideHiker"])
            #expect(schema.primaryKeyProperty?.name == "id")
            #expect(schema["surname"]?.isIndexed == true && schema["nickname"]?.isOptional == true)
            #expect(schema["isSelected"] == nil && schema["greeting"] == nil)
        }
    }

    @Test func propertiesThatAreNotPersistedStayWithTheInstance() throws {
        try withRealm(types) { realm in
            let hiker = GuideHiker()
            hiker.isSelected = true
            try realm.write { realm.add(hiker) }
            #expect(hiker.isSelected && realm.objects(GuideHiker.self)[0].isSelected == false)
        }
    }

    @Test func enumsAreStoredAsTheirRawValues() throws {
        try withRealm(types) { realm in
            try realm.write {
                realm.create(GuideTour.self, value: ["title": "Summit", "difficulty": GuideDifficulty.expert])
            }
            let tours = realm.objects(GuideTour.self)
            #expect(tours.where { $0.difficulty == .expert }.count == 1)
            #expect(tours.where { $0.difficulty.rawValue == "expert" }.count == 1)
            #expect(tours[0].fallback == nil && tours[0]["difficulty"] as? String == "expert")
        }
    }

    @Test func unstructuredDataGoesIntoAMixedProperty() throws {
        try withRealm(types) { realm in
            let tour = GuideTour()
            tour.notes = .fromDictionary([
                "season": .string("autumn"), "huts": .fromArray([.string("North"), .string("South")]),
                "metres": .int(1200),
            ])
            try realm.write { realm.add(tour) }
            let notes = try #require(tour.notes.dictionaryValue)
            #expect(notes["season"] == .some(.string("autumn")) && notes["huts"]?.listValue?.count == 2)
            try realm.write { notes["huts"]?.listValue?.append(.string("East")) }
            #expect(tour.notes.dictionaryValue?["huts"]?.listValue?.last == .string("East"))
        }
    }

    @Test func embeddedObjectsBelongToTheirParent() throws {
        try withRealm(types) { realm in
            let tour = GuideTour(value: ["start": ["name": "Hut", "latitude": 47.1, "longitude": 11.2]])
            try realm.write { realm.add(tour) }
            let place = try #require(tour.start)
            try realm.write { tour.start = GuidePlace(value: ["name": "Valley"]) }
            #expect(place.isInvalidated && tour.start?.name == "Valley")
            #expect(realm.objects(GuideTour.self).where { $0.start.name == "Valley" }.count == 1)
        }
    }

    @Test func propertiesAndClassesCanBeStoredUnderOtherNames() throws {
        try withRealm([GuideRenamed.self]) { realm in
            try realm.write { realm.create(GuideRenamed.self, value: ["firstName": "Emmy", "lastName": "Noether"]) }
            #expect(realm.objects(GuideRenamed.self).where { $0.firstName == "Emmy" }.count == 1)
            #expect(realm.objects(GuideRenamed.self).sorted(by: \.firstName).first?.lastName == "Noether")
            let schema = try #require(realm.schema["guide_people"])
            #expect(schema["firstName"]?.columnName == "first_name" && schema["lastName"]?.columnName == "lastName")
        }
    }
}
