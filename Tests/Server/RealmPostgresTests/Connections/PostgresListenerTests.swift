// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    import Dispatch
    @testable import RealmPostgres
    import ServerTestSupport
    import Testing

    extension PostgresTest {
        @Suite struct PostgresListenerTests {
            private let database: PostgresDatabase
            private let connection: PostgresConnection
            private let listener: PostgresListener
            private static let long = 600_000

            init() throws {
                database = try PostgresCluster.shared().makeDatabase()
                connection = try PostgresConnection(try database.settings())
                listener = try PostgresListener(try database.settings(), channels: ["a", "b"])
            }

            @Test func notificationsOfCommittedTransactionsArrive() throws {
                try connection.begin()
                try connection.query("SELECT pg_notify('a', 'one')")
                #expect(try listener.next(milliseconds: 20) == [])
                try connection.commit()
                #expect(try listener.next(milliseconds: Self.long) == [.init(channel: "a", payload: "one")])
                try connection.execute("NOTIFY c; NOTIFY b, 'two'; NOTIFY a")
                var found: [PostgresNotification] = []
                while found.count < 2 { found += try listener.next(milliseconds: Self.long) }
                #expect(found == [.init(channel: "b", payload: "two"), .init(channel: "a", payload: "")])
            }

            @Test func anotherThreadEndsTheWait() throws {
                DispatchQueue.global().async { [listener] in listener.wake() }
                #expect(try listener.next(milliseconds: Self.long) == [])
                for _ in 0..<100_000 { listener.wake() }
                #expect(try listener.next(milliseconds: Self.long) == [])
                #expect(try listener.next(milliseconds: 0) == [])
            }

            @Test func aLostConnectionIsAnError() throws {
                try connection.execute(
                    """
                    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                    WHERE datname = current_database() AND query LIKE 'LISTEN%'
                    """)
                #expect(
                    postgresError { while true { _ = try listener.next(milliseconds: 100) } }?.kind == .connectionLost)
            }
        }
    }
#endif
