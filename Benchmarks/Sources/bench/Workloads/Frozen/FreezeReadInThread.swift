// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

/// Up to 10,000 objects that are frozen one by one and read in another thread, per object. In GRDB: records, which are
/// values.
enum FrozenWorkloads {
    static let all = [
        Workload(
            name: "freeze_read_in_thread",
            realm: { bed in
                let count = min(bed.people.rows.count, 10_000)
                let people = Array(bed.realm.objects(BenchPerson.self).prefix(count)).map { Frozen($0) }
                return (count, try inThread { people.reduce(0) { $0 &+ $1.age } })
            },
            grdb: { bed in
                let count = min(bed.people.rows.count, 10_000)
                let people = try bed.queue.read { try PersonRecord.order(Column("id")).limit(count).fetchAll($0) }
                return (count, try inThread { people.reduce(0) { $0 &+ $1.age } })
            })
    ]
}
