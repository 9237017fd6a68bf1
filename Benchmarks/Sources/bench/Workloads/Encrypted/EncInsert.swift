// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift

extension EncryptedWorkloads {
    static let insert = Workload(
        name: "enc_insert",
        realm: { bed in
            let realm: Realm = try bed.prepared()
            try PersonDatabase.fill(realm, bed.people)
            return (bed.people.rows.count, 0)
        }, grdb: nil,
        prepare: { bed in
            bed.prepared = try PersonDatabase.openRealm(bed.scratchURL("realm"), key: EncryptedBed.key)
        }, growth: .logarithmic)
}
