// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift
import TestTraits
import Testing

private class EqualByNumber: Object {
    @Persisted var number = 0
    @Persisted var name = ""

    override func isEqual(_ object: Any?) -> Bool { (object as? EqualByNumber)?.number == number }
    override var hash: Int { number }
}

private final class DerivedNumber: EqualByNumber {}

/// Members of objects that apps override or use through Objective-C names.
@Suite struct ObjectOverrideTests {
    @Test(.behaviour("A04", "S25")) func operatorsAndSetsUseOverriddenEquality() {
        let (one, same, other) = (EqualByNumber(), EqualByNumber(), EqualByNumber(value: ["number": 1]))
        #expect(one == same && one != other)
        #expect(Set([one, same, other]).count == 2)
        #expect(!one.isEqual("text") && !one.isEqual(nil))
    }

    @Test(.behaviour("A04", "S25")) func equalityWithoutAnOverrideComparesRows() throws {
        let realm = try Realm(configuration: .init(inMemoryIdentifier: "A04", objectTypes: [AppDog.self]))
        let dog = try realm.write { realm.create(AppDog.self, value: ["id": 1], update: .all) }
        let again = try #require(realm.object(ofType: AppDog.self, forPrimaryKey: 1))
        #expect(dog.isEqual(again) && dog.hash == again.hash && dog == again)
        #expect(!AppDog().isEqual(AppDog()))
    }

    @Test(.behaviour("A04", "S25")) func tokensAreKeptInASet() {
        let token = NotificationToken()
        let tokens: Set<NotificationToken> = [token, NotificationToken(), token]
        #expect(tokens.count == 2)
        token.invalidate()
    }

    @Test(.behaviour("A04")) func listsHaveACommonAncestor() {
        let values: [Any] = [List<Int>(), List<AppDog>(), MutableSet<Int>(), Map<String, Int>()]
        let list = List<Int>()
        list.append(3)
        #expect(values.compactMap { $0 as? ListBase }.count == 2)
        #expect((list as Any as? ListBase)?.count == 1)
        let same = List<Int>()
        same.append(3)
        #expect(list.isEqual(same) && list.hash == same.hash && !list.isEqual(3))
    }

    @Test(.behaviour("A04")) func kindsAndValuesByKeys() {
        let derived = DerivedNumber()
        #expect(derived.isKind(of: EqualByNumber.self) && derived.isKind(of: Object.self))
        #expect(!derived.isKind(of: AppDog.self) && !derived.isMember(of: EqualByNumber.self))
        derived.setValuesForKeys(["number": 4, "name": "four"])
        #expect(derived.number == 4 && derived.name == "four")
    }

    @Test(.behaviour("S25")) func theSchemaOfAClass() {
        #expect(AppDog.sharedSchema()?.className == "AppDog")
        #expect(AppDog.sharedSchema()?.properties.map(\.name) == ["id", "name"])
        #expect(Object.sharedSchema() == nil)
    }

    @Test(.behaviour("S20")) func anUnmanagedObjectIsTheSameAsItself() {
        let dog = AppDog()
        #expect(dog.isSameObject(as: dog) && !dog.isSameObject(as: AppDog()) && !dog.isSameObject(as: nil))
    }
}
