// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

extension ChangeWorkloads {
    /// A tenth of all, found by random primary keys.
    static let deleteOneByOne = CopyWorkload.workload(
        "delete_one_by_one", growth: .logarithmic,
        realm: { realm, people in
            let chosen = people.shuffled.prefix(max(1, people.rows.count / 10))
            try realm.write {
                for id in chosen {
                    guard let person = realm.object(ofType: BenchPerson.self, forPrimaryKey: id) else { continue }
                    realm.delete(person)
                }
            }
            return chosen.count
        },
        grdb: { queue, people in
            let chosen = people.shuffled.prefix(max(1, people.rows.count / 10))
            try queue.write { database in
                let statement = try database.cachedStatement(sql: "DELETE FROM person WHERE id = ?")
                for id in chosen { try statement.execute(arguments: [id]) }
            }
            return chosen.count
        })
}
