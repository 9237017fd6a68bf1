// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

/// All objects in an order, or the first of each value, per object in the table.
enum SortWorkload {
    static let twoKeys = Workload(
        name: "sort_two_keys",
        realm: { bed in
            let sorted = bed.realm.objects(BenchPerson.self).sorted(by: [
                RealmSwift.SortDescriptor(keyPath: "age"),
                RealmSwift.SortDescriptor(keyPath: "score", ascending: false),
            ])
            return (bed.people.rows.count, sorted[sorted.count / 2].age)
        },
        grdb: { bed in
            try bed.queue.read { database in
                let ages = try Int.fetchAll(database, sql: "SELECT age FROM person ORDER BY age, score DESC")
                return (bed.people.rows.count, ages[ages.count / 2])
            }
        })

    static let distinct = Workload(
        name: "distinct_age",
        realm: { bed in
            (bed.people.rows.count, bed.realm.objects(BenchPerson.self).distinct(by: ["age"]).count)
        },
        grdb: { bed in
            try bed.queue.read { database in
                let count = try Int.fetchOne(database, sql: "SELECT COUNT(DISTINCT age) FROM person") ?? 0
                return (bed.people.rows.count, count)
            }
        })
}
