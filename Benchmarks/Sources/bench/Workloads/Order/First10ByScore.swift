// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

extension OrderWorkloads {
    static let first = Workload(
        name: "first_10_by_score",
        realm: { bed in
            let best = bed.realm.objects(BenchPerson.self).sorted(by: \.score).limit(10)
            return (bed.people.rows.count, best.reduce(0) { $0 + Int($1.score * 1000) })
        },
        grdb: { bed in
            try bed.queue.read { database in
                let best = try Double.fetchAll(database, sql: "SELECT score FROM person ORDER BY score LIMIT 10")
                return (bed.people.rows.count, best.reduce(0) { $0 + Int($1 * 1000) })
            }
        })
}
