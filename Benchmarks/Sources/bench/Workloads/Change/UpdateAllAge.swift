// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift

extension ChangeWorkloads {
    static let updateAll = CopyWorkload.workload(
        "update_all_age",
        realm: { realm, people in
            try realm.write {
                for person in realm.objects(BenchPerson.self) { person.age += 1 }
            }
            return people.rows.count
        }, grdb: { queue, _ in try changes(queue, "UPDATE person SET age = age + 1") })
}
