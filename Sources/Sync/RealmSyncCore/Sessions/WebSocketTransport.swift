// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Opens WebSockets to a server (§2.1). Usable from any thread.
package protocol WebSocketTransport: Sendable {
    /// Begins to open a WebSocket. `handle` is told what happens, one event after the other, on any thread; the last
    /// event is `closed`.
    func open(_ request: WebSocketRequest, _ handle: @escaping @Sendable (WebSocketEvent) -> Void) -> any WebSocket
}

/// A WebSocket that was opened, or is being opened. Usable from any thread.
package protocol WebSocket: Sendable {
    /// Sends a binary message. `completion` is called on any thread as soon as the next one can be taken, or not at all
    /// if the WebSocket closes before.
    func send(_ message: [UInt8], _ completion: @escaping @Sendable () -> Void)

    /// Drops the connection. `closed` may follow.
    func close()
}

/// Where to, and as what, a WebSocket is opened.
package struct WebSocketRequest: Sendable {
    /// With the scheme `ws` or `wss`.
    package var url: String
    /// The sub-protocols to offer, the best first.
    package var protocols: [String]
    package var headers: [(name: String, value: String)]

    package init(url: String, protocols: [String], headers: [(name: String, value: String)]) {
        self.url = url
        self.protocols = protocols
        self.headers = headers
    }
}

/// What happens to a WebSocket.
package enum WebSocketEvent: Sendable {
    /// It is open, with the sub-protocol that the server has chosen.
    case opened(protocolName: String?)
    case message([UInt8])
    case closed(WebSocketEnd)
}

/// Why a WebSocket is closed, or could not be opened.
package enum WebSocketEnd: Sendable, Equatable {
    /// The server has answered the upgrade with this HTTP status.
    case refused(status: Int)
    /// The server has sent a close frame with this code.
    case closed(code: Int)
    /// The connection could not be made, or was lost.
    case lost(reason: String)
    /// The certificate of the server was not accepted, or there is none.
    case untrusted(reason: String)
}
