// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import GRDB
import RealmSwift

extension CreateWorkloads {
    static let fromJSON = Workload.on(
        DraftBed.self, "create_from_json", prepare: { try $0.empty() },
        realm: { bed in
            let realm = try bed.realm()
            let decoder = JSONDecoder()
            try realm.write {
                for text in bed.texts { realm.add(try decoder.decode([BenchDraft].self, from: text)) }
            }
            return (bed.rows.count, realm.objects(BenchDraft.self).count)
        },
        prepareGRDB: { try $0.empty() },
        grdb: { bed in
            let decoder = JSONDecoder()
            try bed.queue().write { database in
                for text in bed.texts {
                    for record in try decoder.decode([DraftRecord].self, from: text) { try record.insert(database) }
                }
            }
            return (bed.rows.count, try bed.queue().read { try $0.count("draft") })
        }, growth: .logarithmic)
}
