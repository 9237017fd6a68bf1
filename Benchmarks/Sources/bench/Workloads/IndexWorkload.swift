// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

/// Counts by an indexed string, per query.
enum IndexWorkload {
    private static let queries = 1000

    static let workload = Workload(
        name: "index_eq",
        realm: { bed in
            let people = bed.realm.objects(BenchPerson.self)
            var sum = 0
            for id in bed.people.shuffled.prefix(queries) {
                let name = bed.people.rows[id].name
                sum &+= people.where { $0.name == name }.count
            }
            return (min(queries, bed.people.rows.count), sum)
        },
        grdb: { bed in
            try bed.queue.read { database in
                let statement = try database.cachedStatement(sql: "SELECT COUNT(*) FROM person WHERE name = ?")
                var sum = 0
                for id in bed.people.shuffled.prefix(queries) {
                    sum &+= try Int.fetchOne(statement, arguments: [bed.people.rows[id].name]) ?? 0
                }
                return (min(queries, bed.people.rows.count), sum)
            }
        }, growth: .logarithmic)
}
