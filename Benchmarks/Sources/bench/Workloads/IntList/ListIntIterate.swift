// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

extension IntListWorkloads {
    static let iterate = Workload.on(
        IntListBed.self, "list_int_iterate", prepare: { try $0.fillIfNeeded() },
        realm: { bed in
            var sum = 0
            for value in bed.list { sum &+= value }
            return (bed.values.count, sum)
        },
        prepareGRDB: { try $0.fillTable() },
        grdb: { bed in
            try bed.files.queue.read { database in
                var sum = 0
                let cursor = try Int.fetchCursor(database, sql: "SELECT value FROM ints ORDER BY position")
                while let value = try cursor.next() { sum &+= value }
                return (bed.values.count, sum)
            }
        })
}
