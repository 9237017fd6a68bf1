// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import GRDB
import RealmSwift

final class BenchReading: Object {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var value: Int
    @Persisted var writes: Int
}

/// As many readings as there are people, and the order in which four readers read some of them.
final class ReaderBed: Topic {
    let files: TopicFiles
    let pool: DatabasePool
    let ids: [Int]

    init(_ bed: TestFixture, _ folder: URL) throws {
        files = try TopicFiles(folder, [BenchReading.self], sql: "")
        ids = Array(bed.people.shuffled.prefix(100_000))
        let realm = files.realm
        try realm.write {
            for row in bed.people.rows {
                let reading = BenchReading()
                (reading.id, reading.value) = (row.id, row.age)
                realm.add(reading)
            }
        }
        // A checkpoint on one connection briefly blocks the writer on another.
        var configuration = GRDB.Configuration()
        configuration.busyMode = .timeout(10)
        pool = try DatabasePool(
            path: folder.appendingPathComponent("pool.sqlite").path, configuration: configuration)
        try pool.write { database in
            try database.execute(
                sql: """
                    CREATE TABLE reading (
                        id INTEGER PRIMARY KEY, value INTEGER NOT NULL, writes INTEGER NOT NULL DEFAULT 0)
                    """)
            let statement = try database.makeStatement(sql: "INSERT INTO reading (id, value) VALUES (?, ?)")
            for row in bed.people.rows { try statement.execute(arguments: [row.id, row.age]) }
        }
    }
}

/// Four threads that look up objects by primary key and read an int, per lookup. A fifth one commits changes of single
/// objects without a pause. Each reader advances to the newest version after every hundred lookups.
enum ReaderWorkloads {
    static let all = [
        Workload.on(
            ReaderBed.self, "read_4_threads_1_writer",
            realm: { bed in
                let (configuration, ids) = (bed.files.realm.configuration, bed.ids)
                return try measured(
                    ids, write: { stop in try write(configuration, ids, until: stop) },
                    read: { try read(configuration, ids) })
            },
            grdb: { bed in
                let (pool, ids) = (bed.pool, bed.ids)
                return try measured(
                    ids, write: { stop in try write(pool, ids, until: stop) }, read: { try read(pool, ids) })
            }, growth: .logarithmic)
    ]

    private static func measured(
        _ ids: [Int], write: @escaping @Sendable (StopSign) throws -> Void, read: @escaping @Sendable () throws -> Int
    ) throws -> (operations: Int, checksum: Int) {
        let stop = StopSign()
        let writer = ThreadTask { try write(stop) }
        let sums = (0..<4).map { _ in ThreadTask(read) }.map { reader in Result { try reader.result() } }
        stop.raise()
        try writer.result()
        return (4 * ids.count, try sums.reduce(0) { try $0 &+ $1.get() })
    }

    private static func read(_ configuration: Realm.Configuration, _ ids: [Int]) throws -> Int {
        let realm = try Realm(configuration: configuration)
        var sum = 0
        for (number, id) in ids.enumerated() {
            if number % 100 == 0 { realm.refresh() }
            sum &+= realm.object(ofType: BenchReading.self, forPrimaryKey: id)?.value ?? 0
        }
        return sum
    }

    private static func write(_ configuration: Realm.Configuration, _ ids: [Int], until stop: StopSign) throws {
        let realm = try Realm(configuration: configuration)
        var number = 0
        repeat {
            try realm.write {
                realm.object(ofType: BenchReading.self, forPrimaryKey: ids[number % ids.count])?.writes += 1
            }
            number += 1
        } while !stop.isRaised
    }

    private static func read(_ pool: DatabasePool, _ ids: [Int]) throws -> Int {
        var sum = 0
        for start in stride(from: 0, to: ids.count, by: 100) {
            sum &+= try pool.read { database in
                let statement = try database.cachedStatement(sql: "SELECT value FROM reading WHERE id = ?")
                return try ids[start..<min(start + 100, ids.count)].reduce(0) {
                    try $0 &+ (Int.fetchOne(statement, arguments: [$1]) ?? 0)
                }
            }
        }
        return sum
    }

    private static func write(_ pool: DatabasePool, _ ids: [Int], until stop: StopSign) throws {
        var number = 0
        repeat {
            try pool.write { database in
                let statement = try database.cachedStatement(
                    sql: "UPDATE reading SET writes = writes + 1 WHERE id = ?")
                try statement.execute(arguments: [ids[number % ids.count]])
            }
            number += 1
        } while !stop.isRaised
    }
}

/// A flag that is set once, at the end of a task. The lock guards the value.
final class StopSign: @unchecked Sendable {
    private let lock = NSLock()
    private var value = false

    var isRaised: Bool { lock.withLock { value } }

    func raise() { lock.withLock { value = true } }
}
