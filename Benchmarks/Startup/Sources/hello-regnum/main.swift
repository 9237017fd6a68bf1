// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift

final class Person: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
}

// hello-regnum FILE: adds an object to a file that has none, and reads the first one.
let realm = try Realm(fileURL: URL(fileURLWithPath: CommandLine.arguments[1]))
let people = realm.objects(Person.self)
if people.isEmpty { try realm.write { realm.add(Person(value: ["id": 1, "name": "Ada"])) } }
print(people.first?.name ?? "nobody")
