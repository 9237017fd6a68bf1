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
    /// The keys in another order.
    let shuffled: [String]

    init(_ bed: TestBed, _ folder: URL) throws {
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

    private static let insert = Workload.on(
        MapBed.self, "dict_insert", prepare: { try $0.empty() },
        realm: { bed in
            try bed.insert()
            return (bed.keys.count, bed.map.count)
        },
        prepareGRDB: { try $0.emptyTable() },
        grdb: { bed in
            try bed.insertIntoTable()
            return (bed.keys.count, try bed.files.queue.read { try $0.count("map") })
        }, growth: .logarithmic)

    private static let lookup = Workload.on(
        MapBed.self, "dict_lookup", prepare: { try $0.fillIfNeeded() },
        realm: { bed in
            let map = bed.map
            var sum = 0
            for key in bed.shuffled { sum &+= map[key] ?? 0 }
            return (bed.shuffled.count, sum)
        },
        prepareGRDB: { try $0.fillTableIfNeeded() },
        grdb: { bed in
            try bed.files.queue.read { database in
                var sum = 0
                let statement = try database.makeStatement(sql: "SELECT value FROM map WHERE key = ?")
                for key in bed.shuffled { sum &+= try Int.fetchOne(statement, arguments: [key]) ?? 0 }
                return (bed.shuffled.count, sum)
            }
        }, growth: .logarithmic)

    private static let iterate = Workload.on(
        MapBed.self, "dict_iterate", prepare: { try $0.fillIfNeeded() },
        realm: { bed in
            var sum = 0
            for entry in bed.map { sum &+= entry.key.utf8.count &+ entry.value }
            return (bed.keys.count, sum)
        },
        prepareGRDB: { try $0.fillTableIfNeeded() },
        grdb: { bed in
            try bed.files.queue.read { database in
                var sum = 0
                let cursor = try Row.fetchCursor(database, sql: "SELECT key, value FROM map")
                while let row = try cursor.next() {
                    let (key, value): (String, Int) = (row[0], row[1])
                    sum &+= key.utf8.count &+ value
                }
                return (bed.keys.count, sum)
            }
        })
}
