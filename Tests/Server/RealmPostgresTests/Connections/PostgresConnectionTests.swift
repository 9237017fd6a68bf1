// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    import Foundation
    @testable import RealmPostgres
    import ServerTestSupport
    import Testing

    extension PostgresTest {
        @Suite struct PostgresConnectionTests {
            private let database: PostgresDatabase
            private let connection: PostgresConnection

            init() throws {
                database = try PostgresCluster.shared().makeDatabase()
                connection = try PostgresConnection(try database.settings())
            }

            private func connect(_ change: (inout PostgresSettings) -> Void = { _ in }) throws -> PostgresConnection {
                var settings = try database.settings()
                change(&settings)
                return try PostgresConnection(settings)
            }

            private func connect(_ name: String, _ value: String) throws -> PostgresConnection {
                try connect { $0.parameters.append((name, value)) }
            }

            @Test func valuesAreTransferredUnchanged() throws {
                let values: [PostgresValue] = [
                    .integer(.min), .integer(.max), .integer(-1), .bool(true), .bool(false), .text(""),
                    .text("e\u{301}\u{e9}'\"\u{1F600}"), .bytes([]), .bytes(Array(0...255)), .null,
                ]
                let columns = values.indices.map { "$\($0 + 1)" }.joined(separator: ", ")
                let row = try #require(try connection.query("SELECT \(columns)", values).rows.first)
                #expect((0..<row.count).map { row[$0] } == values)
                let small = try connection.query("SELECT 1::int2, -2::int4, 4000000000::oid, 'n'::name").rows[0]
                #expect(try (small.integer(0), small.integer(1), small.integer(2)) == (1, -2, 4_000_000_000))
                #expect(throws: PostgresError.self) { try small.integer(3) }
                #expect(throws: PostgresError.self) { try connection.query("SELECT 1.5::float8") }
            }

            @Test(arguments: [[], [[]], [[1], [], [2, 3]]] as [[[UInt8]]]) func arraysAreParameters(
                _ elements: [[UInt8]]
            ) throws {
                let rows = try connection.query("SELECT x FROM unnest($1) AS x", [.byteArrays(elements)]).rows
                #expect(try rows.map { try $0.bytes(0) } == elements)
            }

            @Test(arguments: [[], [""], ["a", "e\u{301}\"", "\\\u{200D},{}NULL", ""]] as [[String]])
            func arraysOfTextsAreParameters(_ elements: [String]) throws {
                let rows = try connection.query("SELECT x FROM unnest($1) AS x", [.texts(elements)]).rows
                #expect(try rows.map { Array(try $0.text(0).utf8) } == elements.map { Array($0.utf8) })
            }

            @Test func statementsWithEquivalentCharactersAreDifferent() throws {
                for text in ["\u{E9}", "e\u{301}"] {
                    let rows = try connection.query("SELECT '\(text)'::text").rows
                    #expect(try Array(rows[0].text(0).utf8) == Array(text.utf8))
                }
            }

            @Test func largeValuesAreTransferred() throws {
                var bytes = (0..<256).map { UInt8(truncatingIfNeeded: $0 &* 31) }
                while bytes.count < 30_000_000 { bytes += bytes }
                #expect(try connection.query("SELECT $1", [.bytes(bytes)]).rows[0].bytes(0) == bytes)
            }

            @Test func errorsContainNoData() throws {
                try connection.execute(
                    """
                    CREATE TABLE t (v text PRIMARY KEY CHECK (v <> 'secret-1'), n int8 NOT NULL);
                    CREATE FUNCTION f() RETURNS trigger LANGUAGE plpgsql AS
                    $$ BEGIN IF NEW.n = 7 THEN RAISE EXCEPTION 'no %', NEW.v; END IF; RETURN NEW; END $$;
                    CREATE TRIGGER t BEFORE INSERT ON t FOR EACH ROW EXECUTE FUNCTION f();
                    INSERT INTO t VALUES ('secret-0', 1)
                    """)
                let secret = "secret-9223372036854775807"
                let statements: [(String, [PostgresValue], state: String)] = [
                    ("SELECT $1::json::text", [.text("{\(secret)")], "22P02"),
                    ("SELECT $1::int8", [.text(secret)], "22P02"),
                    ("SELECT $1::int8", [.text("922337203685477580799")], "22003"),
                    ("SELECT $1::timestamptz::text", [.text(secret)], "22007"),
                    ("SELECT 1::int8 WHERE 'a' ~ $1", [.text("(\(secret)")], "2201B"),
                    ("INSERT INTO t VALUES ($1, 2)", [.text("secret-0")], "23505"),
                    ("INSERT INTO t VALUES ($1, 2)", [.text("secret-1")], "23514"),
                    ("INSERT INTO t VALUES ($1, NULL)", [.text(secret)], "23502"),
                    ("INSERT INTO t VALUES ($1, 7)", [.text(secret)], "P0001"),
                    ("SELECT '\(secret)' '\(secret)'", [], "42601"),
                ]
                for (statement, parameters, state) in statements {
                    let error = try #require(postgresError { try connection.query(statement, parameters) })
                    #expect(error.sqlState == state)
                    for part in ["secret", "92233720368547758"] {
                        #expect(!"\(error) \(error.message)".contains(part), "\(error)")
                    }
                }
                let missing = postgresError { try connection.query("SELECT * FROM missing") }
                #expect(missing?.message == "PostgreSQL: relation \"missing\" does not exist")
            }

            @Test func parametersOfMoreThan1GBAreRejected() throws {
                let element = [UInt8](repeating: 0, count: 1 << 20)
                let large = PostgresValue.byteArrays([[UInt8]](repeating: element, count: 1000))
                #expect(postgresError { try connection.query("SELECT $1", [large]) }?.kind == .other)
                #expect(try connection.query("SELECT 1").rows[0].integer(0) == 1)
            }

            @Test func aStatementReturnsTheNumberOfRows() throws {
                try connection.execute("CREATE TABLE t (n int8)")
                let values = "INSERT INTO t SELECT generate_series(1, 10)"
                #expect(try connection.query(values).affected == 10)
                #expect(try connection.query("DELETE FROM t WHERE n > $1", [.integer(7)]).affected == 3)
                #expect(try connection.query("SELECT n FROM t").rows.count == 7)
            }

            @Test func anyNumberOfStatementsCanBePrepared() throws {
                for number in 0..<450 {
                    #expect(try connection.query("SELECT \(number)").rows[0].integer(0) == Int64(number))
                }
                #expect(try connection.query("SELECT count(*) FROM pg_prepared_statements").rows[0].integer(0) <= 200)
            }

            // MARK: Errors

            @Test func anErrorHasItsStateAndKeepsTheConnection() throws {
                let error = try #require(postgresError { try connection.query("SELECT 1 / $1", [.integer(0)]) })
                #expect((error.kind, error.sqlState) == (.other, "22012"))
                #expect(
                    error.description == "PostgreSQL: an error whose text can quote data (SQLSTATE 22012); "
                        + "read the text in the log of PostgreSQL")
                #expect(postgresError { try connection.query("SELECT") } == nil)
                try connection.execute("CREATE TABLE t (n int8 UNIQUE)")
                try connection.execute("INSERT INTO t VALUES (1)")
                #expect(postgresError { try connection.execute("INSERT INTO t VALUES (1)") }?.kind == .uniqueViolation)
                #expect(postgresError { try connection.query("SELECT $1", [.text("a\0")]) }?.sqlState == "22021")
                #expect(try connection.query("SELECT 1").rows[0].integer(0) == 1)
            }

            @Test func aLockAndASlowStatementTimeOut() throws {
                let other = try connect("lock_timeout", "50")
                try connection.begin()
                try connection.lock(.accounts)
                try other.begin()
                #expect(postgresError { try other.lock(.accounts) }?.kind == .timeout)
                let slow = try connect("statement_timeout", "50")
                #expect(postgresError { try slow.query("SELECT pg_sleep(1000)") }?.kind == .timeout)
                #expect(try slow.query("SELECT 1").rows[0].integer(0) == 1)
            }

            @Test func concurrentWritesOfSnapshotsConflict() throws {
                try connection.execute("CREATE TABLE t (n int8); INSERT INTO t VALUES (1)")
                let other = try connect()
                try connection.execute("BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT n FROM t")
                try other.execute("UPDATE t SET n = 2")
                #expect(postgresError { try connection.execute("UPDATE t SET n = 3") }?.kind == .serialization)
                connection.rollback()
            }

            @Test func aClosedConnectionIsLost() throws {
                let other = try connect()
                try connection.query("SELECT pg_terminate_backend($1::int8::int4)", [.integer(try other.process)])
                #expect(postgresError { while true { try other.query("SELECT 1") } }?.kind == .connectionLost)
                #expect(!other.isIdle)
                #expect(postgresError { try other.query("SELECT 1") }?.kind == .connectionLost)
            }

            @Test func anUnresponsiveServerIsLostAfterTheTimeLimit() throws {
                let other = try connect { $0.responseTimeout = 100 }
                let process = Int32(try other.process)
                suspended(process) {
                    #expect(postgresError { try other.query("SELECT 1") }?.kind == .connectionLost)
                    #expect(postgresError { try other.query("SELECT 1") }?.kind == .connectionLost)
                }
            }

            private func suspended(_ process: Int32, _ body: () throws -> Void) rethrows {
                kill(process, SIGSTOP)
                defer { kill(process, SIGCONT) }
                try body()
            }

            @Test func anIdleTransactionEnds() throws {
                let other = try connect("idle_in_transaction_session_timeout", "50")
                try other.begin()
                let process = try other.process
                try connection.wait(until: "NOT EXISTS (SELECT FROM pg_stat_activity WHERE pid = \(process))")
                let error = postgresError { try other.query("SELECT 1") }
                #expect(error?.kind == .connectionLost)
                #expect(error?.description.contains("idle-in-transaction timeout") == true)
            }

            @Test func aRejectedConnectionNamesTheDatabaseButNoPassword() throws {
                let url = database.cluster.url("missing", isLocal: false)
                    .replacingOccurrences(of: "regnum@", with: "regnum:geheim@")
                let error = try #require(postgresError { _ = try PostgresConnection(try PostgresSettings(url)) })
                #expect(error.kind == .unavailable)
                #expect(error.description.contains("127.0.0.1:\(database.cluster.port)/missing"))
                #expect(!error.description.contains("geheim"))
                for wrong in ["postgresql://u:geheim@h:1/d?unknown=1", "geheim", "postgresql://geheim:%zz@h/d"] {
                    let error = try #require(postgresError { _ = try PostgresSettings(wrong) }, "\(wrong)")
                    #expect(error.kind == .unavailable)
                    #expect(!error.description.contains("geheim"))
                }
            }

            @Test func aConnectionOverTCPWorks() throws {
                let settings = try PostgresSettings(database.cluster.url(database.name, isLocal: false))
                #expect(try PostgresConnection(settings).query("SELECT 1").rows[0].integer(0) == 1)
            }

            // MARK: Transactions

            @Test func aTransactionIsCommittedOrRolledBack() throws {
                try connection.execute("CREATE TABLE t (n int8)")
                try connection.transaction { try connection.query("INSERT INTO t VALUES (1)") }
                #expect(throws: CancellationError.self) {
                    try connection.transaction {
                        try connection.query("INSERT INTO t VALUES (2)")
                        throw CancellationError()
                    }
                }
                let swallowed = postgresError {
                    try connection.transaction {
                        try connection.query("INSERT INTO t VALUES (3)")
                        _ = try? connection.query("SELECT 1 / 0")
                    }
                }
                #expect(swallowed?.kind == .serialization, "a failed transaction isn't committed")
                #expect(try connection.query("SELECT n FROM t").rows.map { try $0.integer(0) } == [1])
                #expect(throws: PostgresError.self) {
                    try connection.transaction(.snapshot) { try connection.query("INSERT INTO t VALUES (4)") }
                }
            }

            @Test func aCommitOnALostConnectionIsUnknown() throws {
                let other = try connect { $0.responseTimeout = 100 }
                let process = Int32(try other.process)
                try other.begin()
                suspended(process) { #expect(postgresError { try other.commit() }?.kind == .commitUnknown) }
            }

            /// Has a cluster of its own, because it changes the standbys.
            @Test func aCommitThatASynchronousStandbyLacksIsUnknown() throws {
                let cluster = try PostgresCluster()
                let database = try cluster.makeDatabase()
                let administrator = try PostgresConnection(try database.settings())
                var settings = try database.settings()
                settings.commitTimeout = 500
                let connection = try PostgresConnection(settings)
                try connection.execute("CREATE TABLE t (n int8)")
                try administrator.execute("ALTER SYSTEM SET synchronous_standby_names = 'missing'")
                try administrator.query("SELECT pg_reload_conf()")
                var error: PostgresError?
                // The server applies the setting with a delay.
                while error == nil {
                    error = postgresError {
                        _ = try connection.transaction { try connection.query("INSERT INTO t VALUES (1)") }
                    }
                }
                #expect(error?.kind == .commitUnknown)
                try administrator.execute("ALTER SYSTEM RESET synchronous_standby_names")
                try administrator.query("SELECT pg_reload_conf()")
                withExtendedLifetime(database) { cluster.stop() }
            }
        }
    }
#endif
