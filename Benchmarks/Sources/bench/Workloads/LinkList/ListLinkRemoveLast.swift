// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

extension LinkListWorkloads {
    static let removeLast = Workload.on(
        LinkListBed.self, "list_link_remove_last", prepare: { try $0.fill() },
        realm: { bed in
            try bed.files.realm.write { for _ in 0..<bed.count { bed.list.removeLast() } }
            return (bed.count, bed.list.count)
        },
        prepareGRDB: { try $0.fillTable() },
        grdb: { bed in
            try bed.files.queue.write { database in
                let statement = try database.makeStatement(sql: "DELETE FROM link WHERE position = ?")
                for position in (0..<bed.count).reversed() { try statement.execute(arguments: [position]) }
                return (bed.count, try database.count("link"))
            }
        })
}
