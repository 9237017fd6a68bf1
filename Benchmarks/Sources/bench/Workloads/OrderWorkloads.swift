// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

/// All objects in an order, or the first of each value, per object in the table. Reading the one in the middle asks for
/// the whole order.
enum OrderWorkloads {
    static let all = [
        sorted("score", by: "score") {
            Int($0.score * 1000)
        } grdb: {
            Int(($0 as Double) * 1000)
        },
        twoKeys,
        sorted("string", by: "name") {
            number($0.name)
        } grdb: {
            number($0)
        },
        distinct("age", .constant), distinct("name", .logarithmic), first,
    ]

    private static func sorted<Value: DatabaseValueConvertible & StatementColumnConvertible>(
        _ name: String, by column: String, realm: @escaping @Sendable (BenchPerson) -> Int,
        grdb: @escaping @Sendable (Value) -> Int
    ) -> Workload {
        Workload(
            name: "sort_\(name)",
            realm: { bed in
                let sorted = bed.realm.objects(BenchPerson.self).sorted(byKeyPath: column)
                return (bed.people.rows.count, realm(sorted[sorted.count / 2]))
            },
            grdb: { bed in
                try bed.queue.read { database in
                    let values = try Value.fetchAll(database, sql: "SELECT \(column) FROM person ORDER BY \(column)")
                    return (bed.people.rows.count, grdb(values[values.count / 2]))
                }
            }, growth: .logarithmic)
    }

    /// What stands behind "person-".
    @Sendable private static func number(_ name: String) -> Int { Int(name.dropFirst(7)) ?? 0 }

    private static let twoKeys = Workload(
        name: "sort_two_keys",
        realm: { bed in
            let sorted = bed.realm.objects(BenchPerson.self).sorted(by: [
                RealmSwift.SortDescriptor(keyPath: "age"),
                RealmSwift.SortDescriptor(keyPath: "score", ascending: false),
            ])
            return (bed.people.rows.count, Int(sorted[sorted.count / 2].score * 1000))
        },
        grdb: { bed in
            try bed.queue.read { database in
                let scores = try Double.fetchAll(database, sql: "SELECT score FROM person ORDER BY age, score DESC")
                return (bed.people.rows.count, Int(scores[scores.count / 2] * 1000))
            }
        }, growth: .logarithmic)

    private static func distinct(_ column: String, _ growth: Growth) -> Workload {
        Workload(
            name: "distinct_\(column)",
            realm: { bed in
                (bed.people.rows.count, bed.realm.objects(BenchPerson.self).distinct(by: [column]).count)
            },
            grdb: { bed in
                try bed.queue.read { database in
                    let sql = "SELECT COUNT(DISTINCT \(column)) FROM person"
                    return (bed.people.rows.count, try Int.fetchOne(database, sql: sql) ?? 0)
                }
            }, growth: growth)
    }

    /// The first ten of all in the order of a column without index.
    private static let first = Workload(
        name: "first_10_by_score",
        realm: { bed in
            let best = bed.realm.objects(BenchPerson.self).sorted(by: \.score).limit(10)
            return (bed.people.rows.count, best.reduce(0) { $0 + Int($1.score * 1000) })
        },
        grdb: { bed in
            try bed.queue.read { database in
                let best = try Double.fetchAll(database, sql: "SELECT score FROM person ORDER BY score LIMIT 10")
                return (bed.people.rows.count, best.reduce(0) { $0 + Int($1 * 1000) })
            }
        })
}
