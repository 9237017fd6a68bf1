// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

/// Iterate over all objects and read an int of each.
enum IterateWorkload {
    static let workload = Workload(
        name: "iterate_sum_age",
        realm: { bed in
            var sum = 0
            for person in bed.realm.objects(BenchPerson.self) { sum &+= person.age }
            return (bed.people.rows.count, sum)
        },
        grdb: { bed in
            try bed.queue.read { database in
                var sum = 0
                let cursor = try Row.fetchCursor(database, sql: "SELECT age FROM person")
                while let row = try cursor.next() { sum &+= row[0] }
                return (bed.people.rows.count, sum)
            }
        })
}
