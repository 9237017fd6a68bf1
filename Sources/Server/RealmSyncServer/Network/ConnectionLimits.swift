// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmSyncCore

    /// What a server lets clients do.
    public struct ConnectionLimits: Sendable, Hashable {
        /// The longest message of a WebSocket, in bytes, before and after it was inflated. By default one that carries
        /// the largest write that a client accepts, 128 MiB.
        public var messageBytes = Wire.greatestBody
        /// The number of connections, those of the HTTP API included. An eighth, 256 at most, is kept for
        /// requests such as log-ins. The server has fewer where the limit of open files leaves no room for them.
        public var connections = 10_000
        /// How many files of one client synchronise over one connection.
        public var sessionsPerConnection = 1000
        /// A connection that says nothing for so many seconds is ended. Clients ping each minute.
        public var silence = 600
        /// The longest body of a request of the HTTP API, in bytes.
        public var requestBytes = 1 << 20
        /// The time for a whole request, for the pause before it, and for reading its answer, in seconds.
        public var requestPatience = 60
        /// The number of connections of one peer that aren't WebSockets. The oldest that waits for its client makes
        /// room for a new one. Peers of IPv6 are counted by their networks; trusted proxies have no limit.
        public var requestConnectionsPerPeer = 200
        /// The number of answers to pings, marks and tests that may wait for a client to read them. Its next messages
        /// aren't read before.
        public var unreadAnswers = 1000

        /// The limits of `realm-server`.
        public init() {}
    }
#endif
