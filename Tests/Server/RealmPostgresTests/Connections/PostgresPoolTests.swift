// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    import Dispatch
    @testable import RealmPostgres
    import ServerTestSupport
    import Testing

    extension PostgresTest {
        @Suite struct PostgresPoolTests {
            private let database: PostgresDatabase
            private let connection: PostgresConnection

            init() throws {
                database = try PostgresCluster.shared().makeDatabase()
                connection = try PostgresConnection(try database.settings())
                try connection.execute("CREATE TABLE t (n int8)")
            }

            private var numbers: [Int64] {
                get throws { try connection.query("SELECT n FROM t ORDER BY n").rows.map { try $0.integer(0) } }
            }

            @Test func connectionsAreReused() throws {
                let pool = PostgresPool(try database.settings())
                let processes = try (0..<5).map { _ in try pool.use { try $0.process } }
                #expect(Set(processes).count == 1)
            }

            @Test func thereAreNoMoreConnectionsThanTheLimit() throws {
                let pool = PostgresPool(try database.settings(), capacity: 2, patience: 50)
                let held = try [pool.begin(), pool.begin()]
                #expect(postgresError { try pool.use { _ in } }?.kind == .exhausted)
                held[0].rollback()
                try pool.use { try $0.query("SELECT 1") }
            }

            @Test func manyThreadsShareFewConnections() throws {
                let pool = PostgresPool(try database.settings(), capacity: 3)
                DispatchQueue.concurrentPerform(iterations: 200) { number in
                    _ = try? pool.transaction { try $0.query("INSERT INTO t VALUES ($1)", [.integer(Int64(number))]) }
                }
                #expect(try numbers == Array(0..<200))
            }

            @Test func aConnectionThatPostgreSQLClosedIsReplaced() throws {
                let pool = PostgresPool(try database.settings())
                let process = try pool.use { try $0.process }
                try connection.query("SELECT pg_terminate_backend($1::int8::int4)", [.integer(process)])
                try connection.wait(until: "NOT EXISTS (SELECT FROM pg_stat_activity WHERE pid = \(process))")
                #expect(try pool.use { try $0.process } != process)
            }

            @Test func withALostConnectionTheIdleOnesAreClosed() throws {
                let pool = PostgresPool(try database.settings())
                let held = try pool.begin()
                let idle = try pool.use { try $0.process }
                let process = try held.connection.process
                try connection.query("SELECT pg_terminate_backend($1::int8::int4)", [.integer(process)])
                try connection.wait(until: "NOT EXISTS (SELECT FROM pg_stat_activity WHERE pid = \(process))")
                #expect(postgresError { try held.connection.query("SELECT 1") }?.kind == .connectionLost)
                held.rollback()
                #expect(try pool.use { try $0.process } != idle)
            }

            @Test func aTransactionThatACallerLeavesIsRolledBack() throws {
                let pool = PostgresPool(try database.settings(), capacity: 1)
                try pool.use { connection in
                    try connection.begin()
                    try connection.query("INSERT INTO t VALUES (1)")
                }
                #expect(try pool.use { try $0.query("SELECT n FROM t").rows.count } == 0)
            }

            @Test func aHeldTransactionIsCommittedOnAnotherThread() throws {
                let pool = PostgresPool(try database.settings(), capacity: 1)
                let transaction = try pool.begin()
                try transaction.connection.query("INSERT INTO t VALUES (1)")
                let committed = DispatchQueue(label: "other").sync { Result { try transaction.commit() } }
                try committed.get()
                #expect(throws: PostgresError.self) { try transaction.connection }
                #expect(throws: PostgresError.self) { try transaction.commit() }
                #expect(try numbers == [1])
            }

            @Test func aHeldTransactionWithoutACommitIsRolledBack() throws {
                let pool = PostgresPool(try database.settings(), capacity: 1)
                for isDropped in [false, true] {
                    let transaction = try pool.begin()
                    try transaction.connection.query("INSERT INTO t VALUES (2)")
                    if !isDropped { transaction.rollback() }
                }
                #expect(try pool.use { try $0.query("SELECT n FROM t").rows.count } == 0)
            }

            @Test func aClosedPoolRejectsCallers() throws {
                let pool = PostgresPool(try database.settings())
                let transaction = try pool.begin()
                pool.close()
                #expect(postgresError { try pool.use { _ in } }?.kind == .unavailable)
                try transaction.connection.query("INSERT INTO t VALUES (3)")
                try transaction.commit()
                #expect(try numbers == [3])
            }

            /// Has a cluster of its own, because it kills the server.
            @Test func committedChangesSurviveAKilledServer() throws {
                let cluster = try PostgresCluster()
                let database = try cluster.makeDatabase()
                let pool = PostgresPool(try database.settings(), capacity: 1)
                try pool.use { try $0.execute("CREATE TABLE t (n int8)") }
                for number in 0..<Int64(3) {
                    try pool.transaction { try $0.query("INSERT INTO t VALUES ($1)", [.integer(number)]) }
                    let open = try pool.begin()
                    try open.connection.query("INSERT INTO t VALUES (100)")
                    cluster.crash()
                    #expect(postgresError { try open.commit() }?.kind == .commitUnknown)
                    #expect(postgresError { try pool.use { _ in } }?.kind == .unavailable)
                    try cluster.start()
                    let found = try pool.use { try $0.query("SELECT n FROM t ORDER BY n").rows }
                    #expect(try found.map { try $0.integer(0) } == Array(0...number))
                }
                cluster.stop()
            }
        }
    }
#endif
