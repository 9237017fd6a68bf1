// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server || Browser
    import NIOCore
    import NIOHTTP1
    import NIOPosix
    import NIOWebSocket

    package struct HTTPServer: Sendable {
        package struct Options: Sendable {
            package var host = "127.0.0.1"
            /// 0 is any free port.
            package var port = 0
            package var limits: Connections.Limits
            /// The time limit for receiving a whole request, for the pause before it, and for the client to read the
            /// response.
            package var patience: TimeAmount
            /// In bytes.
            package var longestBody = 0
            package var headers: [(name: String, value: String)] = []
            /// `nil` for a server without TLS.
            package var encryption: (@Sendable () -> any ChannelHandler)?
            /// `nil` for a server without WebSockets.
            package var socket: WebSocketHandler.Options?

            package init(_ limits: Connections.Limits, patience: TimeAmount) {
                (self.limits, self.patience) = (limits, patience)
            }
        }

        package let port: Int
        package let connections: Connections
        private let channel: any Channel

        /// - Throws: An error if the address can't be bound.
        package init(
            _ service: any HTTPService, _ options: Options, on group: any EventLoopGroup
        ) async throws {
            let connections = Connections(options.limits)
            channel = try await ServerBootstrap(group: group)
                .serverChannelOption(.backlog, value: 1024)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .serverChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try channel.pipeline.syncOperations.addHandler(AdmissionHandler(service, connections))
                    }
                }
                .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture {
                        try RequestHandler.configure(
                            HTTPConnection(channel: channel, connections: connections), service, options)
                    }
                }
                .bind(host: options.host, port: options.port).get()
            self.connections = connections
            port = channel.localAddress?.port ?? options.port
        }

        /// Connections remain open.
        package func stopListening() async { try? await channel.close().get() }
    }

    /// Adds connections in the order of their acceptance. Their own initializers run on different event loops, in any
    /// order.
    private final class AdmissionHandler: ChannelInboundHandler {
        typealias InboundIn = any Channel
        typealias InboundOut = any Channel

        private let service: any HTTPService
        private let connections: Connections

        init(_ service: any HTTPService, _ connections: Connections) {
            (self.service, self.connections) = (service, connections)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let channel = unwrapInboundIn(data)
            let peer = service.peer(of: channel.remoteAddress?.ipAddress ?? "")
            guard connections.add(channel, peer: peer) else { return channel.close(promise: nil) }
            context.fireChannelRead(data)
        }
    }
#endif
