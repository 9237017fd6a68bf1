// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift

extension IterateWorkloads {
    static let sumAge = Workload(
        name: "iterate_sum_age",
        realm: { bed in
            var sum = 0
            for person in bed.realm.objects(BenchPerson.self) { sum &+= person.age }
            return (bed.people.rows.count, sum)
        }, grdb: { bed in try sum(bed, "SELECT age FROM person") })
}
