// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

/// Finds objects by primary key, in random order, and reads the five other properties.
enum PrimaryKeyWorkload {
    static let workload = Workload(
        name: "pk_lookup_5props",
        realm: { bed in
            var sum = 0
            for id in bed.people.shuffled {
                guard let person = bed.realm.object(ofType: BenchPerson.self, forPrimaryKey: id) else { continue }
                sum &+= person.fingerprint
            }
            return (bed.people.shuffled.count, sum)
        },
        grdb: { bed in
            try bed.queue.read { database in
                let statement = try database.cachedStatement(sql: "SELECT * FROM person WHERE id = ?")
                var sum = 0
                for id in bed.people.shuffled {
                    guard let person = try PersonRecord.fetchOne(statement, arguments: [id]) else { continue }
                    sum &+= person.fingerprint
                }
                return (bed.people.shuffled.count, sum)
            }
        }, growth: .logarithmic)
}
