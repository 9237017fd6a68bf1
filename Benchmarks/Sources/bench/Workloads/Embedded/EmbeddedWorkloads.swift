// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import GRDB
import RealmSwift

final class BenchAddress: EmbeddedObject {
    @Persisted var street: String
    @Persisted var number: Int
}

final class BenchResident: Object {
    @Persisted var name: String
    @Persisted var address: BenchAddress?
}

/// As many residents as there are people, each with an embedded address. In SQLite: a table of addresses with the
/// resident as primary key.
final class EmbeddedBed: Topic {
    private let people: People
    private let fresh: FreshFiles

    init(_ bed: TestFixture, _ folder: URL) throws {
        people = bed.people
        fresh = FreshFiles(
            folder, [BenchResident.self, BenchAddress.self],
            sql: """
                CREATE TABLE resident (id INTEGER PRIMARY KEY, name TEXT NOT NULL);
                CREATE TABLE address (
                    resident INTEGER PRIMARY KEY REFERENCES resident ON DELETE CASCADE, street TEXT NOT NULL,
                    number INTEGER NOT NULL);
                """)
    }

    func realm() throws -> Realm { try fresh.files().realm }

    func queue() throws -> DatabaseQueue { try fresh.files().queue }

    var count: Int { people.rows.count }

    func empty() throws { try fresh.renew() }

    func insert() throws {
        let realm = try realm()
        try realm.write {
            for row in people.rows {
                let resident = BenchResident()
                resident.name = row.name
                let address = BenchAddress()
                (address.street, address.number) = (row.name, row.age)
                resident.address = address
                realm.add(resident)
            }
        }
    }

    func fillIfNeeded() throws {
        if try realm().objects(BenchResident.self).isEmpty { try insert() }
    }

    func insertIntoTables() throws {
        try queue().write { database in
            let resident = try database.makeStatement(sql: "INSERT INTO resident VALUES (?, ?)")
            let address = try database.makeStatement(sql: "INSERT INTO address VALUES (?, ?, ?)")
            for row in people.rows {
                try resident.execute(arguments: [row.id, row.name])
                try address.execute(arguments: [row.id, row.name, row.age])
            }
        }
    }

    func fillTablesIfNeeded() throws {
        if try queue().read({ try $0.count("resident") }) == 0 { try insertIntoTables() }
    }
}

/// Objects with an embedded object: adding them in one commit, and iterating over them to read an int of the embedded
/// one, per object.
enum EmbeddedWorkloads {
    static let all = [insert, read]
}
