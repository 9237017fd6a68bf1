// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server && Sync
    import RealmRuntime
    import RealmSyncCore

    /// Records the messages that a client with subscriptions sends to any server, and withholds some of them.
    final class RecordedTransport: WebSocketTransport {
        private struct State {
            var paths: [String] = []
            var queries: [String] = []
            var uploads: [Changeset] = []
            var withheld: String?
        }

        private let transport: any WebSocketTransport
        private let state = Locked(State())

        init(_ transport: any WebSocketTransport) { self.transport = transport }

        var paths: [String] { state.withLock { $0.paths } }
        var queries: [String] { state.withLock { $0.queries } }
        var uploads: [Changeset] { state.withLock { $0.uploads } }

        /// From now on, queries with this text don't reach the server.
        func withholdQueries(with text: String) { state.withLock { $0.withheld = text } }

        func open(
            _ request: WebSocketRequest, _ handle: @escaping @Sendable (WebSocketEvent) -> Void
        ) -> any WebSocket {
            Socket(transport: self, socket: transport.open(request, handle))
        }

        private struct Socket: WebSocket {
            let transport: RecordedTransport
            let socket: any WebSocket

            func send(_ message: [UInt8], _ completion: @escaping @Sendable () -> Void) {
                if transport.record(message) { socket.send(message, completion) } else { completion() }
            }

            func close() { socket.close() }
        }

        /// - Returns: Whether the message is sent.
        private func record(_ bytes: [UInt8]) -> Bool {
            state.withLock { state in
                switch try? ClientMessage(bytes, mode: .flexible) {
                case .bind(let bind)?:
                    state.paths.append(bind.path)
                    return true
                case .query(_, let query)?:
                    state.queries.append(query.text)
                    return state.withheld.map { !query.text.contains($0) } ?? true
                case .upload(let upload)?:
                    state.uploads += upload.entries.compactMap { try? Changeset(decoding: $0.changeset) }
                    return true
                default: return true
                }
            }
        }
    }
#endif
