// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import GRDB
import RealmSwift

/// As many dogs as there are people, all of one owner, in files created for each round.
final class LinkersBed: Topic {
    private let files: FreshFiles
    private let dogCount: Int

    init(_ bed: TestFixture, _ folder: URL) throws {
        dogCount = bed.people.rows.count
        files = FreshFiles(
            folder, [BenchOwner.self, BenchDog.self],
            sql: """
                CREATE TABLE owner (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
                CREATE TABLE dog (id INTEGER PRIMARY KEY, age INTEGER NOT NULL, owner INTEGER REFERENCES owner);
                CREATE INDEX dog_owner ON dog (owner);
                """)
    }

    func fillRealm() throws {
        let realm = try files.renew().realm
        try realm.write {
            let owner = BenchOwner()
            realm.add(owner)
            for number in 0..<dogCount {
                let dog = BenchDog()
                dog.age = number % 10
                dog.owner = owner
                realm.add(dog)
            }
        }
    }

    func fillQueue() throws {
        try files.renew().queue.write { database in
            try database.execute(sql: "INSERT INTO owner VALUES (1, '')")
            let dog = try database.makeStatement(sql: "INSERT INTO dog VALUES (?, ?, 1)")
            for number in 0..<dogCount { try dog.execute(arguments: [number, number % 10]) }
        }
    }

    func deleteFromRealm() throws -> (operations: Int, checksum: Int) {
        let realm = try files.files().realm
        let dogs = realm.objects(BenchDog.self)
        try realm.write { realm.delete(dogs.where { $0.age == 3 }) }
        return (dogCount - dogs.count, dogs.count)
    }

    func deleteFromQueue() throws -> (operations: Int, checksum: Int) {
        try files.files().queue.write { database in
            try database.execute(sql: "DELETE FROM dog WHERE age = 3")
            let left = try database.count("dog")
            return (dogCount - left, left)
        }
    }
}

extension LinkWorkloads {
    static let deleteLinkers = Workload.on(
        LinkersBed.self, "delete_linkers", prepare: { try $0.fillRealm() }, realm: { try $0.deleteFromRealm() },
        prepareGRDB: { try $0.fillQueue() }, grdb: { try $0.deleteFromQueue() }, growth: .logarithmic)
}
