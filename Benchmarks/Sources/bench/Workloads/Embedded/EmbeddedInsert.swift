// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

extension EmbeddedWorkloads {
    static let insert = Workload.on(
        EmbeddedBed.self, "embedded_insert", prepare: { try $0.empty() },
        realm: { bed in
            try bed.insert()
            return (bed.count, try bed.realm().objects(BenchResident.self).count)
        },
        prepareGRDB: { try $0.empty() },
        grdb: { bed in
            try bed.insertIntoTables()
            return (bed.count, try bed.queue().read { try $0.count("address") })
        })
}
