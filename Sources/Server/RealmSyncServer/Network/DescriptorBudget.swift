// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import HTTPServing
    import Logging
    import RealmSystem

    /// The descriptors that a server may use, and their purposes.
    ///
    /// Connections get the descriptors that partition logs and the server itself don't need: clients can't use up those
    /// needed for a commit, a log-in or a new generation of a log.
    struct DescriptorBudget: Equatable {
        let connections: Int
        let openLogs: Int

        private static let maxOpenLogs = 256
        /// The connections to the port of the metrics.
        static let adminConnections = 16

        /// - Parameters:
        ///   - limit: The descriptors that the process may have.
        ///   - wanted: The requested number of connections.
        ///   - threads: The threads of the network, each of which has descriptors of its own.
        init(limit: Int, connections wanted: Int, threads: Int) {
            openLogs = max(4, min(DescriptorBudget.maxOpenLogs, limit / 8))
            let rest = limit - openLogs - DescriptorBudget.ownCount(threads)
            connections = min(wanted, max(8, rest))
        }

        /// Descriptors for account files, snapshots, listening sockets, requests to token issuers, and files opened by
        /// libraries.
        private static func ownCount(_ threads: Int) -> Int { 80 + adminConnections + 4 * threads }

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

        /// Returns the connection limits. They reserve some connections for log-ins.
        func limits(perPeer: Int) -> Connections.Limits {
            Connections.Limits(
                all: connections, admitted: connections - min(DescriptorBudget.maxReserved, connections / 8),
                strangersOfPeer: max(1, perPeer))
        }
    }
#endif
