// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import GRDB

extension FileWorkloads {
    /// Opens the file, reads one property of one object, and closes it, per opening.
    static let open = Workload(
        name: "open_first_read",
        realm: { bed in (opens, try read(bed.prepared())) },
        grdb: { bed in (opens, try readGRDB(bed.prepared(), times: opens)) },
        prepare: { bed in bed.prepared = try openedCopy(bed, of: bed.realmURL) },
        prepareGRDB: { bed in
            let copy = try bed.scratchCopy(of: bed.queueURL)
            _ = try readGRDB(copy, times: 1)
            bed.prepared = copy
        })

    private static func readGRDB(_ url: URL, times: Int) throws -> Int {
        var sum = 0
        for _ in 0..<times {
            let queue = try TestFixture.openWAL(url)
            sum &+= try queue.read { try Int.fetchOne($0, sql: "SELECT age FROM person LIMIT 1") ?? 0 }
        }
        return sum
    }
}
