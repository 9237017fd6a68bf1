// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

extension EmbeddedWorkloads {
    static let read = Workload.on(
        EmbeddedBed.self, "embedded_read", prepare: { try $0.fillIfNeeded() },
        realm: { bed in
            var sum = 0
            for resident in try bed.realm().objects(BenchResident.self) { sum &+= resident.address?.number ?? 0 }
            return (bed.count, sum)
        },
        prepareGRDB: { try $0.fillTablesIfNeeded() },
        grdb: { bed in
            try bed.queue().read { database in
                var sum = 0
                let cursor = try Int.fetchCursor(
                    database, sql: "SELECT number FROM resident JOIN address ON address.resident = resident.id")
                while let number = try cursor.next() { sum &+= number }
                return (bed.count, sum)
            }
        })
}
