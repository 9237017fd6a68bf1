// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift

extension EncryptedWorkloads {
    static let iterate = Workload(
        name: "enc_iterate_all_props",
        realm: { bed in
            var sum = 0
            for person in try bed.encrypted().realm.objects(BenchPerson.self) { sum &+= person.fingerprint }
            return (bed.people.rows.count, sum)
        }, grdb: nil)
}
