// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

extension IntListWorkloads {
    static let removeLast = Workload.on(
        IntListBed.self, "list_int_remove_last", prepare: { try $0.fill() },
        realm: { bed in
            try bed.files.realm.write { for _ in bed.values { bed.list.removeLast() } }
            return (bed.values.count, bed.list.count)
        },
        prepareGRDB: { try $0.fillTable() },
        grdb: { bed in
            try bed.files.queue.write { database in
                let statement = try database.makeStatement(sql: "DELETE FROM ints WHERE position = ?")
                for position in bed.values.indices.reversed() { try statement.execute(arguments: [position]) }
                return (bed.values.count, try database.count("ints"))
            }
        })
}
