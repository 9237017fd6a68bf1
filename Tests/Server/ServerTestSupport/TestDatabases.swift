// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import NIOConcurrencyHelpers
    #if PostgreSQL
        import RealmPostgres
    #endif
    import RealmSyncServer

    /// The databases of the test servers with `REGNUM_TEST_STORE=postgres`. Without it, servers have the embedded
    /// store.
    package enum TestDatabases {
        package static let areUsed = ProcessInfo.processInfo.environment["REGNUM_TEST_STORE"] == "postgres"

        #if PostgreSQL
            /// The databases, by the data folder of the server.
            private static let databases = NIOLockedValueBox<[String: PostgresDatabase]>([:])

            /// Returns the database of a data folder. It's removed after its folder.
            package static func database(of folder: String) throws -> PostgresDatabase {
                let unused = databases.withLockedValue { databases in
                    let unused = databases.filter { !FileManager.default.fileExists(atPath: $0.key) }
                    for folder in unused.keys { databases[folder] = nil }
                    return unused
                }
                // Removed without the lock.
                withExtendedLifetime(unused) {}
                if let known = databases.withLockedValue({ $0[folder] }) { return known }
                let new = try PostgresCluster.shared().makePreparedDatabase()
                databases.withLockedValue { $0[folder] = new }
                return new
            }
        #endif

        /// Returns the data of a server, on which commands work.
        package static func data(of folder: String) throws -> ServerData {
            #if PostgreSQL
                if areUsed { return .postgres(try database(of: folder).url) }
            #endif
            return .folder(folder)
        }

        /// Removes all stores of a server, which isn't running. The accounts remain.
        package static func removeStores(of folder: String) throws {
            #if PostgreSQL
                if areUsed {
                    let connection = try PostgresConnection(try database(of: folder).settings())
                    return try connection.execute("TRUNCATE regnum.stores CASCADE")
                }
            #endif
            try FileManager.default.removeItem(atPath: folder + "/apps")
        }

        /// Sets the database of a server, unless the test has named its stores.
        package static func set(_ options: inout RealmServer.Options) throws {
            guard areUsed, options.postgres == nil, options.shared == nil else { return }
            #if PostgreSQL
                options.postgres = try database(of: options.data).url
            #endif
        }
    }
#endif
