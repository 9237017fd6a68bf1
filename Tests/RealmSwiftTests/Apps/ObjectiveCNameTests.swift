// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Realm
import RealmSwift
import Testing

/// Code that names the original's Objective-C half (row A2).
@Suite struct ObjectiveCNameTests {
    @Test func A02_theModuleRealmAndItsNames() throws {
        #expect(RLMRealmPathForFile("other.realm").hasSuffix("/other.realm"))
        #expect(RLMRealmPathForFile("default.realm") == Realm.Configuration.defaultFileURL.path)
        let configuration: RLMRealmConfiguration = .init(inMemoryIdentifier: "A02", objectTypes: [AppDog.self])
        let realm: RLMRealm = try Realm(configuration: configuration)
        let dogs: RLMResults<AppDog> = realm.objects(AppDog.self)
        let schema: RLMSchema = realm.schema
        #expect(dogs.isEmpty && schema.objectSchema.count == 1)
        let list: RLMArray<Int> = List()
        #expect(list.isEmpty)
    }

    @Test func R82_namesAtTheTopLevel() {
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
