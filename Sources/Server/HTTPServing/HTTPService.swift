// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server || Browser
    import NIOCore

    /// The responses of a server to its requests.
    package protocol HTTPService: Sendable {
        /// Returns the unit by which an address's strangers are counted; nil if the address represents many clients.
        func peer(of address: String) -> String?

        /// Returns the response to a whole request if it needs no work; nil if `respond` creates it. Called on the
        /// connection's event loop.
        func judge(_ request: HTTPRequest, _ connection: HTTPConnection) -> HTTPResponse?

        func respond(to request: HTTPRequest) async -> HTTPResponse

        /// Decides whether a connection becomes a WebSocket. Called on its event loop.
        func upgrade(_ request: HTTPRequest, _ connection: HTTPConnection) -> EventLoopFuture<UpgradeDecision>
    }

    extension HTTPService {
        package func judge(_ request: HTTPRequest, _ connection: HTTPConnection) -> HTTPResponse? { nil }

        package func upgrade(_ request: HTTPRequest, _ connection: HTTPConnection) -> EventLoopFuture<UpgradeDecision> {
            connection.channel.eventLoop.makeSucceededFuture(.refused(nil))
        }
    }

    /// A connection of a server.
    package struct HTTPConnection: Sendable {
        package let channel: any Channel
        let connections: Connections

        /// Marks the connection as authenticated, so that it's never closed for another one.
        ///
        /// - Returns: Whether there is room for it.
        package func admit() -> Bool { connections.admit(channel) }
    }

    /// The decision about a WebSocket.
    package enum UpgradeDecision: Sendable {
        case accepted(any WebSocketReceiver, headers: [(name: String, value: String)])
        /// A refused upgrade. If the response is nil, the request is handled as an ordinary HTTP request.
        case refused(HTTPResponse?)
    }
#endif
