// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift

extension EncryptedWorkloads {
    static let count = Workload(
        name: "enc_scan_count_age",
        realm: { bed in
            let realm = try bed.encrypted().realm
            return (bed.people.rows.count, realm.objects(BenchPerson.self).where { $0.age > 50 }.count)
        }, grdb: nil)
}
