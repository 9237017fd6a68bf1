// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift

extension ChangeWorkloads {
    static let deleteAllByQuery = CopyWorkload.workload(
        "delete_all_query", growth: .logarithmic,
        realm: { realm, people in
            try realm.write { realm.delete(realm.objects(BenchPerson.self).where { $0.age >= 0 }) }
            return people.rows.count
        }, grdb: { queue, _ in try changes(queue, "DELETE FROM person WHERE age >= 0") })
}
