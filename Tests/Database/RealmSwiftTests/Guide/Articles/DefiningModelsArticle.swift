// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift
import RealmTestSupport
import Testing

/// The code of the articles DefiningModels and PersistedReference.
@Suite struct DefiningModelsArticle {
    // begin DefiningModels
    class Recipe: Object {
        @Persisted(primaryKey: true) var id: ObjectId
        @Persisted(indexed: true) var name: String
        @Persisted var minutes: Int?
        @Persisted var course = Course.main
        @Persisted var steps: List<String>
        @Persisted var tags: MutableSet<String>
        @Persisted var grams: Map<String, Double>
        @Persisted var origin: Place?

        /// Not stored, because it is not `@Persisted`.
        var isSelected = false

        /// Computed: there is nothing to store.
        var isQuick: Bool { (minutes ?? .max) <= 20 }

        override class func shouldIncludeInDefaultSchema() -> Bool { false }  // not shown
    }

    enum Course: String, PersistableEnum {
        case starter, main, dessert
    }

    class Place: EmbeddedObject {
        @Persisted var region: String
        @Persisted var country: String

        override class func shouldIncludeInDefaultSchema() -> Bool { false }  // not shown
    }
    // end

    @Test func models() throws {
        try withRealm([Recipe.self, Place.self]) { realm in
            // begin DefiningModels
            let recipe = Recipe(value: [
                "name": "Lemon tart", "minutes": 75, "course": Course.dessert,
                "steps": ["Make the pastry", "Bake it", "Fill it"],
                "origin": ["region": "Menton", "country": "France"],
            ])
            try realm.write { realm.add(recipe) }
            // end
            #expect(recipe.origin?.country == "France" && recipe.steps.count == 3 && !recipe.isQuick)
            #expect(realm.schema["Recipe"]?["isSelected"] == nil)
        }
    }

    // begin DefiningModels
    struct Version: CustomPersistable, Equatable {
        typealias PersistedType = String

        var parts: [Int]

        init(persistedValue: String) {
            parts = persistedValue.split(separator: ".").compactMap { Int($0) }
        }

        var persistableValue: String {
            parts.map(String.init).joined(separator: ".")
        }
    }

    class Package: Object {
        @Persisted(primaryKey: true) var name: String
        @Persisted var version: Version
        @Persisted var metadata: AnyRealmValue

        override class func shouldIncludeInDefaultSchema() -> Bool { false }  // not shown
    }
    // end

    @Test func values() throws {
        try withRealm([Package.self]) { realm in
            // begin DefiningModels
            let package = Package(value: ["name": "regnum"])
            package.version = Version(persistedValue: "1.0.3")
            package.metadata = .fromDictionary([
                "licence": .string("Apache 2.0"), "platforms": .fromArray([.string("Linux"), .string("macOS")]),
            ])
            try realm.write { realm.add(package) }

            let platforms = package.metadata.dictionaryValue?["platforms"]?.listValue
            print(platforms?.count ?? 0)  // 2
            let stable = realm.objects(Package.self).where { $0.version == Version(persistedValue: "1.0.3") }
            print(stable.count)  // 1
            // end
            #expect(platforms?.count == 2 && stable.count == 1)
        }
    }

    // begin DefiningModels
    class Contact: Object {
        @Persisted var firstName: String
        @Persisted var lastName: String

        /// The names of properties in the file, where they are not those of the code.
        override class func propertiesMapping() -> [String: String] {
            ["firstName": "first_name", "lastName": "last_name"]
        }

        /// The name of the class in the file.
        override class func _realmObjectName() -> String? { "contact" }

        override class func shouldIncludeInDefaultSchema() -> Bool { false }  // not shown
    }
    // end

    @Test func names() throws {
        try withRealm([Contact.self]) { realm in
            try realm.write { realm.create(Contact.self, value: ["firstName": "Emmy", "lastName": "Noether"]) }
            #expect(realm.objects(Contact.self).where { $0.firstName == "Emmy" }.count == 1)
            #expect(realm.dynamicObjects("contact").count == 1)
        }
    }

    // begin PersistedReference
    class Article: Object {
        @Persisted(primaryKey: true) var id: UUID
        @Persisted(indexed: true) var author: String
        @Persisted(fullText: true) var text: String
        @Persisted var rating = 3
        @Persisted var published: Date?
        @Persisted var next: Article?
        @Persisted(originProperty: "next") var previous: LinkingObjects<Article>

        override class func shouldIncludeInDefaultSchema() -> Bool { false }  // not shown
    }
    // end

    @Test func reference() throws {
        try withRealm([Article.self]) { realm in
            // begin PersistedReference
            let first = Article(value: ["author": "Ada", "text": "On analytical engines"])
            try realm.write { realm.add(first) }

            let found = realm.object(ofType: Article.self, forPrimaryKey: first.id)
            let onEngines = realm.objects(Article.self).filter("text TEXT 'engines'")
            let byAda = realm.objects(Article.self).where { $0.author == "Ada" }
            // end
            #expect(found == first && onEngines.count == 1 && byAda.count == 1 && first.rating == 3)
        }
    }
}
