// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import GRDB
import RealmSwift

final class BenchOwner: Object {
    @Persisted var name: String
    @Persisted var dogs: List<BenchDog>
    @Persisted(originProperty: "owner") var owned: LinkingObjects<BenchDog>
}

final class BenchDog: Object {
    @Persisted var age: Int
    @Persisted var owner: BenchOwner?
}

/// As many dogs as there are people, and a tenth as many random owners. Each dog links to its owner, and each owner has
/// a list of dogs.
final class DogFixture: Topic {
    let files: TopicFiles
    let dogCount: Int
    private let owners: [Int]

    init(_ bed: TestFixture, _ folder: URL) throws {
        files = try TopicFiles(
            folder, [BenchOwner.self, BenchDog.self],
            sql: """
                CREATE TABLE owner (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
                CREATE TABLE dog (id INTEGER PRIMARY KEY, age INTEGER NOT NULL, owner INTEGER REFERENCES owner);
                CREATE TABLE owner_dog (owner INTEGER NOT NULL REFERENCES owner, dog INTEGER NOT NULL REFERENCES dog);
                CREATE INDEX dog_owner ON dog (owner);
                CREATE INDEX owner_dog_owner ON owner_dog (owner);
                CREATE INDEX owner_dog_dog ON owner_dog (dog);
                """)
        dogCount = bed.people.rows.count
        var random = XorShift(state: 0xD06)
        let ownerCount = UInt64(max(1, dogCount / 10))
        owners = (0..<dogCount).map { _ in Int(random.next() % ownerCount) }
        try fillRealm(Int(ownerCount))
        try fillQueue(Int(ownerCount))
    }

    var realm: Realm { files.realm }

    private func fillRealm(_ ownerCount: Int) throws {
        try realm.write {
            let people = (0..<ownerCount).map { number in
                let owner = BenchOwner()
                owner.name = "owner-\(number)"
                realm.add(owner)
                return owner
            }
            for (number, owner) in owners.enumerated() {
                let dog = BenchDog()
                dog.age = number % 16
                dog.owner = people[owner]
                realm.add(dog)
                people[owner].dogs.append(dog)
            }
        }
    }

    private func fillQueue(_ ownerCount: Int) throws {
        try files.queue.write { database in
            let person = try database.makeStatement(sql: "INSERT INTO owner VALUES (?, ?)")
            for number in 0..<ownerCount { try person.execute(arguments: [number, "owner-\(number)"]) }
            let dog = try database.makeStatement(sql: "INSERT INTO dog VALUES (?, ?, ?)")
            let link = try database.makeStatement(sql: "INSERT INTO owner_dog VALUES (?, ?)")
            for (number, owner) in owners.enumerated() {
                try dog.execute(arguments: [number, number % 16, owner])
                try link.execute(arguments: [owner, number])
            }
        }
    }
}
