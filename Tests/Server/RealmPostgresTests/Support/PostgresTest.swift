// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    @testable import RealmPostgres
    import ServerTestSupport
    import TestTraits
    import Testing

    /// The tests of this target. Each test has its own database.
    @Suite(.timeLimited, .enabled(if: PostgresCluster.isAvailable, "\(PostgresCluster.absence)")) struct PostgresTest {}

    extension PostgresConnection {
        /// Waits until a condition of the database is true.
        func wait(until condition: String) throws {
            while try !query("SELECT \(condition)").rows[0].bool(0) {}
        }

        var process: Int64 { get throws { try query("SELECT pg_backend_pid()").rows[0].integer(0) } }
    }

    /// Returns the error of `body`.
    func postgresError(_ body: () throws -> Void) -> PostgresError? {
        do { try body() } catch { return error as? PostgresError }
        return nil
    }
#endif
