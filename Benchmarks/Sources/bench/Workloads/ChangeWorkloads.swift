// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

/// Changes of the whole table, in one transaction, on a copy that each round has for itself.
enum ChangeWorkloads {
    static let all = [updateAll, deleteHalf, deleteAllByQuery, deleteAll, deleteOneByOne]

    private static let updateAll = CopyWorkload.workload(
        "update_all_age",
        realm: { realm, people in
            try realm.write {
                for person in realm.objects(BenchPerson.self) { person.age += 1 }
            }
            return people.rows.count
        }, grdb: { queue, _ in try changes(queue, "UPDATE person SET age = age + 1") })

    /// Per deleted object.
    private static let deleteHalf = CopyWorkload.workload(
        "delete_half", growth: .logarithmic,
        realm: { realm, _ in
            try realm.write {
                let young = realm.objects(BenchPerson.self).where { $0.age < 50 }
                let count = young.count
                realm.delete(young)
                return count
            }
        }, grdb: { queue, _ in try changes(queue, "DELETE FROM person WHERE age < 50") })

    private static let deleteAllByQuery = CopyWorkload.workload(
        "delete_all_query", growth: .logarithmic,
        realm: { realm, people in
            try realm.write { realm.delete(realm.objects(BenchPerson.self).where { $0.age >= 0 }) }
            return people.rows.count
        }, grdb: { queue, _ in try changes(queue, "DELETE FROM person WHERE age >= 0") })

    private static let deleteAll = CopyWorkload.workload(
        "delete_all",
        realm: { realm, people in
            try realm.write { realm.delete(realm.objects(BenchPerson.self)) }
            return people.rows.count
        }, grdb: { queue, _ in try changes(queue, "DELETE FROM person") })

    /// A tenth of all, found by random primary keys.
    private static let deleteOneByOne = CopyWorkload.workload(
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

    private static func changes(_ queue: DatabaseQueue, _ sql: String) throws -> Int {
        try queue.write { database in
            try database.execute(sql: sql)
            return database.changesCount
        }
    }
}
