// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import ConnectionGuard
    import Logging
    import RealmSystem

    /// The descriptors that a server may use, and what for.
    ///
    /// Connections get what is left when the logs of partitions and the server itself have theirs: clients can't take
    /// the descriptors that a commit, a log-in or a new generation of a log needs.
    struct DescriptorBudget: Equatable {
        let connections: Int
        let openLogs: Int

        private static let mostOpenLogs = 256
        /// The connections to the port of the metrics.
        static let adminConnections = 16

        /// - Parameters:
        ///   - limit: The descriptors that the process may have.
        ///   - wanted: The connections that the server should take.
        ///   - threads: The threads of the network, each of which has descriptors of its own.
        init(limit: Int, connections wanted: Int, threads: Int) {
            openLogs = max(4, min(DescriptorBudget.mostOpenLogs, limit / 8))
            let rest = limit - openLogs - DescriptorBudget.ownCount(threads)
            connections = min(wanted, max(8, rest))
        }

        /// Files of accounts, snapshots, sockets that listen, requests to issuers of tokens, and what libraries open.
        private static func ownCount(_ threads: Int) -> Int { 80 + adminConnections + 4 * threads }

        /// Raises the limit of the process as far as the system allows and as the server needs it.
        static func raised(connections: Int, threads: Int, logger: Logger) -> DescriptorBudget {
            let limit = DescriptorLimit.raise(to: connections + mostOpenLogs + ownCount(threads))
            let budget = DescriptorBudget(limit: limit, connections: connections, threads: threads)
            if budget.connections < connections {
                logger.warning(
                    "the limit of open files leaves room for fewer connections than were configured",
                    metadata: ["limit": "\(limit)", "connections": "\(budget.connections)"])
            }
            return budget
        }

        private static let mostReserved = 256

        /// The limits of connections: log-ins always find some that no WebSocket has.
        func limits(perPeer: Int) -> Connections.Limits {
            Connections.Limits(
                all: connections, admitted: connections - min(DescriptorBudget.mostReserved, connections / 8),
                strangersOfPeer: max(1, perPeer))
        }
    }
#endif
