// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

extension MapWorkloads {
    static let insert = Workload.on(
        MapBed.self, "dict_insert", prepare: { try $0.empty() },
        realm: { bed in
            try bed.insert()
            return (bed.keys.count, bed.map.count)
        },
        prepareGRDB: { try $0.emptyTable() },
        grdb: { bed in
            try bed.insertIntoTable()
            return (bed.keys.count, try bed.files.queue.read { try $0.count("map") })
        }, growth: .logarithmic)
}
