// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

/// Counts by a text of each object, per object in the table. Uses an index if there is a suitable one.
enum TextWorkloads {
    static let all = [
        contains, containsIgnoringCase, prefix, equalsIgnoringCase, equalsWithoutIndex, equalsIgnoringCaseWithoutIndex,
        prefixWithoutIndex,
    ]

    static func people(
        _ name: String, _ condition: @escaping @Sendable (RealmSwift.Query<BenchPerson>) -> RealmSwift.Query<Bool>,
        _ sql: String
    ) -> Workload {
        Workload(
            name: name,
            realm: { bed in
                (bed.people.rows.count, bed.realm.objects(BenchPerson.self).where(condition).count)
            }, grdb: { bed in (bed.people.rows.count, try count(bed.queue, "person", sql)) })
    }

    static func plain(
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
