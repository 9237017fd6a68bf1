// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

extension MapWorkloads {
    static let lookup = Workload.on(
        MapBed.self, "dict_lookup", prepare: { try $0.fillIfNeeded() },
        realm: { bed in
            let map = bed.map
            var sum = 0
            for key in bed.shuffled { sum &+= map[key] ?? 0 }
            return (bed.shuffled.count, sum)
        },
        prepareGRDB: { try $0.fillTableIfNeeded() },
        grdb: { bed in
            try bed.files.queue.read { database in
                var sum = 0
                let statement = try database.makeStatement(sql: "SELECT value FROM map WHERE key = ?")
                for key in bed.shuffled { sum &+= try Int.fetchOne(statement, arguments: [key]) ?? 0 }
                return (bed.shuffled.count, sum)
            }
        }, growth: .logarithmic)
}
