// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension EncryptedWorkloads {
    static let open = Workload(
        name: "enc_open_first_read",
        realm: { bed in (FileWorkloads.opens, try FileWorkloads.read(bed.prepared(), key: EncryptedBed.key)) },
        grdb: nil,
        prepare: { bed in
            bed.prepared = try FileWorkloads.openedCopy(bed, of: bed.encrypted().url, key: EncryptedBed.key)
        })
}
