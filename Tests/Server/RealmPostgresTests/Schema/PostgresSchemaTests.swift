// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    import Dispatch
    @testable import RealmPostgres
    import ServerTestSupport
    import Testing

    extension PostgresTest {
        @Suite struct PostgresSchemaTests {
            private let database: PostgresDatabase
            private let connection: PostgresConnection
            private static let steps = [
                PostgresMigration("CREATE TABLE regnum.a (n int8)"),
                PostgresMigration("INSERT INTO regnum.a VALUES (1); ALTER TABLE regnum.a ADD COLUMN m int8"),
            ]

            init() throws {
                database = try PostgresCluster.shared().makeDatabase()
                connection = try PostgresConnection(try database.settings())
            }

            private var version: Int64 {
                get throws { try connection.query("SELECT version FROM regnum.schema_version").rows[0].integer(0) }
            }

            @Test func theTablesAreCreatedOnce() throws {
                for _ in 0..<2 { try PostgresSchema.prepare(connection) }
                #expect(try version == Int64(PostgresSchema.migrations.count))
            }

            @Test func oldTablesAreMigrated() throws {
                try PostgresSchema.prepare(connection, Array(Self.steps.prefix(1)))
                #expect(try version == 1)
                try PostgresSchema.prepare(connection, Self.steps)
                #expect(try version == 2)
                #expect(try connection.query("SELECT n FROM regnum.a WHERE m IS NULL").rows.count == 1)
            }

            @Test func serversThatStartTogetherMigrateOnce() throws {
                let settings = try database.settings()
                DispatchQueue.concurrentPerform(iterations: 8) { _ in
                    let error = postgresError {
                        try PostgresSchema.prepare(try PostgresConnection(settings), Self.steps)
                    }
                    #expect(error == nil)
                }
                #expect(try version == 2)
                #expect(try connection.query("SELECT n FROM regnum.a").rows.count == 1)
            }

            @Test func aFailedStepChangesNothing() throws {
                let wrong = PostgresMigration("CREATE TABLE regnum.b (n int8); SELECT 1 / 0")
                let error = postgresError { try PostgresSchema.prepare(connection, Self.steps + [wrong]) }
                #expect(error?.sqlState == "22012")
                #expect(try version == 2)
                #expect(throws: PostgresError.self) { try connection.query("SELECT n FROM regnum.b") }
            }

            @Test func newerTablesAreRefused() throws {
                try PostgresSchema.prepare(connection, Self.steps)
                let error = try #require(postgresError { try PostgresSchema.prepare(connection, []) })
                #expect(error.kind == .schema)
                #expect(error.description.contains("have version 2, and this server supports versions to 0; start"))
                #expect(try version == 2)
            }
        }
    }
#endif
