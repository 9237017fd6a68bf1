// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmSyncCore

    /// The limits of a server's clients, such as the number of connections and the size of messages.
    public struct ConnectionLimits: Sendable, Hashable {
        /// The maximum size of a WebSocket message, in bytes, both before and after decompression. The default
        /// corresponds to the largest write that a client accepts, 128 MiB.
        public var messageBytes = Wire.maxBody
        /// The maximum number of connections, including those of the HTTP API. An eighth of them, at most 256, is
        /// reserved for requests such as log-ins. The server accepts fewer connections if the system's limit of open
        /// files is too low.
        public var connections = 10_000
        /// The maximum number of files that a client synchronises over one connection.
        public var sessionsPerConnection = 1000
        /// The time after which a silent connection is closed, in whole seconds. Clients send a ping each minute.
        public var silence = Duration.seconds(600)
        /// The maximum size of the body of an HTTP API request, in bytes.
        public var requestBytes = 1 << 20
        /// The time limit for receiving a whole request, for the pause before it, and for sending its response.
        public var requestPatience = Duration.seconds(60)
        /// The maximum number of connections of one peer that aren't authenticated, such as those for log-in. Beyond
        /// it, a new connection replaces the oldest one that waits for its client. IPv6 peers are counted by network;
        /// trusted proxies have no limit.
        public var requestConnectionsPerPeer = 200
        /// The maximum number of responses to pings, marks, and tests that a client hasn't read. The server stops
        /// reading the messages of a client that exceeds it.
        public var unreadAnswers = 1000

        /// Creates the default limits.
        public init() {}
    }
#endif
