// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

extension SetWorkloads {
    static let insertStrings = Workload.on(
        SetBed.self, "set_string_insert", prepare: { try $0.empty() },
        realm: { bed in
            let set = bed.sets.strings
            try bed.files.realm.write { for value in bed.strings { set.insert(value) } }
            return (bed.strings.count, set.count)
        },
        prepareGRDB: { try $0.emptyTables() },
        grdb: { bed in
            try bed.files.queue.write { database in
                let statement = try database.makeStatement(sql: "INSERT OR IGNORE INTO strings VALUES (?)")
                for value in bed.strings { try statement.execute(arguments: [value]) }
            }
            return (bed.strings.count, try bed.files.queue.read { try $0.count("strings") })
        }, growth: .logarithmic)
}
