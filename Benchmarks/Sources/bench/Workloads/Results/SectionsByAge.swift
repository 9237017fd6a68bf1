// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

extension ResultsWorkloads {
    /// A hundred sections, each with its key and the number of its elements, as a list on the screen reads them.
    static let sections = Workload(
        name: "sections_by_age",
        realm: { bed in
            let sections = bed.realm.objects(BenchPerson.self).sectioned(by: \.age)
            return (bed.people.rows.count, sections.reduce(0) { $0 &+ $1.key &* $1.count })
        },
        grdb: { bed in
            try bed.queue.read { database in
                let rows = try GRDB.Row.fetchAll(
                    database, sql: "SELECT age, COUNT(*) FROM person GROUP BY age ORDER BY age")
                return (bed.people.rows.count, rows.reduce(0) { $0 &+ ($1[0] as Int) &* ($1[1] as Int) })
            }
        }, growth: .logarithmic)
}
