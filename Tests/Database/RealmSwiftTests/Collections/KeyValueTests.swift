// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift
import TestTraits
import Testing

private final class KeyedItem: Object {
    @Persisted var text: String?
    @Persisted var map: Map<String, Int?>
    @Persisted var items: MutableSet<KeyedItem>
    @Persisted var words: MutableSet<String>
}

/// The values of collections by key.
@Suite struct KeyValueTests {
    @Test(.behaviour("S21")) func aMapGivesNSNullForNull() {
        let item = KeyedItem()
        item.map["a"] = .some(nil)
        item.map["b"] = 2
        #expect(item.map.value(forKey: "a") is NSNull && item.map.object(forKey: "a" as AnyObject) is NSNull)
        #expect(item.map.value(forKey: "b") as? Int == 2 && item.map.value(forKey: "c") == nil)
    }

    @Test(.behaviour("S21")) func aSetGivesASet() throws {
        let realm = try Realm(configuration: .init(inMemoryIdentifier: "S21", objectTypes: [KeyedItem.self]))
        let values: [String: Any] = ["items": [["text": "a"], ["text": "b"]], "words": ["x", "y"]]
        let item = try realm.write { realm.create(KeyedItem.self, value: values) }
        let (texts, words) = (item.items.value(forKey: "text") as Any?, item.words.value(forKey: "self") as Any?)
        #expect(texts as? Set<String> == ["a", "b"] && words as? Set<String> == ["x", "y"])
    }

    @Test(.behaviour("T08")) func aSetGivesEachValueOnce() throws {
        try withRealm(Holder.types) { realm in
            try realm.write {
                let holder = realm.create(Holder.self)
                for age in 1...3 {
                    holder.animals.insert(realm.create(Animal.self, value: ["name": "same", "age": age]))
                }
                let names: [AnyObject] = holder.animals.value(forKey: "name")
                let objects: [AnyObject] = holder.animals.value(forKey: "self")
                #expect(names.count == 1 && objects.count == 3)
            }
        }
    }
}
