// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Browser
    import ConnectionGuard
    import Foundation
    import NIOCore
    import NIOHTTP1
    import NIOPosix
    import NIOWebSocket

    /// Serves pages to browsers on this machine, each with a socket.
    ///
    /// It listens on the loopback address by default. It responds only to browsers that have its key and use its own
    /// host name, and only its own page can open a socket. Everything here runs on dedicated threads.
    package final class LoopbackServer: Sendable {
        package struct Options: Sendable {
            package var host = "127.0.0.1"
            /// The port; nil for 8080 or the next free one, 0 for any.
            package var port: Int?
            /// nil for a server without access control.
            package var key: ServerKey? = ServerKey()
            let ticket = EntryTicket()
            /// The maximum size of a socket's message, in bytes.
            package var longestMessage = 1 << 20
            /// The number of messages of a socket that are handled per second; others wait.
            package var messagesPerSecond = 200
            /// The maximum number of bytes that wait for a browser to read them; beyond it, its socket is closed.
            package var longestBacklog = 16 << 20
            /// The sources of images in addition to the server itself, in the syntax of a content security policy.
            package var imageSources = ["https:"]
            package var connectionCount = 512
            /// The number of connections without the key from one address. A new connection replaces the oldest waiting
            /// one.
            package var strangerCount = 64
            /// The time limit for a whole request, and for the pause before it, in seconds. A socket that's silent for
            /// this long is pinged, and closed if it stays silent.
            package var patience = 30

            package init() {}
        }

        /// Returns the response to a request; nil if the path doesn't exist.
        package typealias Responder = @Sendable (Request) async -> Response?
        /// Accepts a new socket, and returns the handler of its events, which is called in order, on the socket's
        /// thread.
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
        /// - Throws: an error if no port can be bound.
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
                .serverChannelInitializer(connections.admission { $0.remoteAddress?.ipAddress ?? "" })
                .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        // The port is known only after the server listens, so it's taken from the connection.
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

        /// Stops listening, and closes all connections.
        package func stop() async {
            ticket.revoke()
            try? await channel.close().get()
            await disconnect()
        }

        /// Closes all connections.
        package func disconnect() async { await connections.closeAll() }
    }

    /// The reason a server failed.
    package struct ServerError: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }
#endif
