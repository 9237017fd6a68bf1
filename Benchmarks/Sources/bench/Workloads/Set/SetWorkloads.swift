// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import GRDB
import RealmSwift

final class BenchSets: Object {
    @Persisted var ints: MutableSet<Int>
    @Persisted var strings: MutableSet<String>
}

/// Empty sets, and the values to insert: as many random ints as there are people, and a tenth as many strings. In
/// SQLite: tables with only a primary key.
final class SetBed: Topic {
    let files: TopicFiles
    let sets = BenchSets()
    let ints: [Int]
    let strings: [String]

    init(_ bed: TestFixture, _ folder: URL) throws {
        files = try TopicFiles(
            folder, [BenchSets.self],
            sql: """
                CREATE TABLE ints (value INTEGER PRIMARY KEY);
                CREATE TABLE strings (value TEXT PRIMARY KEY) WITHOUT ROWID;
                """)
        var random = XorShift(state: 0x5E7)
        let count = bed.people.rows.count
        ints = (0..<count).map { _ in Int(random.next() % 1_000_000_000) }
        strings = (0..<max(1, count / 10)).map { _ in "value-\(random.next() % 1_000_000_000)" }
        let (realm, sets) = (files.realm, sets)
        try realm.write { realm.add(sets) }
    }

    func empty() throws {
        try files.realm.write {
            sets.ints.removeAll()
            sets.strings.removeAll()
        }
    }

    func emptyTables() throws {
        try files.queue.write { try $0.execute(sql: "DELETE FROM ints; DELETE FROM strings") }
    }
}

/// Inserting into a set in one commit, per element.
enum SetWorkloads {
    static let all = [insertInts, insertStrings]
}
