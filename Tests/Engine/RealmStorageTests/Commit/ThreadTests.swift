// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import RealmTestSupport
import Testing

/// Readers on many threads next to a writer. Run this under Thread Sanitizer as well.
@Suite struct ThreadTests {
    /// The state shared by the threads; guarded by `lock`.
    private final class Shared: @unchecked Sendable {
        private let lock = NSLock()
        private var isDone = false
        private var failure: (any Error)?
        private var reads = 0

        var done: Bool { lock.withLock { isDone || failure != nil } }
        func finish() { lock.withLock { isDone = true } }
        func count() { lock.withLock { reads += 1 } }
        func fail(_ error: any Error) { lock.withLock { failure = failure ?? error } }
        func result() throws -> Int {
            try lock.withLock {
                if let failure { throw failure }
                return reads
            }
        }
    }

    private func onThread(_ group: DispatchGroup, _ shared: Shared, _ body: @escaping @Sendable () throws -> Void) {
        group.enter()
        Thread.detachNewThread {
            do { try body() } catch { shared.fail(error) }
            group.leave()
        }
    }

    private static var commits: Int { Settings.number("REGNUM_THREAD_COMMITS") ?? 60 }

    @Test(arguments: [nil, QuickCipher()]) func concurrentReadersAndAWriter(_ cipher: QuickCipher?) throws {
        let test = try TestDatabase(cipher: cipher)
        let database = test.database
        let (shared, group) = (Shared(), DispatchGroup())
        for index in 0..<4 {
            onThread(group, shared) {
                var generator = SeededGenerator(seed: UInt64(index))
                var held: [Snapshot] = []
                var newest: UInt64 = 0
                while !shared.done {
                    let snapshot = try database.snapshot(label: "reader \(index)")
                    try require(snapshot.version >= newest, "versions went back")
                    newest = snapshot.version
                    try Workload.verify(snapshot)
                    if generator.chance(30) { held.append(snapshot) }
                    if let old = held.randomElement(using: &generator) { try Workload.verify(old) }
                    if held.count > 3 { held.remove(at: generator.below(held.count)) }
                    shared.count()
                }
            }
        }
        onThread(group, shared) {
            defer { shared.finish() }
            var workload = Workload(SeededGenerator(seed: 99), size: 20)
            for _ in 0..<ThreadTests.commits where !shared.done { _ = try workload.commit(to: database) }
        }
        group.wait()
        #expect(try shared.result() > 0)
        #expect(database.version == UInt64(ThreadTests.commits + 1))
        #expect(database.holders.isEmpty)
    }

    @Test(arguments: [nil, QuickCipher()]) func oneSnapshotOnManyThreads(_ cipher: QuickCipher?) throws {
        let test = try TestDatabase(cipher: cipher)
        var workload = Workload(SeededGenerator(seed: 5), size: 20)
        for _ in 0..<30 { _ = try workload.commit(to: test.database) }
        for _ in 0..<5 {
            let snapshot = try test.database.snapshot()
            let (shared, group) = (Shared(), DispatchGroup())
            for _ in 0..<4 {
                onThread(group, shared) {
                    try Workload.verify(snapshot)
                    shared.count()
                }
            }
            group.wait()
            #expect(try shared.result() == 4)
        }
        try test.close()
    }

    @Test func writersTakeTurns() throws {
        let test = try TestDatabase()
        let database = test.database
        let (table, column) = try test.write { transaction in
            let table = try transaction.schema.addTable("class_Counter")
            return (table, try transaction.schema.addColumn("value", .int, to: table))
        }
        let object = try test.write { try $0.createObject(in: table) }
        let (shared, group) = (Shared(), DispatchGroup())
        for _ in 0..<4 {
            onThread(group, shared) {
                for _ in 0..<10 {
                    try database.write { transaction in
                        guard case .int(let value)? = try transaction.table(table)?.value(column, of: object) else {
                            throw Failure("no value")
                        }
                        try transaction.set(.int(value + 1), column, of: object, in: table)
                    }
                    shared.count()
                }
            }
        }
        group.wait()
        #expect(try shared.result() == 40)
        #expect(try database.snapshot().table(table)?.value(column, of: object) == .int(40))
    }
}
