// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

extension LinkListWorkloads {
    static let iterate = Workload.on(
        LinkListBed.self, "list_link_iterate", prepare: { try $0.fillIfNeeded() },
        realm: { bed in
            var sum = 0
            for item in bed.list { sum &+= item.value }
            return (bed.count, sum)
        },
        prepareGRDB: { try $0.fillTable() },
        grdb: { bed in
            try bed.files.queue.read { database in
                var sum = 0
                let cursor = try Int.fetchCursor(
                    database, sql: "SELECT value FROM link JOIN item ON item.id = link.item ORDER BY position")
                while let value = try cursor.next() { sum &+= value }
                return (bed.count, sum)
            }
        })
}
