// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift

extension ScanWorkloads {
    static let sum = Workload(
        name: "sum_age",
        realm: { bed in (bed.people.rows.count, bed.realm.objects(BenchPerson.self).sum(of: \.age)) },
        grdb: { bed in try value(bed, "SELECT SUM(age) FROM person") })
}
