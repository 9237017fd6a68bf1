// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift

extension EncryptedWorkloads {
    /// Includes opening and decryption.
    static let coldCount = Workload(
        name: "enc_scan_count_age_cold",
        realm: { bed in
            let realm = try PersonDatabase.openRealm(bed.prepared(), key: EncryptedBed.key)
            return (bed.people.rows.count, realm.objects(BenchPerson.self).where { $0.age > 50 }.count)
        }, grdb: nil, prepare: { bed in bed.prepared = try bed.scratchCopy(of: bed.encrypted().url) })
}
