// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import GRDB
import RealmSwift

final class BenchIntList: Object {
    @Persisted var ints: List<Int>
}

/// One list of as many ints as there are people. In SQLite: a table of values by position, which has no insertion or
/// removal in the middle, as every later position would change.
final class IntListBed: Topic {
    let files: TopicFiles
    let list: List<Int>
    let values: [Int]
    /// As many positions in the full list, at random.
    let positions: [Int]

    init(_ bed: TestBed, _ folder: URL) throws {
        files = try TopicFiles(
            folder, [BenchIntList.self], sql: "CREATE TABLE ints (position INTEGER PRIMARY KEY, value INTEGER NOT NULL)"
        )
        var random = XorShift(state: 0x1157)
        let count = bed.people.rows.count
        values = (0..<count).map { _ in Int(random.next() % 1_000_000) }
        positions = (0..<count).map { _ in Int(random.next() % UInt64(count)) }
        let owner = BenchIntList()
        let realm = files.realm
        try realm.write { realm.add(owner) }
        list = owner.ints
    }

    /// How many elements a workload on a part of the list adds or removes.
    var tenth: Int { values.count / 10 }

    func empty() throws {
        try files.realm.write { list.removeAll() }
    }

    /// The list with all its values, in the form that appending gives it.
    func fill() throws {
        try files.realm.write {
            list.removeAll()
            list.append(objectsIn: values)
        }
    }

    /// As `fill`, if the workload before it has changed the list.
    func fillIfNeeded() throws {
        if list.count != values.count || list.last != values.last { try fill() }
    }

    func emptyTable() throws {
        try files.queue.write { try $0.execute(sql: "DELETE FROM ints") }
    }

    func fillTable() throws {
        try files.queue.write { database in
            try database.execute(sql: "DELETE FROM ints")
            try append(in: database)
        }
    }

    func append(in database: Database) throws {
        let statement = try database.makeStatement(sql: "INSERT INTO ints VALUES (?, ?)")
        for (position, value) in values.enumerated() { try statement.execute(arguments: [position, value]) }
    }
}

/// Lists of ints, per element that is read, added or removed.
enum IntListWorkloads {
    static let all = [
        append("list_int_append") { list, values in list.append(objectsIn: values) },
        append("list_int_append_each") { list, values in for value in values { list.append(value) } },
        iterate, randomGet,
        change("list_int_insert_random") { bed in
            for (value, position) in zip(bed.values, bed.positions).prefix(bed.tenth) {
                bed.list.insert(value, at: position)
            }
        },
        change("list_int_insert_middle") { bed in
            for value in bed.values.prefix(bed.tenth) { bed.list.insert(value, at: bed.list.count / 2) }
        },
        change("list_int_remove_random") { bed in
            for (removed, position) in bed.positions.prefix(bed.tenth).enumerated() {
                bed.list.remove(at: position % (bed.values.count - removed))
            }
        },
        removeLast,
    ]

    private static func append(
        _ name: String, _ append: @escaping @Sendable (List<Int>, [Int]) -> Void
    ) -> Workload {
        .on(
            IntListBed.self, name, prepare: { try $0.empty() },
            realm: { bed in
                try bed.files.realm.write { append(bed.list, bed.values) }
                return (bed.values.count, bed.list.count)
            },
            prepareGRDB: { try $0.emptyTable() },
            grdb: { bed in
                try bed.files.queue.write { try bed.append(in: $0) }
                return (bed.values.count, try bed.files.queue.read { try $0.count("ints") })
            })
    }

    private static let iterate = Workload.on(
        IntListBed.self, "list_int_iterate", prepare: { try $0.fillIfNeeded() },
        realm: { bed in
            var sum = 0
            for value in bed.list { sum &+= value }
            return (bed.values.count, sum)
        },
        prepareGRDB: { try $0.fillTable() },
        grdb: { bed in
            try bed.files.queue.read { database in
                var sum = 0
                let cursor = try Int.fetchCursor(database, sql: "SELECT value FROM ints ORDER BY position")
                while let value = try cursor.next() { sum &+= value }
                return (bed.values.count, sum)
            }
        })

    private static let randomGet = Workload.on(
        IntListBed.self, "list_int_random_get", prepare: { try $0.fillIfNeeded() },
        realm: { bed in
            let list = bed.list
            var sum = 0
            for position in bed.positions { sum &+= list[position] }
            return (bed.positions.count, sum)
        },
        prepareGRDB: { try $0.fillTable() },
        grdb: { bed in
            try bed.files.queue.read { database in
                var sum = 0
                let statement = try database.makeStatement(sql: "SELECT value FROM ints WHERE position = ?")
                for position in bed.positions {
                    sum &+= try Int.fetchOne(statement, arguments: [position]) ?? 0
                }
                return (bed.positions.count, sum)
            }
        }, growth: .logarithmic)

    private static func change(_ name: String, _ change: @escaping @Sendable (IntListBed) -> Void) -> Workload {
        .on(
            IntListBed.self, name, prepare: { try $0.fill() },
            realm: { bed in
                try bed.files.realm.write { change(bed) }
                return (bed.tenth, bed.list.count)
            }, growth: .logarithmic)
    }

    private static let removeLast = Workload.on(
        IntListBed.self, "list_int_remove_last", prepare: { try $0.fill() },
        realm: { bed in
            try bed.files.realm.write { for _ in bed.values { bed.list.removeLast() } }
            return (bed.values.count, bed.list.count)
        },
        prepareGRDB: { try $0.fillTable() },
        grdb: { bed in
            try bed.files.queue.write { database in
                let statement = try database.makeStatement(sql: "DELETE FROM ints WHERE position = ?")
                for position in bed.values.indices.reversed() { try statement.execute(arguments: [position]) }
                return (bed.values.count, try database.count("ints"))
            }
        })
}

extension Database {
    /// The number of rows of a table.
    func count(_ table: String) throws -> Int { try Int.fetchOne(self, sql: "SELECT COUNT(*) FROM \(table)") ?? 0 }
}
