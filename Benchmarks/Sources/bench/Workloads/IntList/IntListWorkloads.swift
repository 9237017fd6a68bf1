// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import GRDB
import RealmSwift

final class BenchIntList: Object {
    @Persisted var ints: List<Int>
}

/// One list of as many ints as there are people. In SQLite: a table of values by position, without insertion or removal
/// in the middle, since all later positions would change.
final class IntListBed: Topic {
    let files: TopicFiles
    let list: List<Int>
    let values: [Int]
    /// Random positions in the full list, one for each value.
    let positions: [Int]

    init(_ bed: TestFixture, _ folder: URL) throws {
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

    /// The number of elements that a workload on a part of the list adds or removes.
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

    /// Fills the list again if the previous workload has changed it.
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

/// Lists of ints, per read, added, or removed element.
enum IntListWorkloads {
    static let all = [
        appendAll, appendEach, iterate, randomGet, insertRandom, insertMiddle, removeRandom, removeLast,
    ]

    static func append(
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

    static func change(_ name: String, _ change: @escaping @Sendable (IntListBed) -> Void) -> Workload {
        .on(
            IntListBed.self, name, prepare: { try $0.fill() },
            realm: { bed in
                try bed.files.realm.write { change(bed) }
                return (bed.tenth, bed.list.count)
            }, growth: .logarithmic)
    }
}
