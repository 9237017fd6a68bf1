// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmSyncCore

    /// What a server lets clients do.
    public struct ConnectionLimits: Sendable, Hashable {
        /// The longest message of a WebSocket, in bytes, before and after it was inflated. By default one that carries
        /// the largest write that a client accepts, 128 MiB.
        public var messageBytes = Wire.greatestBody
        /// How many connections there are at most, those of the HTTP API included.
        public var connections = 10_000
        /// How many files of one client synchronise over one connection.
        public var sessionsPerConnection = 1000
        /// A connection that says nothing for so many seconds is ended. Clients ping each minute.
        public var silence = 600
        /// The longest body of a request of the HTTP API, in bytes.
        public var requestBytes = 1 << 20
        /// How long a connection may say nothing before it is a WebSocket, in seconds.
        public var requestPatience = 60

        /// The limits of `realm-server`.
        public init() {}
    }
#endif
