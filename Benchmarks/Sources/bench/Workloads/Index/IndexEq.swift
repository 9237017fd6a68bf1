// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

/// Counts by an indexed string, per query.
enum IndexWorkload {
    static let workload = Workload(
        name: "index_eq",
        realm: { bed in
            let people = bed.realm.objects(BenchPerson.self)
            var sum = 0
            for name in bed.people.soughtNames { sum &+= people.where { $0.name == name }.count }
            return (bed.people.soughtNames.count, sum)
        },
        grdb: { bed in
            try bed.queue.read { database in
                let statement = try database.cachedStatement(sql: "SELECT COUNT(*) FROM person WHERE name = ?")
                var sum = 0
                for name in bed.people.soughtNames {
                    sum &+= try Int.fetchOne(statement, arguments: [name]) ?? 0
                }
                return (bed.people.soughtNames.count, sum)
            }
        }, growth: .logarithmic)
}
