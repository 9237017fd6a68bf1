// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import GRDB
import RealmSwift

final class BenchPerson: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var name: String
    @Persisted var age: Int
    @Persisted var score: Double
    @Persisted var born: Date
    @Persisted var active: Bool

    convenience init(_ row: People.Row) {
        self.init()
        id = row.id
        name = row.name
        age = row.age
        score = row.score
        born = row.born
        active = row.active
    }
}

/// GRDB's record of a person. It reads columns by position and stores dates as numbers, which is faster than with
/// `Codable`.
struct PersonRecord: FetchableRecord, TableRecord {
    static let databaseTableName = "person"
    let id: Int
    let name: String
    let age: Int
    let score: Double
    let born: Date
    let active: Bool

    init(row: GRDB.Row) {
        id = row[0]
        name = row[1]
        age = row[2]
        score = row[3]
        born = Date(timeIntervalSinceReferenceDate: row[4])
        active = row[5]
    }
}

enum PersonDatabase {
    static func realmURL(_ folder: URL) -> URL { folder.appendingPathComponent("filled.realm") }
    static func queueURL(_ folder: URL) -> URL { folder.appendingPathComponent("filled.sqlite") }

    static func makeRealm(_ folder: URL, _ people: People) throws -> Realm {
        let realm = try openRealm(realmURL(folder))
        try fill(realm, people)
        return realm
    }

    static func openRealm(_ url: URL, key: Data? = nil) throws -> Realm {
        try Realm(configuration: .init(fileURL: url, encryptionKey: key, objectTypes: [BenchPerson.self]))
    }

    static func fill(_ realm: Realm, _ people: People) throws {
        try realm.write {
            for row in people.rows { realm.add(BenchPerson(row)) }
        }
    }

    static func makeQueue(_ folder: URL, _ people: People) throws -> DatabaseQueue {
        let queue = try TestFixture.openWAL(queueURL(folder))
        try createTable(queue)
        try fill(queue, people)
        try queue.writeWithoutTransaction { try $0.execute(sql: "PRAGMA wal_checkpoint(TRUNCATE)") }
        return queue
    }

    static func createTable(_ queue: DatabaseQueue) throws {
        try queue.write { database in
            try database.create(table: "person") { table in
                table.primaryKey("id", .integer)
                table.column("name", .text).notNull().indexed()
                table.column("age", .integer).notNull()
                table.column("score", .double).notNull()
                table.column("born", .double).notNull()
                table.column("active", .boolean).notNull()
            }
        }
    }

    static func fill(_ queue: DatabaseQueue, _ people: People) throws {
        try queue.write { database in
            let statement = try database.makeStatement(sql: "INSERT INTO person VALUES (?, ?, ?, ?, ?, ?)")
            for row in people.rows {
                try statement.execute(arguments: [
                    row.id, row.name, row.age, row.score, row.born.timeIntervalSinceReferenceDate, row.active,
                ])
            }
        }
    }
}

extension BenchPerson {
    var fingerprint: Int {
        name.utf8.count &+ age &+ Int(score) &+ Int(born.timeIntervalSinceReferenceDate) &+ (active ? 1 : 0)
    }
}

extension PersonRecord {
    var fingerprint: Int {
        name.utf8.count &+ age &+ Int(score) &+ Int(born.timeIntervalSinceReferenceDate) &+ (active ? 1 : 0)
    }
}
