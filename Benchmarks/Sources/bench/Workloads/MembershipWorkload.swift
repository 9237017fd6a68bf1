// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

/// Count the objects whose property is IN a list of keys, per key: of the primary key and of a column without index.
enum MembershipWorkload {
    static let few = workload("in_pk_1000", 1_000)
    static let many = workload("in_pk_40000", 40_000)
    static let plain = Workload(
        name: "in_plain_1000",
        realm: { bed in
            let scores = keys(bed, 1_000).map { bed.people.rows[$0].score }
            return (scores.count, bed.realm.objects(BenchPerson.self).where { $0.score.in(scores) }.count)
        },
        grdb: { bed in
            let scores = keys(bed, 1_000).map { bed.people.rows[$0].score }
            return (scores.count, try matches(bed, "score", scores))
        })

    private static func workload(_ name: String, _ count: Int) -> Workload {
        Workload(
            name: name,
            realm: { bed in
                let chosen = keys(bed, count)
                return (chosen.count, bed.realm.objects(BenchPerson.self).where { $0.id.in(chosen) }.count)
            },
            grdb: { bed in
                let chosen = keys(bed, count)
                return (chosen.count, try matches(bed, "id", chosen))
            })
    }

    private static func keys(_ bed: TestBed, _ count: Int) -> [Int] { Array(bed.people.shuffled.prefix(count)) }

    /// SQLite allows some ten thousand arguments, so that a long list goes through JSON, which is faster as well.
    private static func matches(_ bed: TestBed, _ column: String, _ keys: [some CustomStringConvertible]) throws -> Int
    {
        try bed.queue.read { database in
            let list = "[" + keys.map(\.description).joined(separator: ",") + "]"
            let sql = "SELECT COUNT(*) FROM person WHERE \(column) IN (SELECT value FROM json_each(?))"
            return try Int.fetchOne(database, sql: sql, arguments: [list]) ?? 0
        }
    }
}
