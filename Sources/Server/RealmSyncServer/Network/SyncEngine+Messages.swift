// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmSyncCore

    /// Messages of connections, which may have to wait.
    extension SyncEngine {
        /// The first message must wait.
        struct HeldMessages {
            var messages: ArraySlice<[UInt8]> = []
            /// The first message binds a file, and the decision about its access is pending.
            var isDeciding = false
            var isDecided = false
            /// The rights of the user have changed since the decision began.
            var isOutdated = false
        }

        func take(_ bytes: [UInt8], _ connection: UInt64, _ state: EngineState) {
            // A ping doesn't belong to a session, and the client waits for its response.
            if state.held[connection] != nil, bytes.starts(with: "ping ".utf8) {
                return receive(bytes, connection, state)
            }
            state.held[connection, default: HeldMessages()].messages.append(bytes)
            handOn(connection, state)
        }

        /// A message that binds a file waits for the decision about its access. Any message waits for work on a
        /// partition of its connection.
        private func handOn(_ connection: UInt64, _ state: EngineState) {
            while let held = state.held[connection], !held.isDeciding {
                guard let bytes = held.messages.first else {
                    state.held[connection] = nil
                    return
                }
                guard !state.server.isWaiting(connection) else { return }
                if let path = boundPath(bytes) {
                    if state.folder.isBusy(path, connection: connection) { return }
                    if !held.isDecided, let request = state.folder.request(path, connection: connection) {
                        state.held[connection]?.isDeciding = true
                        state.held[connection]?.isOutdated = false
                        Task { [self] in post(.decided(connection, await gate.decide(request))) }
                        return
                    }
                }
                guard isWritable(bytes, connection, state) else { return }
                state.held[connection]?.messages.removeFirst()
                state.held[connection]?.isDecided = false
                receive(bytes, connection, state)
                pump(state.folder.takeChangedRights(), state)
            }
        }

        func handOnAll(_ state: EngineState) {
            for connection in state.held.keys.sorted() { handOn(connection, state) }
        }

        func boundPath(_ bytes: [UInt8]) -> String? {
            guard bytes.starts(with: Array("bind ".utf8)),
                case .bind(let bind)? = try? ClientMessage(bytes, mode: .partition, limit: limits.message)
            else { return nil }
            return bind.path
        }

        func release(
            _ connection: UInt64, _ decision: Result<Access, SessionError>, _ state: EngineState
        ) {
            guard let held = state.held[connection] else { return }
            state.folder.decide(connection, decision)
            state.held[connection]?.isDeciding = false
            state.held[connection]?.isDecided = !held.isOutdated
            handOn(connection, state)
        }

        func receive(_ bytes: [UInt8], _ connection: UInt64, _ state: EngineState) {
            state.server.receive(bytes, from: connection)
            state.consumed[connection, default: 0] += SyncEngine.cost(of: bytes)
        }

        /// The approximate memory until the response. Small messages use more than their bytes.
        static func cost(of message: [UInt8]) -> Int { message.count + 256 }
    }
#endif
