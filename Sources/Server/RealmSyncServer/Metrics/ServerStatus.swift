// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation

    /// The state of a server at one moment. It contains no document, no password, and no token. Queries contain values
    /// that users have searched for.
    ///
    /// The lists are limited, and the counts aren't. Of sessions and client files, those that lag most are listed; of
    /// partitions, those with the longest logs; of queries, those that were evaluated on most objects.
    public struct ServerStatus: Codable, Sendable, Equatable {
        /// The time of the status.
        public var time: Date
        /// The start of the server.
        public var started: Date
        /// The number of clients that are connected.
        public var connectionCount: Int
        /// The number of client files that are synchronising.
        public var sessionCount: Int
        /// The client files that are synchronising, at most 500.
        public var sessions: [Session]
        /// The number of partitions in memory.
        public var partitionCount: Int
        /// The partitions in memory, at most 500.
        public var partitions: [Partition]
        /// The number of client files that partitions in memory have records of and that aren't connected.
        public var absentFileCount: Int
        /// The absent client files, at most 500.
        public var absentFiles: [AbsentFile]
        /// The number of queries of client files in apps with flexible sync. Equal queries are counted once.
        public var queryCount: Int
        /// The queries of client files, at most 500.
        public var queries: [Query]
        /// The stores of ingested objects that are open.
        public var ingests: [Ingest]
        /// The number of warnings and errors since the start.
        public var problemCount: Int
        /// The newest warnings and errors, newest first, at most 200.
        public var problems: [Problem]

        /// The changes that a client file lacks.
        public struct Lag: Codable, Sendable, Equatable {
            /// The number of versions.
            public var versions: UInt64
            /// The size of their changes, in bytes.
            public var bytes: Int
        }

        /// A client file that is synchronising.
        public struct Session: Codable, Sendable, Equatable {
            /// The number of the connection.
            public var connection: UInt64
            /// The id of the app.
            public var app: String
            /// The id of the user.
            public var user: String
            /// The partition, as its type and value, or `flexible`.
            public var partition: String
            /// The number of the client file in its partition.
            public var file: UInt64
            /// The version up to which the server has sent changes.
            public var version: UInt64
            /// The changes that the server hasn't sent yet, or `nil` while a long upload uses the partition.
            public var lag: Lag?
            /// The subscriptions of the file, at most 20. Empty with partitions.
            public var subscriptions: [Subscription]
        }

        /// The subscriptions of a client file on one class.
        public struct Subscription: Codable, Sendable, Equatable {
            /// The name of the class.
            public var className: String
            /// The condition on the objects that the file receives: those of its subscriptions that the user can read.
            /// After 500 characters, it ends with an ellipsis.
            public var query: String
        }

        /// A query of client files in an app with flexible sync, and the effort for it since the server has opened the
        /// app.
        public struct Query: Codable, Sendable, Equatable {
            /// The id of the app.
            public var app: String
            /// The name of the class.
            public var className: String
            /// The condition. After 500 characters, it ends with an ellipsis.
            public var query: String
            /// The number of sets of subscriptions with the query.
            public var viewCount: Int
            /// The number of evaluations.
            public var evaluationCount: Int
            /// The number of objects on which the query was evaluated.
            public var objectCount: Int
        }

        /// The ingested objects of an app.
        public struct Ingest: Codable, Sendable, Equatable {
            /// The id of the app.
            public var app: String
            /// The type and value of the partition, or `flexible`.
            public var partition: String
            /// The number of the newest object.
            public var newest: UInt64
            /// The number of objects that `RealmServer.Options.ingest` hasn't processed, or of all objects without such
            /// a function.
            public var backlog: UInt64
        }

        /// A partition in memory.
        public struct Partition: Codable, Sendable, Equatable {
            /// The id of the app.
            public var app: String
            /// The type and value of the partition, or `flexible`.
            public var partition: String
            /// A Boolean value that indicates whether a long upload or a snapshot uses the partition. The other values
            /// are 0 then.
            public var isBusy: Bool
            /// The newest version.
            public var version: UInt64
            /// The number of versions that clients may still need.
            public var versionCount: Int
            /// The number of client files.
            public var fileCount: Int
            /// The size of the log, in bytes.
            public var logBytes: Int
        }

        /// A client file that isn't connected.
        public struct AbsentFile: Codable, Sendable, Equatable {
            /// The id of the app.
            public var app: String
            /// The type and value of the partition, or `flexible`.
            public var partition: String
            /// The number of the client file in its partition.
            public var file: UInt64
            /// The time of the last contact, to about an hour.
            public var seen: Date
            /// An upper bound of the changes that the file lacks: those since its last upload or its first download.
            public var lag: Lag
            /// The subscriptions of the file, at most 20. Empty with partitions.
            public var subscriptions: [Subscription]
        }

        /// A warning or an error of the server's log.
        public struct Problem: Codable, Sendable, Equatable {
            /// The time of the message.
            public var time: Date
            /// The level of the message, such as `warning`.
            public var level: String
            /// The message.
            public var text: String
            /// The details, such as the connection or the user.
            public var details: [String: String]
        }
    }

    /// An app of a server, with the size of its data.
    public struct AppStatus: Codable, Sendable, Equatable {
        /// The kind of synchronisation of an app.
        public enum Mode: String, Codable, Sendable {
            /// Clients synchronise whole partitions, or haven't used the app yet.
            case partitions
            /// Clients synchronise the objects of their subscriptions.
            case flexible
        }

        /// The id of the app.
        public var app: String
        /// The kind of synchronisation.
        public var mode: Mode
        /// The number of partitions in the data folder or the database; 0 with flexible sync.
        public var partitionCount: Int
        /// The size of the files with the objects, or of their data in the database, in bytes.
        public var bytes: Int
        /// The number of users.
        public var userCount: Int
    }
#endif
