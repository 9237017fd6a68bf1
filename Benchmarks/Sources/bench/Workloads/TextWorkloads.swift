// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

/// Counts by a text of each object, per object in the table; where it has an index, that is used if it can be.
enum TextWorkloads {
    static let all = [
        people("contains", { $0.name.contains("777") }, "instr(name, '777') > 0"),
        people("contains_ci", { $0.name.contains("SON-77", options: .caseInsensitive) }, "name LIKE '%SON-77%'"),
        people("string_prefix_index", { $0.name.starts(with: "person-7") }, "name >= 'person-7' AND name < 'person-8'"),
        people(
            "string_eq_ci_index", { $0.name.equals("PERSON-777", options: .caseInsensitive) },
            "name = 'PERSON-777' COLLATE NOCASE"),
        plain("string_eq_noindex", { $0.text == "person-777" }, "text = 'person-777'", .sequentialReads),
        plain(
            "string_eq_ci_noindex", { $0.text.equals("PERSON-777", options: .caseInsensitive) },
            "text = 'PERSON-777' COLLATE NOCASE"),
        plain(
            "string_prefix_noindex", { $0.text.starts(with: "person-7") }, "text >= 'person-7' AND text < 'person-8'"),
    ]

    private static func people(
        _ name: String, _ condition: @escaping @Sendable (RealmSwift.Query<BenchPerson>) -> RealmSwift.Query<Bool>,
        _ sql: String
    ) -> Workload {
        Workload(
            name: name,
            realm: { bed in
                (bed.people.rows.count, bed.realm.objects(BenchPerson.self).where(condition).count)
            }, grdb: { bed in (bed.people.rows.count, try count(bed.queue, "person", sql)) })
    }

    private static func plain(
        _ name: String, _ condition: @escaping @Sendable (RealmSwift.Query<BenchPlain>) -> RealmSwift.Query<Bool>,
        _ sql: String, _ growth: Growth = .constant
    ) -> Workload {
        Workload(
            name: name,
            realm: { bed in
                (bed.people.rows.count, try bed.plain().realm.objects(BenchPlain.self).where(condition).count)
            }, grdb: { bed in (bed.people.rows.count, try count(bed.plain().queue, "plain", sql)) }, growth: growth)
    }

    private static func count(_ queue: DatabaseQueue, _ table: String, _ sql: String) throws -> Int {
        try queue.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM \(table) WHERE \(sql)") ?? 0 }
    }
}
