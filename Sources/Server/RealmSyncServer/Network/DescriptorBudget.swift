// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import HTTPServing
    import Logging
    import RealmSystem

    /// Connections use only the descriptors that partition logs and the server itself don't need. So clients can't use
    /// up those needed for a commit, a log-in, or a new generation of a log.
    struct DescriptorBudget: Equatable {
        let connections: Int
        let openLogs: Int

        private static let maxOpenLogs = 256
        /// To the port of the metrics.
        static let adminConnections = 16

        /// - Parameters:
        ///   - limit: The maximum number of descriptors of the process.
        ///   - threads: The number of network threads, each of which has its own descriptors.
        init(limit: Int, connections wanted: Int, threads: Int) {
            openLogs = max(4, min(DescriptorBudget.maxOpenLogs, limit / 8))
            let rest = limit - openLogs - DescriptorBudget.ownCount(threads)
            connections = min(wanted, max(8, rest))
        }

        static let openDocuments = 32
        /// The maximum number for one file: the database, its lock files, and its folder.
        private static let descriptorsOfDocuments = 8

        /// Returns the number of descriptors for account files, snapshots, documents, listening sockets, requests to
        /// token issuers, and files that libraries open.
        private static func ownCount(_ threads: Int) -> Int {
            80 + openDocuments * descriptorsOfDocuments + adminConnections + 4 * threads
        }

        /// Raises the limit of the process as far as the system allows and the server needs.
        static func raised(connections: Int, threads: Int, logger: Logger) -> DescriptorBudget {
            let limit = DescriptorLimit.raise(to: connections + maxOpenLogs + ownCount(threads))
            let budget = DescriptorBudget(limit: limit, connections: connections, threads: threads)
            if budget.connections < connections {
                logger.warning(
                    "the limit of open files leaves room for fewer connections than were configured",
                    metadata: ["limit": "\(limit)", "connections": "\(budget.connections)"])
            }
            return budget
        }

        private static let maxReserved = 256

        /// Some connections are reserved for log-ins.
        func limits(perPeer: Int) -> Connections.Limits {
            Connections.Limits(
                all: connections, admitted: connections - min(DescriptorBudget.maxReserved, connections / 8),
                strangersOfPeer: max(1, perPeer))
        }
    }
#endif
