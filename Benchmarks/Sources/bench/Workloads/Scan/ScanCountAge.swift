// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift

extension ScanWorkloads {
    static let count = Workload(
        name: "scan_count_age",
        realm: { bed in
            (bed.people.rows.count, bed.realm.objects(BenchPerson.self).where { $0.age > 50 }.count)
        }, grdb: { bed in try value(bed, "SELECT COUNT(*) FROM person WHERE age > 50") })
}
