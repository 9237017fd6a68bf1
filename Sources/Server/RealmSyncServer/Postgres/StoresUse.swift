// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    import RealmPostgres

    /// The right of a process to change the stores. Each transaction that changes one verifies it, because the session
    /// with the process's advisory lock can have ended.
    enum StoresUse: Sendable {
        /// Without an advisory lock in a session.
        case unlimited
        /// Servers and commands that change documents.
        ///
        /// - Parameter exclusions: The number of commands that had used the stores alone.
        case shared(exclusions: UInt64)
        /// A command that changes the list of stores.
        ///
        /// - Parameter process: The session with the advisory lock.
        case alone(process: UInt64)

        /// - Parameter connection: The session that holds the advisory lock `stores` alone.
        init(alone connection: PostgresConnection) throws {
            let number = "UPDATE regnum.exclusions SET number = number + 1 RETURNING pg_backend_pid()::int8"
            self = .alone(process: try connection.query(number).rows[0].number(0))
        }

        /// Returns the right of a session that shares the advisory lock.
        ///
        /// - Throws: `ServerFailure` if a command has used the stores alone since the previous session.
        func renewed(_ listener: PostgresListener, _ settings: PostgresSettings) throws -> StoresUse {
            let number = try listener.query("SELECT \(StoresUse.exclusions)").rows[0].number(0)
            try require(exclusions: number, settings)
            return .shared(exclusions: number)
        }

        static let exclusions = "(SELECT number FROM regnum.exclusions)"

        static func excluded(_ settings: PostgresSettings) -> SharedStoresUnavailable {
            SharedStoresUnavailable("a command uses the database \(settings.name) alone")
        }

        /// The condition that the process can change stores until the end of a transaction.
        var condition: String {
            switch self {
            case .unlimited, .shared:
                "pg_try_advisory_xact_lock_shared(\(PostgresSchema.AdvisoryLock.stores.rawValue))"
            case .alone(let process):
                """
                EXISTS (SELECT FROM pg_locks WHERE pid = \(process) AND locktype = 'advisory' \
                AND mode = 'ExclusiveLock' AND granted)
                """
            }
        }

        /// - Parameter isMet: The value of `condition`.
        func require(_ isMet: Bool, _ settings: PostgresSettings) throws {
            if isMet { return }
            guard case .alone = self else { throw StoresUse.excluded(settings) }
            throw ServerFailure(
                description: """
                    The command has lost the connection with which it uses the database \(settings.name) alone: \
                    repeat it.
                    """)
        }

        /// - Parameter number: The value of `exclusions`, read by a later statement than `condition`.
        func require(exclusions number: UInt64, _ settings: PostgresSettings) throws {
            guard case .shared(let known) = self, number != known else { return }
            throw ServerFailure(
                description: """
                    A command has used the database \(settings.name) alone while this server wasn't connected to it: \
                    start the server again.
                    """)
        }

        /// Verifies the right in a transaction.
        func require(_ connection: PostgresConnection, _ settings: PostgresSettings) throws {
            try require(try connection.query("SELECT \(condition)").rows[0].bool(0), settings)
            try require(
                exclusions: try connection.query("SELECT \(StoresUse.exclusions)").rows[0].number(0), settings)
        }
    }
#endif
