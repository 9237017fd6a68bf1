// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Opens WebSockets to a server (§2.1). Usable from any thread.
package protocol WebSocketTransport: Sendable {
    /// Starts to open a WebSocket. Calls `handle` with one event after the other, on any thread. The last event is
    /// `closed`.
    func open(_ request: WebSocketRequest, _ handle: @escaping @Sendable (WebSocketEvent) -> Void) -> any WebSocket
}

/// A WebSocket that is open or opening. Usable from any thread.
package protocol WebSocket: Sendable {
    /// Sends a binary message. Calls `completion` on any thread as soon as the next one can be accepted. Doesn't call
    /// it if the WebSocket closes before.
    func send(_ message: [UInt8], _ completion: @escaping @Sendable () -> Void)

    /// Drops the connection. `closed` may follow.
    func close()
}

package struct WebSocketRequest: Sendable {
    /// The scheme is `ws` or `wss`.
    package var url: String
    /// The sub-protocols to offer, in order of preference.
    package var protocols: [String]
    package var headers: [(name: String, value: String)]

    package init(url: String, protocols: [String], headers: [(name: String, value: String)]) {
        self.url = url
        self.protocols = protocols
        self.headers = headers
    }
}

package enum WebSocketEvent: Sendable {
    /// The name is the sub-protocol that the server chose.
    case opened(protocolName: String?)
    case message([UInt8])
    case closed(WebSocketEnd)
}

package enum WebSocketEnd: Sendable, Equatable {
    case refused(status: Int)
    case closed(code: Int)
    case lost(reason: String)
    /// The server's certificate was rejected or is missing.
    case untrusted(reason: String)
}
