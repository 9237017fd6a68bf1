// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

/// All objects in an order, or the first of each value, per object in the table. Reading the one in the middle requires
/// the whole order.
enum OrderWorkloads {
    static let all = [score, twoKeys, string, distinctAge, distinctName, first]

    static func sorted<Value: DatabaseValueConvertible & StatementColumnConvertible>(
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

    static func distinct(_ column: String, _ growth: Growth) -> Workload {
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
}
