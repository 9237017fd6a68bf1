// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    import Foundation
    import NIOConcurrencyHelpers
    import RealmPostgres
    import RealmSystem
    import ServerTestSupport
    import TestTraits
    import Testing

    @testable import RealmSyncServer

    /// Each test has its own database.
    @Suite(.timeLimited, .enabled(if: PostgresCluster.isAvailable, "\(PostgresCluster.absence)"))
    struct PostgresStoresTests {
        private let database: PostgresDatabase
        private let connection: PostgresConnection
        private let stores: PostgresStores

        init() throws {
            database = try PostgresCluster.shared().makeDatabase()
            connection = try PostgresConnection(try database.settings())
            stores = try PostgresStores(try database.settings(), lockingTimeout: 3000)
        }

        @Test func framesOfManyPartsAreRead() throws {
            let store = try stores.frames(app: "a", name: nil).store
            let frames = PostgresFrames(stores, store, partSize: 1)
            let contents: [[UInt8]] = [[7, 8], (0..<2100).map { UInt8(truncatingIfNeeded: $0) }, [9]]
            _ = try frames.lock(after: 0)
            let id = try frames.commit(contents)
            let loaded = try frames.load()
            #expect(loaded.frames == contents)
            #expect(loaded.lastID == id && id != nil)
            #expect((loaded.end, loaded.size) == (3, 2103))
            let later = try frames.frames(after: 1)
            #expect(later.frames == Array(contents.dropFirst()))
            #expect(later.previousID != nil)
            try frames.adopt([[1], [2, 3]], through: 2)
            let last = try frames.load()
            #expect(last.parts == [[1], [2, 3]])
            #expect(last.frames == [[9]])
        }

        @Test func aNegativeNumberIsAnError() throws {
            let frames = try stores.frames(app: "a", name: nil)
            try connection.execute("UPDATE regnum.stores SET last_frame = -1")
            #expect(throws: SharedLogError.self) { try frames.load() }
            #expect(throws: SharedLogError.self) { try frames.frames(after: 0) }
            #expect(throws: SharedLogError.self) { try frames.frames(after: .max) }
            #expect(throws: SharedLogError.self) { try frames.lock(after: 0) }
        }

        @Test func aPoolWithoutAFreeConnectionIsNotAnUnreachableDatabase() throws {
            let stores = try PostgresStores(try database.settings(), patience: 50)
            let frames = try stores.frames(app: "a", name: nil)
            let used = try [stores.reads, stores.locks].flatMap { pool in
                try (0..<pool.capacity).map { _ in try pool.begin() }
            }
            #expect(throws: SharedStoresUnavailable.self) { try stores.holds(app: "a", name: nil) }
            #expect(throws: SharedStoresUnavailable.self) { try frames.lock(after: 0) }
            for transaction in used { transaction.rollback() }
            #expect(try stores.holds(app: "a", name: nil))
        }

        @Test func notificationsOfOthersDoNotDelayThePoll() throws {
            let frames = try stores.frames(app: "a", name: nil)
            defer { withExtendedLifetime(frames) {} }
            let (store, found) = (frames.store, NIOLockedValueBox(false))
            try stores.follow { appended in
                if appended.contains(store) { found.withLockedValue { $0 = true } }
            }
            defer { stores.stop() }
            for number in UInt64(1)...3 {
                try connection.execute("UPDATE regnum.stores SET last_frame = \(number)")
                while !found.withLockedValue({ $0 }) {
                    try connection.execute("NOTIFY \(PostgresStores.channel), '0 1'")
                    CurrentProcess.pause(microseconds: 50_000)
                }
                stores.note(store, through: number)
                found.withLockedValue { $0 = false }
            }
        }

        @Test func locksAreLostWithTheConnectionOfOneOfThem() throws {
            let frames = try ["a", "b"].map { try stores.frames(app: $0, name: nil) }
            for store in frames { _ = try store.lock(after: 0) }
            let processes = try connection.query(
                "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND state = 'idle in transaction'"
            ).rows.map { Int32(try $0.integer(0)) }
            #expect(processes.count == 2)
            for process in processes { kill(process, SIGSTOP) }
            #expect(throws: SharedStoresUnavailable.self) { try frames[0].commit([[1]]) }
            for process in processes { kill(process, SIGCONT) }
            #expect(throws: SharedStoresUnavailable.self) { try frames[1].commit([[1]]) }
            #expect(try frames[1].lock(after: 0).end == 0)
            try frames[1].commit([[2]])
            #expect(try frames[1].load().frames == [[2]])
        }

        @Test func aHeldLockIsKeptAliveWhileAFollowerIsBusy() throws {
            let (followed, held) = (try stores.frames(app: "a", name: nil), try stores.frames(app: "b", name: nil))
            defer { withExtendedLifetime(followed) {} }
            let (isBusy, isReleased) = (NIOLockedValueBox(false), NIOLockedValueBox(false))
            try stores.follow { _ in
                isBusy.withLockedValue { $0 = true }
                while !isReleased.withLockedValue({ $0 }) { CurrentProcess.pause(microseconds: 10_000) }
            }
            defer {
                isReleased.withLockedValue { $0 = true }
                stores.stop()
            }
            try connection.execute("UPDATE regnum.stores SET last_frame = 1 WHERE id = \(followed.store)")
            while !isBusy.withLockedValue({ $0 }) { CurrentProcess.pause(microseconds: 10_000) }
            _ = try held.lock(after: 0)
            let keptAlive = """
                SELECT count(*) FROM pg_stat_activity
                WHERE datname = current_database() AND state = 'idle in transaction' AND query = 'SELECT 1'
                """
            while try connection.query(keptAlive).rows[0].integer(0) == 0 {
                CurrentProcess.pause(microseconds: 50_000)
            }
            try held.commit([[1]])
            #expect(try held.load().frames == [[1]])
        }
    }
#endif
