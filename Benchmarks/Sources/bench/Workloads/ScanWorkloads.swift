// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

/// Counts and sums of columns without index, per object in the table.
enum ScanWorkloads {
    static let all = [count, sum]

    private static let count = Workload(
        name: "scan_count_age",
        realm: { bed in
            (bed.people.rows.count, bed.realm.objects(BenchPerson.self).where { $0.age > 50 }.count)
        }, grdb: { bed in try value(bed, "SELECT COUNT(*) FROM person WHERE age > 50") })

    private static let sum = Workload(
        name: "sum_age",
        realm: { bed in (bed.people.rows.count, bed.realm.objects(BenchPerson.self).sum(of: \.age)) },
        grdb: { bed in try value(bed, "SELECT SUM(age) FROM person") })

    private static func value(_ bed: TestBed, _ sql: String) throws -> (Int, Int) {
        try bed.queue.read { database in
            let statement = try database.cachedStatement(sql: sql)
            return (bed.people.rows.count, try Int.fetchOne(statement) ?? 0)
        }
    }
}
