// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import ConnectionGuard
    import Logging
    import NIOCore
    import NIOHTTP1
    import NIOPosix
    import NIOSSL
    import NIOWebSocket
    import RealmAccounts

    /// Listens on one port for WebSockets of clients and for requests of the HTTP API.
    struct Listener: Sendable {
        let engine: SyncEngine
        let services: any AppServices
        let limits: ConnectionLimits
        let tls: NIOSSLContext?
        let logger: Logger
        let connections: Connections

        /// - Throws: an error if the address can't be bound.
        func listen(host: String, port: Int, on group: any EventLoopGroup) async throws -> any Channel {
            try await ServerBootstrap(group: group)
                .serverChannelOption(.backlog, value: 1024)
                .serverChannelOption(.socketOption(.so_reuseaddr), value: 1)
                .serverChannelInitializer(connections.admission { peer(of: $0) })
                .childChannelOption(.socketOption(.tcp_nodelay), value: 1)
                .childChannelInitializer { channel in
                    channel.eventLoop.makeCompletedFuture { try configure(channel) }
                }
                .bind(host: host, port: port).get()
        }

        /// A proxy forwards the connections of many clients.
        private func peer(of channel: any Channel) -> String? {
            let address = channel.remoteAddress?.ipAddress ?? ""
            return services.isTrustedProxy(address) ? nil : PeerAddress.unit(of: address)
        }

        private func configure(_ channel: any Channel) throws {
            let pipeline = channel.pipeline.syncOperations
            let clock = RequestClock(channel, connections, patience: .seconds(Int64(limits.requestPatience)))
            try pipeline.addHandler(clock, name: RequestClock.name)
            if let tls { try pipeline.addHandler(NIOSSLServerHandler(context: tls)) }
            let gate = UpgradeGate(channel, self, clock)
            let upgrader = NIOWebSocketServerUpgrader(
                maxFrameSize: limits.messageBytes,
                shouldUpgrade: { _, head in gate.judge(head) },
                upgradePipelineHandler: { channel, _ in gate.open(channel) })
            try pipeline.configureHTTPServerPipeline(
                withServerUpgrade: (
                    upgraders: [upgrader],
                    completionHandler: { context in
                        context.pipeline.syncOperations.removeHandler(name: ServiceHandler.name, promise: nil)
                        context.pipeline.syncOperations.removeHandler(name: RequestClock.name, promise: nil)
                    }
                ))
            let handler = ServiceHandler(services, limits, gate, connections, clock)
            try pipeline.addHandler(handler, name: ServiceHandler.name)
        }
    }

    /// Decides whether a connection becomes a WebSocket.
    ///
    /// Its state is used only by the channel's event loop: hence the unchecked `Sendable`.
    final class UpgradeGate: @unchecked Sendable {
        private let channel: any Channel
        private let listener: Listener
        private let clock: RequestClock
        private(set) var refusal: Refusal?
        private var socket: SyncSocket?

        init(_ channel: any Channel, _ listener: Listener, _ clock: RequestClock) {
            (self.channel, self.listener, self.clock) = (channel, listener, clock)
        }

        /// Returns the headers of the upgrade; nil if it's rejected, for the reason in `refusal`.
        func judge(_ head: HTTPRequestHead) -> EventLoopFuture<HTTPHeaders?> {
            let loop = channel.eventLoop
            guard let endpoint = Endpoint(uri: head.uri) else { return loop.makeSucceededFuture(nil) }
            guard let token = endpoint.token else { return refuse(.noToken) }
            clock.beginAnswer()
            let offers = Endpoint.offers(head.headers)
            let (services, app) = (listener.services, endpoint.app)
            return loop.makeFutureWithTask { try await services.verify(accessToken: token, app: app) }
                .flatMap { self.accept(offers, $0, token, app) }
                .flatMapError { self.refuse(Refusal($0)) }
        }

        private func refuse(_ refusal: Refusal) -> EventLoopFuture<HTTPHeaders?> {
            self.refusal = refusal
            return channel.eventLoop.makeSucceededFuture(nil)
        }

        private func accept(
            _ offers: [String], _ grant: AccessGrant, _ token: String, _ app: String
        ) -> EventLoopFuture<HTTPHeaders?> {
            guard listener.connections.admit(channel) else { return refuse(.full) }
            let socket = SyncSocket(channel, listener.engine, listener.limits.messageBytes)
            let answer = channel.eventLoop.makePromise(of: String?.self)
            let connection = listener.engine.accept(offers: offers, grant, socket) { answer.succeed($0) }
            socket.begin(connection)
            self.socket = socket
            let (services, loop) = (listener.services, channel.eventLoop)
            return answer.futureResult.flatMap { name -> EventLoopFuture<HTTPHeaders?> in
                guard let name else { return self.refuse(.noProtocol) }
                let headers: HTTPHeaders = [
                    "Sec-WebSocket-Protocol": name, "X-Appservices-Request-Id": "\(connection)",
                ]
                // From now on the engine closes the connection when its token is revoked. A revocation before this
                // point wasn't reported to it, so the token is verified again.
                return loop.makeFutureWithTask { try await services.verify(accessToken: token, app: app) }
                    .map { _ in Optional(headers) }
            }
        }

        func open(_ channel: any Channel) -> EventLoopFuture<Void> {
            channel.eventLoop.makeCompletedFuture {
                guard let socket else { throw ServerFailure(description: "no connection was accepted") }
                try channel.pipeline.syncOperations.addHandler(socket)
            }
        }
    }
#endif
