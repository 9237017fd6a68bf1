// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

extension IntListWorkloads {
    static let randomGet = Workload.on(
        IntListBed.self, "list_int_random_get", prepare: { try $0.fillIfNeeded() },
        realm: { bed in
            let list = bed.list
            var sum = 0
            for position in bed.positions { sum &+= list[position] }
            return (bed.positions.count, sum)
        },
        prepareGRDB: { try $0.fillTable() },
        grdb: { bed in
            try bed.files.queue.read { database in
                var sum = 0
                let statement = try database.makeStatement(sql: "SELECT value FROM ints WHERE position = ?")
                for position in bed.positions {
                    sum &+= try Int.fetchOne(statement, arguments: [position]) ?? 0
                }
                return (bed.positions.count, sum)
            }
        }, growth: .logarithmic)
}
