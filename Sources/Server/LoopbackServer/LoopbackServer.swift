// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Browser
    import ConnectionGuard
    import Foundation
    import NIOCore
    import NIOHTTP1
    import NIOPosix
    import NIOWebSocket

    /// Serves pages to browsers of this machine, each with a socket.
    ///
    /// It listens on the loopback address unless it is told otherwise. Only a browser that has its key gets an
    /// answer, by its own name, and only its own page can open a socket. Everything here runs on threads of its own.
    package final class LoopbackServer: Sendable {
        package struct Options: Sendable {
            package var host = "127.0.0.1"
            /// The port; nil for 8080 or the next free one, 0 for any.
            package var port: Int?
            /// nil for a server that all that reach it may use.
            package var key: ServerKey? = ServerKey()
            let ticket = EntryTicket()
            /// The longest message of a socket, in bytes.
            package var longestMessage = 1 << 20
            /// How many messages of a socket are handled in a second; others wait.
            package var messagesPerSecond = 200
            /// How much may wait for a browser that does not read; then its socket is closed.
            package var longestBacklog = 16 << 20
            /// From where pages may load pictures, beside the server itself, as a content security policy names it.
            package var imageSources = ["https:"]
            package var connectionCount = 512
            /// The number of connections without the key from one address. The oldest that waits makes room for a new
            /// one.
            package var strangerCount = 64
            /// The time for a whole request, and for the pause before it, in seconds. A socket that is silent for so
            /// long is pinged, and closed when it stays silent.
            package var patience = 30

            package init() {}
        }

        /// Answers a request; nil if there is nothing at the path.
        package typealias Responder = @Sendable (Request) async -> Response?
        /// Takes a new socket, and returns what takes its events, in order, on the socket's thread.
        package typealias Connector = @Sendable (Socket) -> @Sendable (SocketEvent) -> Void

        package let port: Int
        package let key: ServerKey?
        package let ticket: EntryTicket
        private let host: String
        private let channel: any Channel
        private let connections: Connections

        private init(_ channel: any Channel, _ options: Options, _ port: Int, _ connections: Connections) {
            (self.channel, self.port, self.connections) = (channel, port, connections)
            (host, key, ticket) = (Self.name(of: options.host), options.key, options.ticket)
        }

        /// The address to open, with the key.
        package var address: String { place + (key.map { "?key=\($0.text)" } ?? "") }

        /// The address without the key.
        var place: String { "http://\(host):\(port)/" }

        private static func isWildcard(_ host: String) -> Bool { host == "0.0.0.0" || host == "::" }

        private static func name(of host: String) -> String {
            if isWildcard(host) { return "localhost" }
            return host.contains(":") ? "[\(host)]" : host.lowercased()
        }

        /// Starts a server.
        /// - Throws: why no port can be listened on.
        package static func start(
            _ options: Options, respond: @escaping Responder, connect: @escaping Connector
        ) async throws -> LoopbackServer {
            let connections = Connections(
                Connections.Limits(
                    all: options.connectionCount, admitted: options.connectionCount,
                    strangersOfPeer: min(options.strangerCount, options.connectionCount)))
            let ports = options.port.map { [$0] } ?? Array(8080..<8180)
            for port in ports {
                do {
                    let channel = try await listen(options, port, connections, respond, connect)
                    let bound = channel.localAddress?.port ?? port
                    return LoopbackServer(channel, options, bound, connections)
                } catch let error as IOError where error.errnoCode == EADDRINUSE && port != ports.last {
                    continue
                }
            }
            throw ServerError(description: "There is no free port.")
        }

        private static func listen(
            _ options: Options, _ port: Int, _ connections: Connections, _ respond: @escaping Responder,
            _ connect: @escaping Connector
        ) async throws -> any Channel {
            try await ServerBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        guard connections.add(channel, peer: channel.remoteAddress?.ipAddress ?? "") else {
                            throw ServerError(description: "Too many connections.")
                        }
                        // The port is known only when the server listens, and is the connection's own.
                        let gate = gate(options, channel.localAddress?.port ?? port)
                        try configure(channel, options, gate, connections, respond, connect)
                    }
                }
                .bind(host: options.host, port: port).get()
        }

        private static func gate(_ options: Options, _ port: Int) -> Gate {
            var names = [name(of: options.host)]
            let isWildcard = isWildcard(options.host)
            if LoopbackNames.contains(options.host) || isWildcard { names += ["localhost", "127.0.0.1", "[::1]"] }
            return Gate(
                key: options.key, ticket: options.ticket, hosts: Set(names.map { "\($0):\(port)" }),
                allowsAddresses: isWildcard, port: port)
        }

        private static func configure(
            _ channel: any Channel, _ options: Options, _ gate: Gate, _ connections: Connections,
            _ respond: @escaping Responder, _ connect: @escaping Connector
        ) throws {
            let pipeline = channel.pipeline.syncOperations
            let patience = TimeAmount.seconds(Int64(options.patience))
            let clock = RequestClock(channel, connections, patience: patience)
            try pipeline.addHandler(clock, name: RequestClock.name)
            let upgrader = NIOWebSocketServerUpgrader(
                maxFrameSize: options.longestMessage,
                shouldUpgrade: { channel, head in
                    let isAllowed = gate.mayConnect(Request(head)) && connections.admit(channel)
                    return channel.eventLoop.makeSucceededFuture(isAllowed ? HTTPHeaders() : nil)
                },
                upgradePipelineHandler: { channel, _ in
                    channel.eventLoop.makeCompletedFuture {
                        let pipeline = channel.pipeline.syncOperations
                        try pipeline.addHandler(IdleStateHandler(readTimeout: patience))
                        try pipeline.addHandler(SocketHandler(options, connect))
                    }
                })
            try pipeline.configureHTTPServerPipeline(
                withServerUpgrade: (
                    upgraders: [upgrader],
                    completionHandler: { context in
                        context.pipeline.syncOperations.removeHandler(name: RequestHandler.name, promise: nil)
                        context.pipeline.syncOperations.removeHandler(name: RequestClock.name, promise: nil)
                    }
                ))
            let handler = RequestHandler(gate, options, connections, clock, respond)
            try pipeline.addHandler(handler, name: RequestHandler.name)
        }

        /// Ends all connections, and listens no longer.
        package func stop() async {
            ticket.revoke()
            try? await channel.close().get()
            await disconnect()
        }

        /// Ends all connections.
        package func disconnect() async { await connections.closeAll() }
    }

    /// Why a server cannot do what it is to do.
    package struct ServerError: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }
#endif
