// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import GRDB
import RealmSwift

/// Iterate over objects and read properties of each, per object in the table.
enum IterateWorkloads {
    static let all = [int, everything, filtered]

    private static let int = Workload(
        name: "iterate_sum_age",
        realm: { bed in
            var sum = 0
            for person in bed.realm.objects(BenchPerson.self) { sum &+= person.age }
            return (bed.people.rows.count, sum)
        }, grdb: { bed in try sum(bed, "SELECT age FROM person") })

    private static let filtered = Workload(
        name: "filter_age_iterate",
        realm: { bed in
            var sum = 0
            for person in bed.realm.objects(BenchPerson.self).where({ $0.age > 50 }) { sum &+= person.age }
            return (bed.people.rows.count, sum)
        }, grdb: { bed in try sum(bed, "SELECT age FROM person WHERE age > 50") })

    /// Five properties of each.
    private static let everything = Workload(
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

    private static func sum(_ bed: TestBed, _ sql: String) throws -> (Int, Int) {
        try bed.queue.read { database in
            var sum = 0
            let cursor = try Int.fetchCursor(database, sql: sql)
            while let age = try cursor.next() { sum &+= age }
            return (bed.people.rows.count, sum)
        }
    }
}
