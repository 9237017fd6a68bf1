// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server || Browser
    import NIOCore

    package protocol HTTPService: Sendable {
        /// Returns the unit by which strangers are counted, or `nil` if the address represents many clients.
        func peer(of address: String) -> String?

        /// Returns an immediate response, or `nil` if `respond` creates it. Called on the connection's event loop.
        func judge(_ request: HTTPRequest, _ connection: HTTPConnection) -> HTTPResponse?

        func respond(to request: HTTPRequest) async -> HTTPResponse

        /// Called on the connection's event loop.
        func upgrade(_ request: HTTPRequest, _ connection: HTTPConnection) -> EventLoopFuture<UpgradeDecision>
    }

    extension HTTPService {
        package func judge(_ request: HTTPRequest, _ connection: HTTPConnection) -> HTTPResponse? { nil }

        package func upgrade(_ request: HTTPRequest, _ connection: HTTPConnection) -> EventLoopFuture<UpgradeDecision> {
            connection.channel.eventLoop.makeSucceededFuture(.refused(nil))
        }
    }

    package struct HTTPConnection: Sendable {
        package let channel: any Channel
        let connections: Connections

        /// Returns whether the limit of admitted connections allows it. An admitted connection is never closed for
        /// another one.
        package func admit() -> Bool { connections.admit(channel) }
    }

    package enum UpgradeDecision: Sendable {
        case accepted(any WebSocketReceiver, headers: [(name: String, value: String)])
        /// If the response is `nil`, the request is handled as an ordinary HTTP request.
        case refused(HTTPResponse?)
    }
#endif
