// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

extension IterateWorkloads {
    static let everything = Workload(
        name: "iterate_all_props",
        realm: { bed in
            var sum = 0
            for person in bed.realm.objects(BenchPerson.self) { sum &+= person.fingerprint }
            return (bed.people.rows.count, sum)
        },
        grdb: { bed in
            try bed.queue.read { database in
                var sum = 0
                let cursor = try PersonRecord.fetchCursor(database, sql: "SELECT * FROM person")
                while let person = try cursor.next() { sum &+= person.fingerprint }
                return (bed.people.rows.count, sum)
            }
        })
}
