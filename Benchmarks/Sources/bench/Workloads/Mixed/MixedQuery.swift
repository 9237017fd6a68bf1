// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

extension MixedWorkloads {
    /// SQLite compares texts and blobs as larger than any number.
    static let query = Workload(
        name: "mixed_query",
        realm: { bed in
            let objects = try bed.plain().realm.objects(BenchPlain.self)
            return (bed.people.rows.count, objects.where { $0.mixed > .int(500) }.count)
        },
        grdb: { bed in
            try bed.plain().queue.read { database in
                let sql = "SELECT COUNT(*) FROM plain WHERE mixed > 500 AND typeof(mixed) IN ('integer', 'real')"
                return (bed.people.rows.count, try Int.fetchOne(database, sql: sql) ?? 0)
            }
        })
}
