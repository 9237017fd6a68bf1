// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

extension ResultsWorkloads {
    static let firstSorted = Workload(
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
        })
}
