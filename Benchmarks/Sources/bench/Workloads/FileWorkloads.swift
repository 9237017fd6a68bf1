// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import GRDB
import RealmSwift

/// Work on whole files.
enum FileWorkloads {
    static let all = [open, compact]
    static let opens = 20

    /// Open the file, read one property of one object, and close; per time.
    private static let open = Workload(
        name: "open_first_read",
        realm: { bed in (opens, try read(bed.prepared())) },
        grdb: { bed in
            let url: URL = try bed.prepared()
            var sum = 0
            for _ in 0..<opens {
                let queue = try TestBed.openWAL(url)
                sum &+= try queue.read { try Int.fetchOne($0, sql: "SELECT age FROM person LIMIT 1") ?? 0 }
            }
            return (opens, sum)
        },
        prepare: { bed in bed.prepared = try bed.scratchCopy(of: bed.realmURL) },
        prepareGRDB: { bed in bed.prepared = try bed.scratchCopy(of: bed.queueURL) })

    static func read(_ url: URL, key: Data? = nil) throws -> Int {
        var sum = 0
        for _ in 0..<opens {
            let realm = try PersonDatabase.openRealm(url, key: key)
            sum &+= realm.objects(BenchPerson.self).first?.age ?? 0
        }
        return sum
    }

    /// Open the file with the wish to compact it, per object.
    private static let compact = Workload(
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
        prepareGRDB: { bed in bed.prepared = try TestBed.openWAL(bed.scratchCopy(of: bed.queueURL)) },
        check: CopyWorkload.check, checkGRDB: CopyWorkload.checkGRDB)
}
