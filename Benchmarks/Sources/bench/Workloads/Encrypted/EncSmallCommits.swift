// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension EncryptedWorkloads {
    static let commits = Workload(
        name: "enc_small_commits",
        realm: { bed in (try CommitWorkloads.commitNear(bed.prepared(), bed.people), 0) }, grdb: nil,
        prepare: { bed in
            let copy = try bed.scratchCopy(of: bed.encrypted().url)
            bed.prepared = try PersonDatabase.openRealm(copy, key: EncryptedBed.key)
        })
}
