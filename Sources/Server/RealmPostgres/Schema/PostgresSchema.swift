// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The server's own tables, in the schema `regnum`. Documentation/Postgres.md describes them.
package enum PostgresSchema {
    /// All steps, in order. The version of a database is the number of steps that were executed.
    package static let migrations: [PostgresMigration] = [.accounts, .stores, .documents, .ingest, .files, .exclusions]

    /// The keys of advisory locks, which all servers of a database share.
    package enum AdvisoryLock: Int64, Sendable {
        case schema = 0x7265_676e_756d_0001
        case accounts = 0x7265_676e_756d_0002
        /// Shared by servers and commands. A command that changes the list of stores holds it alone.
        case stores = 0x7265_676e_756d_0003
        /// Held by a change of a file that depends on its contents.
        case files = 0x7265_676e_756d_0004
    }

    /// Creates or extends the tables. Concurrent callers wait for each other.
    ///
    /// - Throws: `PostgresError` of the kind `schema` if a newer server has extended them.
    package static func prepare(_ connection: PostgresConnection) throws {
        try prepare(connection, migrations)
    }

    /// Checks that the database can be used, and leaves it unchanged.
    ///
    /// - Throws: As `prepare`.
    package static func check(_ connection: PostgresConnection) throws {
        try checkEncoding(connection)
        _ = try version(connection, migrations)
    }

    static func prepare(_ connection: PostgresConnection, _ migrations: [PostgresMigration]) throws {
        try checkEncoding(connection)
        var current = try version(connection, migrations)
        while current.map({ $0 < migrations.count }) ?? true {
            current = try connection.transaction { try step(connection, migrations) }
        }
    }

    /// Runs the next step, and returns the version after it.
    private static func step(_ connection: PostgresConnection, _ migrations: [PostgresMigration]) throws -> Int {
        try connection.lock(.schema)
        guard let current = try version(connection, migrations) else {
            try connection.execute(
                """
                CREATE SCHEMA IF NOT EXISTS regnum;
                CREATE TABLE regnum.schema_version (version int8 NOT NULL);
                INSERT INTO regnum.schema_version VALUES (0);
                """)
            return 0
        }
        guard current < migrations.count else { return current }
        try connection.execute(migrations[current].script)
        try connection.query("UPDATE regnum.schema_version SET version = $1", [.integer(Int64(current) + 1)])
        return current + 1
    }

    /// Returns `nil` if there are no tables yet.
    private static func version(
        _ connection: PostgresConnection, _ migrations: [PostgresMigration]
    ) throws -> Int? {
        // `to_regclass` isn't suitable, because its cache may be older than the lock.
        let tables = "SELECT FROM pg_catalog.pg_tables WHERE schemaname = 'regnum' AND tablename = 'schema_version'"
        guard try !connection.query(tables).rows.isEmpty else { return nil }
        let rows = try connection.query("SELECT version FROM regnum.schema_version").rows
        guard rows.count == 1, let version = Int(exactly: try rows[0].integer(0)), version >= 0 else {
            throw PostgresError(
                .schema, "the table regnum.schema_version of \(connection.settings.name) doesn't have one version",
                remedy: "restore the database from a backup")
        }
        guard version <= migrations.count else {
            throw PostgresError(
                .schema,
                "the tables of \(connection.settings.name) have version \(version), and this server supports versions "
                    + "to \(migrations.count)",
                remedy: "start a newer server")
        }
        return version
    }

    private static func checkEncoding(_ connection: PostgresConnection) throws {
        guard let encoding = try connection.query("SHOW server_encoding").rows.first?.text(0), encoding == "UTF8" else {
            throw PostgresError(
                .schema, "the encoding of the database \(connection.settings.name) isn't UTF8",
                remedy: "create it with 'createdb --encoding=UTF8 --template=template0 NAME'")
        }
    }
}

extension PostgresConnection {
    /// Acquires a lock, which the transaction in progress holds until its end.
    package func lock(_ lock: PostgresSchema.AdvisoryLock) throws {
        try query("SELECT pg_advisory_xact_lock($1)", [.integer(lock.rawValue)])
    }

    /// Acquires a lock, which the session holds until its end. Can wait until `lock_timeout`.
    package func lockSession(_ lock: PostgresSchema.AdvisoryLock) throws {
        try query("SELECT pg_advisory_lock($1)", [.integer(lock.rawValue)])
    }

}

extension PostgresConnection {
    /// Returns whether no session holds the lock alone. The transaction in progress, if any, shares it until its end.
    package func canShare(_ lock: PostgresSchema.AdvisoryLock) throws -> Bool {
        try query("SELECT pg_try_advisory_xact_lock_shared($1)", [.integer(lock.rawValue)]).rows[0].bool(0)
    }
}

extension PostgresListener {
    /// Shares a lock until the connection ends. Returns false if a session holds it alone.
    package func share(_ lock: PostgresSchema.AdvisoryLock) throws -> Bool {
        try query("SELECT pg_try_advisory_lock_shared($1)", [.integer(lock.rawValue)]).rows[0].bool(0)
    }
}
