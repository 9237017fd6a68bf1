// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

extension SetWorkloads {
    static let insertInts = Workload.on(
        SetBed.self, "set_int_insert", prepare: { try $0.empty() },
        realm: { bed in
            let set = bed.sets.ints
            try bed.files.realm.write { for value in bed.ints { set.insert(value) } }
            return (bed.ints.count, set.count)
        },
        prepareGRDB: { try $0.emptyTables() },
        grdb: { bed in
            try bed.files.queue.write { database in
                let statement = try database.makeStatement(sql: "INSERT OR IGNORE INTO ints VALUES (?)")
                for value in bed.ints { try statement.execute(arguments: [value]) }
            }
            return (bed.ints.count, try bed.files.queue.read { try $0.count("ints") })
        }, growth: .logarithmic)
}
