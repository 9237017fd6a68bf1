// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Logging
    import RealmAccounts
    import RealmSyncCore

    extension SyncEngine {
        // MARK: Tokens

        private static let longestTimer: Int64 = 24 * 3600

        /// Schedules the next check unless the token has expired.
        func checkExpiry(of connection: UInt64, _ state: EngineState) {
            guard let grant = state.folder.grants[connection] else { return }
            let left = grant.expiry - clock()
            if left <= 0 { return end(connection, state) }
            state.transports[connection]?.setExpiry(seconds: min(left, SyncEngine.longestTimer))
        }

        func end(_ connection: UInt64, _ state: EngineState) {
            state.server.didDisconnect(connection)
            state.transports[connection]?.close(.unauthorized)
            forget(connection, state)
        }

        // MARK: Connections

        func forget(_ connection: UInt64, _ state: EngineState) {
            state.held[connection] = nil
            state.unread[connection] = nil
            state.folder.forget(connection)
            state.transports[connection] = nil
            metrics.connections.record(state.transports.count)
        }

        /// Reading isn't resumed while the client must first read responses.
        func acknowledge(_ cost: Int, _ connection: UInt64, _ state: EngineState) {
            guard let transport = state.transports[connection] else { return }
            if state.server.unansweredCount(connection) > unreadAnswers {
                state.unread[connection, default: 0] += cost
            } else {
                transport.didConsume(cost)
            }
        }

        /// The text of the error can quote data of the client, so it isn't logged.
        func noteError(_ code: Int, _ connection: UInt64, _ state: EngineState) {
            let user = state.folder.grants[connection]?.user ?? ""
            logger.warning(
                "a client gets error \(code)", metadata: ["connection": "\(connection)", "user": "\(user)"])
        }
    }
#endif
