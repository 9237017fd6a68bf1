// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

/// Count the objects whose age is above 50, per object in the table.
enum CountWorkload {
    static let workload = Workload(
        name: "scan_count_age",
        realm: { bed in
            (bed.people.rows.count, bed.realm.objects(BenchPerson.self).where { $0.age > 50 }.count)
        },
        grdb: { bed in
            try bed.queue.read { database in
                let count = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM person WHERE age > 50") ?? 0
                return (bed.people.rows.count, count)
            }
        })
}
