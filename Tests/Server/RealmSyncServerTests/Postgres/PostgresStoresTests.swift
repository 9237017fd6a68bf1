// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    import Foundation
    import NIOConcurrencyHelpers
    import RealmPostgres
    import RealmSystem
    import RealmTestSupport
    import ServerTestSupport
    import TestTraits
    import Testing

    @testable import RealmSyncServer

    /// Each test has its own database.
    @Suite(
        .timeLimited, .scope(TestCleanup.perform),
        .enabled(if: PostgresCluster.isAvailable, "\(PostgresCluster.absence)"))
    struct PostgresStoresTests {
        private let database: PostgresDatabase
        private let connection: PostgresConnection
        private let stores: PostgresStores

        init() throws {
            database = try PostgresCluster.shared().makePreparedDatabase()
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
            #expect(loaded.content.lastID == id && id != nil)
            #expect((loaded.content.end, loaded.content.size) == (3, 2103))
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
            #expect(throws: SharedLogError.self) { _ = try frames.load() }
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
            try stores.follow(
                { appended in
                    if appended.contains(store) { found.withLockedValue { $0 = true } }
                }, { _ in })
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
            try stores.follow(
                { _ in
                    isBusy.withLockedValue { $0 = true }
                    while !isReleased.withLockedValue({ $0 }) { CurrentProcess.pause(microseconds: 10_000) }
                }, { _ in })
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

        // MARK: Commands that use the stores alone

        /// Ends the sessions that hold advisory locks.
        private func endSessions() throws {
            let processes = try connection.query(
                """
                SELECT pid, pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND granted
                AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
                """
            ).rows.map { "\(try $0.integer(0))" }.joined(separator: ", ")
            let rest = "SELECT count(*) FROM pg_stat_activity WHERE pid IN (\(processes))"
            while try connection.query(rest).rows[0].integer(0) > 0 { CurrentProcess.pause(microseconds: 10_000) }
        }

        @Test func aServerThatLosesItsSessionChangesNothingDuringACommandAndAfterIt() throws {
            let frames = try stores.frames(app: "a", name: nil)
            let failure = NIOLockedValueBox<(any Error)?>(nil)
            try stores.follow({ _ in }, { error in failure.withLockedValue { $0 = error } })
            defer { stores.stop() }
            _ = try frames.lock(after: 0)
            try frames.commit([[1]])
            // The command waits for the server's session, so it has the lock before the server connects again.
            let command = try PostgresStores(try database.settings())
            let isAlone = NIOLockedValueBox<Result<Void, any Error>?>(nil)
            Thread.detachNewThread {
                let result = Result { try command.excludeServers() }
                isAlone.withLockedValue { $0 = result }
            }
            let waiting = "SELECT count(*) FROM pg_locks WHERE locktype = 'advisory' AND NOT granted"
            while try connection.query(waiting).rows[0].integer(0) == 0 { CurrentProcess.pause(microseconds: 10_000) }
            try endSessions()
            while isAlone.withLockedValue({ $0 == nil }) { CurrentProcess.pause(microseconds: 10_000) }
            try isAlone.withLockedValue { try $0?.get() }
            #expect(throws: SharedStoresUnavailable.self) { try frames.lock(after: 1) }
            #expect(throws: SharedStoresUnavailable.self) { try frames.adopt([[1]], through: 1) }
            #expect(throws: SharedStoresUnavailable.self) { try stores.frames(app: "b", name: nil) }
            #expect(throws: ServerFailure.self) {
                try PostgresStores(try database.settings()).follow({ _ in }, { _ in })
            }
            let own = try command.frames(app: "a", name: nil)
            _ = try own.lock(after: 1)
            try own.commit([[2]])
            try command.rename(app: "a", nil, to: "flexible.reverted", with: [], "migration.json")
            command.stop()
            // A store of the server may have another meaning now, so the server ends.
            while failure.withLockedValue({ $0 == nil }) {
                _ = try? frames.lock(after: 2)
                #expect(throws: (any Error).self) { try frames.commit([[3]]) }
                CurrentProcess.pause(microseconds: 10_000)
            }
            let text = failure.withLockedValue { $0.map { "\($0)" } }
            #expect(text?.contains("start the server again") == true, "\(text ?? "")")
            #expect(try own.load().frames == [[1], [2]])
            let restarted = try PostgresStores(try database.settings())
            try restarted.follow({ _ in }, { _ in })
            _ = try restarted.frames(app: "b", name: nil)
        }

        @Test func aCommandThatLosesItsSessionChangesNothing() throws {
            let frames = try stores.frames(app: "a", name: nil)
            try stores.excludeServers()
            _ = try frames.lock(after: 0)
            try frames.commit([[1]])
            try endSessions()
            #expect(throws: ServerFailure.self) { try frames.lock(after: 1) }
            #expect(throws: ServerFailure.self) {
                try stores.rename(app: "a", nil, to: "flexible.reverted", with: [], "migration.json")
            }
            #expect(try frames.load().frames == [[1]])
            stores.stop()
        }
    }
#endif
