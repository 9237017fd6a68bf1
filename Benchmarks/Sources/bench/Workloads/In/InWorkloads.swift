// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB
import RealmSwift

/// Counts of objects whose property is IN a list of values: per object in the table without an index, and per value
/// with one.
enum InWorkloads {
    static let indexed = [thousandStrings, thousandPrimaryKeys, manyStrings, manyPrimaryKeys]
    static let plain = [
        thousandIntegersWithoutIndex, thousandStringsWithoutIndex, manyIntegersWithoutIndex, manyStringsWithoutIndex,
        manyStringsFolded,
    ]

    /// SQLite allows some ten thousand arguments, so a list is passed as JSON, which is also faster.
    private struct Values: Sendable {
        let integers: [Int]
        let strings: [String]
        let json: String

        init(_ integers: [Int]) {
            self.integers = integers
            strings = []
            json = "[" + integers.map(\.description).joined(separator: ",") + "]"
        }

        init(_ strings: [String]) {
            integers = []
            self.strings = strings
            json = "[" + strings.map { "\"\($0)\"" }.joined(separator: ",") + "]"
        }
    }

    static func integersWithoutIndex(_ count: Int) -> Workload {
        workload(
            "in_\(count)_int_noindex", isPerValue: false, "plain", "number",
            values: { bed in
                let numbers = try bed.plain().numbers
                return Values(bed.people.shuffled.prefix(count).map { numbers[$0] })
            },
            count: { bed, values in
                let numbers = values.integers
                return try bed.plain().realm.objects(BenchPlain.self).where { $0.number.in(numbers) }.count
            })
    }

    static func stringsWithoutIndex(_ count: Int) -> Workload {
        workload(
            "in_\(count)_string_noindex", isPerValue: false, "plain", "text", values: { names($0, count) },
            count: { bed, values in
                let names = values.strings
                return try bed.plain().realm.objects(BenchPlain.self).where { $0.text.in(names) }.count
            })
    }

    static func stringsFolded(_ count: Int) -> Workload {
        workload(
            "in_\(count)_string_noindex_ci", isPerValue: false, "plain", "text COLLATE NOCASE",
            values: { names($0, count) },
            count: { bed, values in
                try bed.plain().realm.objects(BenchPlain.self).filter("text IN[c] %@", values.strings).count
            })
    }

    static func strings(_ count: Int) -> Workload {
        workload(
            "in_\(count)_string_index", isPerValue: true, "person", "name", values: { names($0, count) },
            count: { bed, values in
                let names = values.strings
                return bed.realm.objects(BenchPerson.self).where { $0.name.in(names) }.count
            })
    }

    static func primaryKeys(_ count: Int) -> Workload {
        workload(
            "in_\(count)_pk", isPerValue: true, "person", "id",
            values: { Values(Array($0.people.shuffled.prefix(count))) },
            count: { bed, values in
                let keys = values.integers
                return bed.realm.objects(BenchPerson.self).where { $0.id.in(keys) }.count
            })
    }

    private static func names(_ bed: TestFixture, _ count: Int) -> Values {
        Values(bed.people.shuffled.prefix(count).map { bed.people.rows[$0].name })
    }

    private static func workload(
        _ name: String, isPerValue: Bool, _ table: String, _ column: String,
        values: @escaping @Sendable (TestFixture) throws -> Values,
        count: @escaping @Sendable (TestFixture, Values) throws -> Int
    ) -> Workload {
        let operations: @Sendable (TestFixture, Values) -> Int = { bed, values in
            isPerValue ? values.integers.count + values.strings.count : bed.people.rows.count
        }
        return Workload(
            name: name,
            realm: { bed in
                let values: Values = try bed.prepared()
                return (operations(bed, values), try count(bed, values))
            },
            grdb: { bed in
                let values: Values = try bed.prepared()
                let queue = table == "plain" ? try bed.plain().queue : bed.queue
                let sql = "SELECT COUNT(*) FROM \(table) WHERE \(column) IN (SELECT value FROM json_each(?))"
                return try queue.read { database in
                    let statement = try database.cachedStatement(sql: sql)
                    return (operations(bed, values), try Int.fetchOne(statement, arguments: [values.json]) ?? 0)
                }
            },
            prepare: { bed in bed.prepared = try values(bed) }, prepareGRDB: { bed in bed.prepared = try values(bed) },
            growth: isPerValue ? .logarithmic : .constant)
    }
}
