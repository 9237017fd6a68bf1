// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

extension FileWorkloads {
    /// Opens the file with a request to compact it, per object.
    static let compact = Workload(
        name: "compact",
        realm: { bed in
            let realm = try Realm(
                configuration: .init(
                    fileURL: bed.prepared(), shouldCompactOnLaunch: { _, _ in true }, objectTypes: [BenchPerson.self]))
            bed.prepared = realm
            return (bed.people.rows.count, 0)
        },
        grdb: { bed in
            let queue: DatabaseQueue = try bed.prepared()
            try queue.vacuum()
            return (bed.people.rows.count, 0)
        },
        prepare: { bed in bed.prepared = try bed.scratchCopy(of: bed.realmURL) },
        prepareGRDB: { bed in bed.prepared = try TestFixture.openWAL(bed.scratchCopy(of: bed.queueURL)) },
        check: CopyWorkload.check, checkGRDB: CopyWorkload.checkGRDB)
}
