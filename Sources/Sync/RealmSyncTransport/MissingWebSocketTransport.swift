// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if !canImport(Darwin) && !Sync
    import RealmSyncCore

    /// Used by packages built without the trait `Sync`; its error names the trait.
    struct MissingWebSocketTransport: WebSocketTransport {
        static let reason =
            "Regnum was built without its trait 'Sync', which provides the WebSockets of synchronised Realms; enable "
            + "the trait in the dependency on the package"

        func open(
            _ request: WebSocketRequest, _ handle: @escaping @Sendable (WebSocketEvent) -> Void
        ) -> any WebSocket {
            handle(.closed(.lost(reason: Self.reason)))
            return ClosedWebSocket()
        }

        private struct ClosedWebSocket: WebSocket {
            func send(_ message: [UInt8], _ completion: @escaping @Sendable () -> Void) {}
            func close() {}
        }
    }
#endif
