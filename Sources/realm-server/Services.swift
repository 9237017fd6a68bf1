// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmAccounts
    import RealmSyncServer

    extension RealmServerCommand {
        /// The HTTP API, which says who a user is.
        func services() throws -> any AppServices {
            throw ServiceFailure(description: "The accounts of this server are missing.")
        }
    }

    struct ServiceFailure: Error, CustomStringConvertible {
        let description: String
    }
#endif
