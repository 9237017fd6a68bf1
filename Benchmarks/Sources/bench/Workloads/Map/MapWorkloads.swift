// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import GRDB
import RealmSwift

final class BenchMap: Object {
    @Persisted var numbers: Map<String, Int>
}

/// A dictionary of ints, and as many random keys as there are people. In SQLite: a table whose primary key is text.
final class MapBed: Topic {
    let files: TopicFiles
    let map: Map<String, Int>
    let keys: [String]
    let shuffled: [String]

    init(_ bed: TestFixture, _ folder: URL) throws {
        files = try TopicFiles(
            folder, [BenchMap.self],
            sql: "CREATE TABLE map (key TEXT PRIMARY KEY, value INTEGER NOT NULL) WITHOUT ROWID")
        var random = XorShift(state: 0xD1C7)
        keys = bed.people.rows.map { _ in "key-\(random.next() % 1_000_000_000)" }
        shuffled = keys.shuffled(using: &random)
        let owner = BenchMap()
        let realm = files.realm
        try realm.write { realm.add(owner) }
        map = owner.numbers
    }

    func empty() throws {
        try files.realm.write { map.removeAll() }
    }

    func insert() throws {
        try files.realm.write { for (value, key) in keys.enumerated() { map[key] = value } }
    }

    func fillIfNeeded() throws {
        if map.count == 0 { try insert() }
    }

    func emptyTable() throws {
        try files.queue.write { try $0.execute(sql: "DELETE FROM map") }
    }

    func insertIntoTable() throws {
        try files.queue.write { database in
            let statement = try database.makeStatement(sql: "INSERT OR REPLACE INTO map VALUES (?, ?)")
            for (value, key) in keys.enumerated() { try statement.execute(arguments: [key, value]) }
        }
    }

    func fillTableIfNeeded() throws {
        if try files.queue.read({ try $0.count("map") }) == 0 { try insertIntoTable() }
    }
}

/// Dictionaries, per key.
enum MapWorkloads {
    static let all = [insert, lookup, iterate]
}
