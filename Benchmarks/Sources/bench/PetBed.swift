// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import GRDB
import RealmSwift

final class BenchOwner: Object {
    @Persisted var name: String
    @Persisted(originProperty: "owner") var pets: LinkingObjects<BenchPet>
}

final class BenchPet: Object {
    @Persisted var age: Int
    @Persisted var owner: BenchOwner?
}

/// Owners and their pets, ten for each: for conditions on linked objects.
final class PetBed {
    let realm: Realm
    let queue: DatabaseQueue
    let petCount: Int

    init(folder: URL, petCount: Int) throws {
        self.petCount = petCount
        realm = try Realm(
            configuration: Realm.Configuration(
                fileURL: folder.appendingPathComponent("pets.realm"), objectTypes: [BenchOwner.self, BenchPet.self]))
        queue = try DatabaseQueue(path: folder.appendingPathComponent("pets.sqlite").path)
        try fillRealm()
        try fillQueue()
    }

    private func fillRealm() throws {
        try realm.write {
            let owners = (0..<max(1, petCount / 10)).map { number in
                let owner = BenchOwner()
                owner.name = "owner-\(number)"
                realm.add(owner)
                return owner
            }
            for number in 0..<petCount {
                let pet = BenchPet()
                pet.age = number % 16
                pet.owner = owners[number % owners.count]
                realm.add(pet)
            }
        }
    }

    private func fillQueue() throws {
        try queue.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE owner (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
                    CREATE TABLE pet (id INTEGER PRIMARY KEY, age INTEGER NOT NULL, owner INTEGER REFERENCES owner);
                    CREATE INDEX pet_owner ON pet (owner);
                    """)
            let count = max(1, petCount / 10)
            let owner = try database.makeStatement(sql: "INSERT INTO owner VALUES (?, ?)")
            for number in 0..<count { try owner.execute(arguments: [number, "owner-\(number)"]) }
            let pet = try database.makeStatement(sql: "INSERT INTO pet VALUES (?, ?, ?)")
            for number in 0..<petCount { try pet.execute(arguments: [number, number % 16, number % count]) }
        }
    }
}
