// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

extension OrderWorkloads {
    static let twoKeys = Workload(
        name: "sort_two_keys",
        realm: { bed in
            let sorted = bed.realm.objects(BenchPerson.self).sorted(by: [
                RealmSwift.SortDescriptor(keyPath: "age"),
                RealmSwift.SortDescriptor(keyPath: "score", ascending: false),
            ])
            return (bed.people.rows.count, Int(sorted[sorted.count / 2].score * 1000))
        },
        grdb: { bed in
            try bed.queue.read { database in
                let scores = try Double.fetchAll(database, sql: "SELECT score FROM person ORDER BY age, score DESC")
                return (bed.people.rows.count, Int(scores[scores.count / 2] * 1000))
            }
        }, growth: .logarithmic)
}
