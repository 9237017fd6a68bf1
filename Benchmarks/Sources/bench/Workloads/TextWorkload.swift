// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

/// Counts by a text that every object has to be looked at for, per object in the table.
enum TextWorkload {
    static let contains = workload("text_contains", { $0.name.contains("777") }, "instr(name, '777') > 0")
    static let prefix = workload("text_prefix", { $0.name.starts(with: "person-7") }, "substr(name, 1, 8) = 'person-7'")
    static let anyCase = workload(
        "text_contains_ci", { $0.name.contains("SON-77", options: .caseInsensitive) }, "name LIKE '%SON-77%'")
    static let equalAnyCase = workload(
        "text_equal_ci", { $0.name.equals("PERSON-777", options: .caseInsensitive) },
        "name = 'PERSON-777' COLLATE NOCASE")

    private static func workload(
        _ name: String, _ condition: @escaping @Sendable (RealmSwift.Query<BenchPerson>) -> RealmSwift.Query<Bool>,
        _ sql: String
    ) -> Workload {
        Workload(
            name: name,
            realm: { bed in
                (bed.people.rows.count, bed.realm.objects(BenchPerson.self).where(condition).count)
            },
            grdb: { bed in
                try bed.queue.read { database in
                    let count = try Int.fetchOne(database, sql: "SELECT COUNT(*) FROM person WHERE \(sql)") ?? 0
                    return (bed.people.rows.count, count)
                }
            })
    }
}
