// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift

extension ChangeWorkloads {
    static let deleteAll = CopyWorkload.workload(
        "delete_all",
        realm: { realm, people in
            try realm.write { realm.delete(realm.objects(BenchPerson.self)) }
            return people.rows.count
        }, grdb: { queue, _ in try changes(queue, "DELETE FROM person") })
}
