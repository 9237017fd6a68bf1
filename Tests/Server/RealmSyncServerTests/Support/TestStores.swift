// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import ServerTestSupport

    @testable import RealmSyncServer
    #if PostgreSQL
        import RealmPostgres
    #endif

    /// The kinds of stores that nodes share.
    enum SharedStoresKind: Sendable, CaseIterable {
        case memory
        #if PostgreSQL
            case postgres
        #endif

        /// Reports skipped tests without PostgreSQL.
        static var canUsePostgres: Bool {
            #if PostgreSQL
                PostgresCluster.isAvailableOrReported()
            #else
                false
            #endif
        }
    }

    /// The shared stores of a test.
    struct TestStores: Sendable {
        let kind: SharedStoresKind
        let memory = MemoryStores()
        #if PostgreSQL
            let database: PostgresDatabase?
        #endif

        /// Returns `nil` if PostgreSQL is absent.
        init?(_ kind: SharedStoresKind) throws {
            self.kind = kind
            #if PostgreSQL
                if kind == .postgres {
                    guard SharedStoresKind.canUsePostgres else { return nil }
                    database = try PostgresCluster.shared().makePreparedDatabase()
                } else {
                    database = nil
                }
            #endif
        }

        /// Returns the stores of another node.
        func node() throws -> any SharedStores {
            #if PostgreSQL
                if let database { return try PostgresStores(database.settings()) }
            #endif
            return memory
        }

        /// Loses the last frame of each store, as a database does that fails over to an older copy.
        func loseFrames() throws {
            #if PostgreSQL
                if let database {
                    return try PostgresConnection(try database.settings()).execute(
                        """
                        DELETE FROM regnum.frames USING regnum.stores
                        WHERE frames.store = stores.id AND frames.number = stores.last_frame;
                        UPDATE regnum.stores SET last_frame = last_frame - 1 WHERE last_frame > 0
                        """)
                }
            #endif
            memory.loseFrames()
        }
    }
#endif
