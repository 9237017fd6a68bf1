// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmSyncCore

    /// The limits that a server applies to its clients.
    public struct ConnectionLimits: Sendable, Hashable {
        /// The maximum size of a WebSocket message, in bytes, before and after decompression. The default fits the
        /// largest write that a client accepts, 128 MiB.
        public var messageBytes = Wire.maxBody
        /// The number of connections, including those of the HTTP API. An eighth, 256 at most, is reserved for requests
        /// such as log-ins. The server has fewer if the limit of open files is too low.
        public var connections = 10_000
        /// The maximum number of files that one client synchronises over one connection.
        public var sessionsPerConnection = 1000
        /// The number of seconds after which a silent connection is closed. Clients ping each minute.
        public var silence = 600
        /// The maximum size of an HTTP API request's body, in bytes.
        public var requestBytes = 1 << 20
        /// The time limit, in seconds, for receiving a whole request, for the pause before it, and for reading its
        /// response.
        public var requestPatience = 60
        /// The number of connections of one peer that aren't WebSockets. A new one replaces the oldest that waits for
        /// its client. IPv6 peers are counted by their networks; trusted proxies have no limit.
        public var requestConnectionsPerPeer = 200
        /// The number of responses to pings, marks and tests that a client may leave unread. Beyond it, its messages
        /// aren't read.
        public var unreadAnswers = 1000

        /// Creates the limits of `realm-server`.
        public init() {}
    }
#endif
