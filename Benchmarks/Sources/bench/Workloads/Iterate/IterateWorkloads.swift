// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import GRDB

/// Iterates over objects and reads properties of each, per object in the table.
enum IterateWorkloads {
    static let all = [sumAge, everything, filtered]

    static func sum(_ bed: TestFixture, _ sql: String) throws -> (Int, Int) {
        try bed.queue.read { database in
            var sum = 0
            let cursor = try Int.fetchCursor(database, sql: sql)
            while let age = try cursor.next() { sum &+= age }
            return (bed.people.rows.count, sum)
        }
    }
}
