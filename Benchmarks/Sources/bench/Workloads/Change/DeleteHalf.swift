// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift

extension ChangeWorkloads {
    static let deleteHalf = CopyWorkload.workload(
        "delete_half", growth: .logarithmic,
        realm: { realm, _ in
            try realm.write {
                let young = realm.objects(BenchPerson.self).where { $0.age < 50 }
                let count = young.count
                realm.delete(young)
                return count
            }
        }, grdb: { queue, _ in try changes(queue, "DELETE FROM person WHERE age < 50") })
}
