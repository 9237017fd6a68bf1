// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import GRDB

extension FileWorkloads {
    /// Open the file, read one property of one object, and close; per time.
    static let open = Workload(
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
}
