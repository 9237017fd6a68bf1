// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB

/// Counts and sums of columns without index, per object in the table.
enum ScanWorkloads {
    static let all = [count, sum]

    static func value(_ bed: TestFixture, _ sql: String) throws -> (Int, Int) {
        try bed.queue.read { database in
            let statement = try database.cachedStatement(sql: sql)
            return (bed.people.rows.count, try Int.fetchOne(statement) ?? 0)
        }
    }
}
