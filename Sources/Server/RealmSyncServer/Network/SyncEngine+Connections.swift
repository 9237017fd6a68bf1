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
        private func acknowledge(_ cost: Int, _ connection: UInt64, _ state: EngineState) {
            guard let transport = state.transports[connection] else { return }
            if state.server.unansweredCount(connection) > unreadAnswers {
                state.unread[connection, default: 0] += cost
            } else {
                transport.didConsume(cost)
            }
        }

        /// The text of the error can quote data of the client, so it isn't logged.
        private func noteError(_ code: Int, _ connection: UInt64, _ state: EngineState) {
            let user = state.folder.grants[connection]?.user ?? ""
            logger.warning(
                "a client gets error \(code)", metadata: ["connection": "\(connection)", "user": "\(user)"])
        }

        func perform(_ state: EngineState) {
            for answer in state.answers { answer() }
            state.answers.removeAll(keepingCapacity: true)
            state.desk.answer()
            for effect in state.server.takeEffects() {
                switch effect {
                case .send(let connection, let bytes):
                    metrics.sent.increment()
                    metrics.sentBytes.increment(by: bytes.count)
                    state.transports[connection]?.send(bytes)
                case .close(let connection):
                    state.transports[connection]?.close(.normal)
                    forget(connection, state)
                case .setTimer(let connection, let milliseconds):
                    state.transports[connection]?.setSilence(milliseconds: milliseconds)
                case .integrate(let integration):
                    state.absent.insert(ObjectIdentifier(integration.store))
                    let access = StoreAccess(sharing: integration.store)
                    guard let access else {
                        integrate(integration, nil)
                        break
                    }
                    // A thread that waits for a lock would delay the work of those that hold one.
                    locks.run { [self] in
                        access.run { try $0.lock() }
                        integrate(integration, access)
                    }
                case .sessionError(let connection, let code): noteError(code, connection, state)
                case .log(let connection, let text):
                    metrics.violations.increment()
                    logger.warning("\(text)", metadata: ["connection": "\(connection)"])
                }
            }
            for (connection, cost) in state.consumed { acknowledge(cost, connection, state) }
            state.consumed.removeAll(keepingCapacity: true)
        }
    }
#endif
