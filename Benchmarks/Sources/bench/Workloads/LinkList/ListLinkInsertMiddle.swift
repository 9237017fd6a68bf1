// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift

extension LinkListWorkloads {
    static let insertMiddle = Workload.on(
        LinkListBed.self, "list_link_insert_middle", prepare: { try $0.fill() },
        realm: { bed in
            try bed.files.realm.write {
                for item in bed.files.realm.objects(BenchItem.self).prefix(bed.tenth) {
                    bed.list.insert(item, at: bed.list.count / 2)
                }
            }
            return (bed.tenth, bed.list.count)
        }, growth: .logarithmic)
}
