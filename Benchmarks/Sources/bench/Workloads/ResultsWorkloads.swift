// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

/// What apps do with `Results` beside iterating, per object in the table.
enum ResultsWorkloads {
    static let all = [
        Workload(
            name: "map_results",
            realm: { bed in
                let ages: [Int] = bed.realm.objects(BenchPerson.self).map { $0.age }
                return (ages.count, ages.reduce(0, &+))
            },
            grdb: { bed in
                let ages = try bed.queue.read { try Int.fetchAll($0, sql: "SELECT age FROM person") }
                return (ages.count, ages.reduce(0, &+))
            }),
        Workload(
            name: "first_sorted",
            realm: { bed in
                let best = bed.realm.objects(BenchPerson.self).sorted(by: \.score).first
                return (bed.people.rows.count, best.map { Int($0.score * 1000) } ?? 0)
            },
            grdb: { bed in
                try bed.queue.read { database in
                    let best = try Double.fetchOne(database, sql: "SELECT score FROM person ORDER BY score LIMIT 1")
                    return (bed.people.rows.count, best.map { Int($0 * 1000) } ?? 0)
                }
            }),
    ]
}
