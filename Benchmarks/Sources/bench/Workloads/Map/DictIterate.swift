// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

extension MapWorkloads {
    static let iterate = Workload.on(
        MapBed.self, "dict_iterate", prepare: { try $0.fillIfNeeded() },
        realm: { bed in
            var sum = 0
            for entry in bed.map { sum &+= entry.key.utf8.count &+ entry.value }
            return (bed.keys.count, sum)
        },
        prepareGRDB: { try $0.fillTableIfNeeded() },
        grdb: { bed in
            try bed.files.queue.read { database in
                var sum = 0
                let cursor = try Row.fetchCursor(database, sql: "SELECT key, value FROM map")
                while let row = try cursor.next() {
                    let (key, value): (String, Int) = (row[0], row[1])
                    sum &+= key.utf8.count &+ value
                }
                return (bed.keys.count, sum)
            }
        })
}
