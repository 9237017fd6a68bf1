// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

extension LinkListWorkloads {
    static let append = Workload.on(
        LinkListBed.self, "list_link_append", prepare: { try $0.empty() },
        realm: { bed in
            try bed.files.realm.write { bed.append() }
            return (bed.count, bed.list.count)
        },
        prepareGRDB: { try $0.emptyTable() },
        grdb: { bed in
            try bed.files.queue.write { try bed.append(in: $0) }
            return (bed.count, try bed.files.queue.read { try $0.count("link") })
        })
}
