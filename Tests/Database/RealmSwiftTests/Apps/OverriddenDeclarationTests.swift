// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift
import TestTraits
import Testing

private final class MixedStyles: Object {
    @Persisted var id = ""
    @Persisted var city = ""
    @Persisted var draft = ""
    @Persisted var count = 0

    override class func primaryKey() -> String? { "id" }
    override class func indexedProperties() -> [String] { ["city"] }
    override class func ignoredProperties() -> [String] { ["draft"] }
}

/// Overrides of the style before 10.10 next to `@Persisted`.
@Suite struct OverriddenDeclarationTests {
    @Test(.behaviour("A01", "R10")) func overridesHoldForPersistedProperties() throws {
        let configuration = Realm.Configuration(inMemoryIdentifier: "A01", objectTypes: [MixedStyles.self])
        let realm = try Realm(configuration: configuration)
        let schema = try #require(realm.schema["MixedStyles"])
        #expect(schema.primaryKeyProperty?.name == "id" && schema["city"]?.isIndexed == true)
        #expect(schema["count"]?.isIndexed == false && schema["draft"] == nil)
        try realm.write {
            realm.create(MixedStyles.self, value: ["id": "a", "city": "Bern", "count": 1] as [String: Any])
            realm.create(MixedStyles.self, value: ["id": "a", "count": 2] as [String: Any], update: .modified)
        }
        #expect(realm.objects(MixedStyles.self).count == 1)
        let object = try #require(realm.object(ofType: MixedStyles.self, forPrimaryKey: "a"))
        #expect(object.count == 2 && object.city == "Bern")
        object.draft = "written outside of a transaction"
        #expect(object.draft == "written outside of a transaction")
    }
}
