// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

/// Objects of six properties with a primary key and an indexed string, in one transaction, into an empty file.
enum InsertWorkload {
    static let workload = Workload(
        name: "insert",
        realm: { bed in
            let realm: Realm = try bed.prepared()
            try PersonDatabase.fill(realm, bed.people)
            return (bed.people.rows.count, 0)
        },
        grdb: { bed in
            let queue: DatabaseQueue = try bed.prepared()
            try PersonDatabase.fill(queue, bed.people)
            return (bed.people.rows.count, 0)
        },
        prepare: { bed in bed.prepared = try PersonDatabase.openRealm(bed.scratchURL("realm")) },
        prepareGRDB: { bed in
            let queue = try TestFixture.openWAL(bed.scratchURL("sqlite"))
            try PersonDatabase.createTable(queue)
            bed.prepared = queue
        },
        check: CopyWorkload.check, checkGRDB: CopyWorkload.checkGRDB, growth: .logarithmic)
}
