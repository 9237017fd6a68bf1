// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import GRDB
import RealmSwift

final class BenchPerson: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted(indexed: true) var name: String
    @Persisted var age: Int
    @Persisted var score: Double
    @Persisted var active: Bool
}

/// GRDB's record of the same person, in its idiomatic form.
struct PersonRecord: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "person"
    var id: Int
    var name: String
    var age: Int
    var score: Double
    var active: Bool
}

/// Both databases, filled with the same people.
final class TestBed {
    let people: People
    let folder: URL
    let realm: Realm
    let queue: DatabaseQueue
    /// By workload: who observes.
    var watchers: [String: Watcher] = [:]
    private var topics: [ObjectIdentifier: AnyObject] = [:]

    init(folder: URL, people: People) throws {
        self.people = people
        self.folder = folder
        realm = try TestBed.openRealm(folder.appendingPathComponent("filled.realm"))
        try TestBed.fill(realm, people)
        queue = try TestBed.openQueue(folder.appendingPathComponent("filled.sqlite"))
        try TestBed.fill(queue, people)
    }

    /// Made when a workload first wants it, which is in the round that warms up.
    func topic<Bed: AnyObject>(_ type: Bed.Type, _ make: (URL) throws -> Bed) throws -> Bed {
        let key = ObjectIdentifier(type)
        if let bed = topics[key] as? Bed { return bed }
        let folder = folder.appendingPathComponent("\(type)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let bed = try make(folder)
        topics[key] = bed
        return bed
    }

    static func openWAL(_ url: URL) throws -> DatabaseQueue {
        var configuration = GRDB.Configuration()
        configuration.prepareDatabase { try $0.execute(sql: "PRAGMA journal_mode = WAL") }
        return try DatabaseQueue(path: url.path, configuration: configuration)
    }

    static func openRealm(_ url: URL) throws -> Realm {
        try Realm(configuration: Realm.Configuration(fileURL: url, objectTypes: [BenchPerson.self]))
    }

    static func fill(_ realm: Realm, _ people: People) throws {
        try realm.write {
            for row in people.rows {
                let person = BenchPerson()
                person.id = row.id
                person.name = row.name
                person.age = row.age
                person.score = row.score
                person.active = row.active
                realm.add(person)
            }
        }
    }

    static func openQueue(_ url: URL) throws -> DatabaseQueue {
        let queue = try openWAL(url)
        try queue.write { database in
            try database.create(table: "person") { table in
                table.primaryKey("id", .integer)
                table.column("name", .text).notNull().indexed()
                table.column("age", .integer).notNull()
                table.column("score", .double).notNull()
                table.column("active", .boolean).notNull()
            }
        }
        return queue
    }

    static func fill(_ queue: DatabaseQueue, _ people: People) throws {
        try queue.write { database in
            let statement = try database.makeStatement(sql: "INSERT INTO person VALUES (?, ?, ?, ?, ?)")
            for row in people.rows {
                try statement.execute(arguments: [row.id, row.name, row.age, row.score, row.active])
            }
        }
    }
}
