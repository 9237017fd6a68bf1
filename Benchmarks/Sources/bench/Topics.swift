// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import GRDB
import RealmSwift

/// The data for the workloads of a family, in its own folder.
protocol Topic: AnyObject, SendableMetatype {
    init(_ bed: TestFixture, _ folder: URL) throws
}

extension TestFixture {
    func topic<Bed: Topic>(_ type: Bed.Type) throws -> Bed { try topic(type) { try Bed(self, $0) } }
}

final class TopicFiles {
    let realm: Realm
    let queue: DatabaseQueue

    init(_ folder: URL, _ types: [ObjectBase.Type], sql: String) throws {
        realm = try Realm(
            configuration: Realm.Configuration(
                fileURL: folder.appendingPathComponent("topic.realm"), objectTypes: types))
        queue = try TestFixture.openWAL(folder.appendingPathComponent("topic.sqlite"))
        try queue.write { try $0.execute(sql: sql) }
    }
}

/// Files created again for each round.
final class FreshFiles {
    private let folder: URL
    private let types: [ObjectBase.Type]
    private let sql: String
    private var latest: (place: URL, files: TopicFiles)?

    init(_ folder: URL, _ types: [ObjectBase.Type], sql: String) {
        self.folder = folder
        self.types = types
        self.sql = sql
    }

    func files() throws -> TopicFiles { try latest?.files ?? renew() }

    @discardableResult
    func renew() throws -> TopicFiles {
        if let old = latest?.place {
            latest = nil
            try FileManager.default.removeItem(at: old)
        }
        let place = folder.appendingPathComponent(UUID().uuidString)
        try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
        let files = try TopicFiles(place, types, sql: sql)
        latest = (place, files)
        return files
    }
}

extension Database {
    func count(_ table: String) throws -> Int { try Int.fetchOne(self, sql: "SELECT COUNT(*) FROM \(table)") ?? 0 }
}

extension Workload {
    typealias TopicRun<Bed> = @Sendable (Bed) throws -> (operations: Int, checksum: Int)
    typealias TopicStep<Bed> = @Sendable (Bed) throws -> Void

    static func on<Bed: Topic>(
        _ type: Bed.Type, _ name: String, prepare: @escaping TopicStep<Bed> = { _ in }, realm: @escaping TopicRun<Bed>,
        prepareGRDB: @escaping TopicStep<Bed> = { _ in }, grdb: TopicRun<Bed>? = nil,
        growth: Growth = .constant
    ) -> Workload {
        var workload = Workload(
            name: name, realm: onTopic(realm), grdb: grdb.map(onTopic), prepare: onTopic(prepare))
        workload.prepareGRDB = onTopic(prepareGRDB)
        workload.growth = growth
        return workload
    }

    private static func onTopic<Bed: Topic, Result>(
        _ run: @escaping @Sendable (Bed) throws -> Result
    ) -> @Sendable (TestFixture) throws -> Result {
        { bed in try run(bed.topic(Bed.self)) }
    }
}

func inThread<Result: Sendable>(_ body: @escaping @Sendable () throws -> Result) throws -> Result {
    try ThreadTask(body).result()
}

/// A thread and its result. The semaphore guards the result.
final class ThreadTask<Value: Sendable>: @unchecked Sendable {
    /// Written by the thread before it signals, and read afterwards.
    private var outcome: Result<Value, any Error>?
    private let done = DispatchSemaphore(value: 0)

    init(_ body: @escaping @Sendable () throws -> Value) {
        Thread.detachNewThread {
            self.outcome = Result(catching: body)
            self.done.signal()
        }
    }

    /// Waits for the end of the thread. Call it once.
    func result() throws -> Value {
        done.wait()
        guard let outcome else { throw CancellationError() }
        return try outcome.get()
    }
}
