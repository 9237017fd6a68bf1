// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import Realm
import RealmSwift
import TestTraits
import Testing

/// Code that uses names of the original's Objective-C half.
@Suite struct ObjectiveCNameTests {
    @Test(.behaviour("A02")) func theModuleRealmAndItsNames() throws {
        #expect(RLMRealmPathForFile("other.realm").hasSuffix("/other.realm"))
        #expect(RLMRealmPathForFile("default.realm") == Realm.Configuration.defaultFileURL.path)
        let configuration = RLMRealmConfiguration()
        configuration.inMemoryIdentifier = "A02"
        configuration.objectClasses = [AppDog.self]
        let realm: RLMRealm = try Realm(configuration: configuration)
        let dogs: RLMResults<AppDog> = realm.objects(AppDog.self)
        let schema: RLMSchema = realm.schema
        #expect(dogs.isEmpty && schema.objectSchema.count == 1)
        let list: RLMArray<Int> = List()
        #expect(list.isEmpty)
    }

    @Test(.behaviour("W08")) func theObjectiveCCallsOfARealm() throws {
        let configuration = RLMRealmConfiguration()
        configuration.inMemoryIdentifier = "W8"
        configuration.objectClasses = [AppDog.self]
        let realm = try RLMRealm(configuration: configuration)
        let dogs = [AppDog(value: [1, "a"]), AppDog(value: [2, "b"])]
        try realm.transaction { realm.addObjects(dogs) }
        realm.beginWriteTransaction()
        #expect(realm.inWriteTransaction)
        realm.addOrUpdate(AppDog(value: [1, "c"]))
        realm.addOrUpdateObjects([AppDog(value: [3, "d"])])
        try realm.commitWriteTransaction()
        let results: RLMResults<AppDog> = realm.objects(AppDog.self).sorted(byKeyPath: "id")
        #expect(results.firstObject()?.name == "c" && results.lastObject()?.name == "d")
        let reference = RLMThreadSafeReference(threadConfined: dogs[1])
        #expect(realm.__resolve(reference)?.name == "b")
        try realm.transaction { realm.deleteObjects(dogs) }
        #expect(results.map(\.id) == [3])
        try realm.transaction { realm.deleteAllObjects() }
        #expect(results.firstObject() == nil)
    }

    @Test(.behaviour("W08")) func aConfigurationOfTheObjectiveCHalfIsShared() {
        let configuration = RLMRealmConfiguration.default()
        configuration.schemaVersion = 7
        let other = configuration
        #expect(other.configuration.schemaVersion == 7 && Realm.Configuration.defaultConfiguration.schemaVersion != 7)
        #expect(RLMNotVersioned == UInt64.max)
    }

    @Test(.behaviour("W08")) func valuesByNames() {
        let dog = AppDog(value: [1, "a"])
        let values = dog.dictionaryWithValues(forKeys: ["id", "name"])
        #expect(values["id"] as? Int == 1 && values["name"] as? String == "a" && values.count == 2)
        #expect(ValuesByName().dictionaryWithValues(forKeys: ["breed"])["breed"] is NSNull)
    }

    @Test(.behaviour("R82")) func namesAtTheTopLevel() {
        let block: NotificationBlock = { _, _ in }
        let identifier: AsyncTransactionId = 0
        block(.didChange, try! Realm(configuration: .init(inMemoryIdentifier: "R82")))
        #expect(identifier == 0)
    }
}

final class AppDog: Object {
    @Persisted(primaryKey: true) var id = 0
    @Persisted var name = ""
}

final class ValuesByName: Object {
    @Persisted var breed: String?

    override class func shouldIncludeInDefaultSchema() -> Bool { false }
}
