// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

extension ResultsWorkloads {
    static let map = Workload(
        name: "map_results",
        realm: { bed in
            let ages: [Int] = bed.realm.objects(BenchPerson.self).map { $0.age }
            return (ages.count, ages.reduce(0, &+))
        },
        grdb: { bed in
            let ages = try bed.queue.read { try Int.fetchAll($0, sql: "SELECT age FROM person") }
            return (ages.count, ages.reduce(0, &+))
        })
}
