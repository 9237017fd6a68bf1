// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift

final class Person: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var name: String
    @Persisted var age: Int
}

func measure(_ name: String, _ count: Int, _ work: () throws -> Void) rethrows {
    let time = try ContinuousClock().measure(work)
    print(name, Int(Double(time.components.seconds) * 1e9 + Double(time.components.attoseconds) / 1e9) / count)
}

// work-regnum FILE: adds objects, iterates over them, and reads a property of one, in a new file.
let realm = try Realm(fileURL: URL(fileURLWithPath: CommandLine.arguments[1]))
let (people, count, reads) = (realm.objects(Person.self), 20_000, 200_000)
try measure("add", count) {
    try realm.write {
        for id in 0..<count {
            let person = Person()
            person.id = id
            person.name = "person-\(id)"
            person.age = id % 100
            realm.add(person)
        }
    }
}
var sum = 0
measure("iterate", count) { for person in people { sum += person.age } }
let first = people[0]
measure("read", reads) { for _ in 0..<reads { sum += first.age } }
print("sum", sum)
