// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import HTTPServing
    import NIOCore
    import RealmAccounts

    struct SyncService: HTTPService {
        let engine: SyncEngine
        let services: any AppServices
        let ingest: IngestService
        let health: ServerHealth

        /// A proxy forwards the connections of many clients.
        func peer(of address: String) -> String? {
            services.isTrustedProxy(address) ? nil : PeerAddress.unit(of: address)
        }

        func judge(_ request: HTTPRequest, _ connection: HTTPConnection) -> HTTPResponse? {
            health.response(to: request) ?? (Endpoint(request) == nil ? nil : .noUpgrade)
        }

        func respond(to request: HTTPRequest) async -> HTTPResponse {
            if let response = await ingest.respond(to: request, isLocal: false) { return response }
            return await services.respond(to: request)
        }

        func upgrade(_ request: HTTPRequest, _ connection: HTTPConnection) -> EventLoopFuture<UpgradeDecision> {
            let loop = connection.channel.eventLoop
            guard let endpoint = Endpoint(request) else { return loop.makeSucceededFuture(.refused(nil)) }
            guard let token = endpoint.token else { return loop.makeSucceededFuture(.refused(.noToken)) }
            let offers = request.elements("sec-websocket-protocol").map(String.init)
            let client = ClientRequest(address: services.client(of: request), headers: request.headers)
            @Sendable func verify() -> EventLoopFuture<AccessGrant> {
                loop.makeFutureWithTask { try await services.verify(accessToken: token, app: endpoint.app) }
            }
            return verify().flatMap { grant -> EventLoopFuture<UpgradeDecision> in
                var grant = grant
                grant.request = client
                guard connection.admit() else { return loop.makeSucceededFuture(.refused(.full)) }
                return accept(offers, grant, connection.channel).flatMap { decision in
                    // The engine now closes the connection when its token is revoked. A revocation before this point
                    // wasn't reported to the engine, so the token is verified again.
                    guard case .accepted = decision else { return loop.makeSucceededFuture(decision) }
                    return verify().map { _ in decision }
                }
            }.flatMapErrorThrowing { .refused(.refusal($0)) }
        }

        private func accept(
            _ offers: [String], _ grant: AccessGrant, _ channel: any Channel
        ) -> EventLoopFuture<UpgradeDecision> {
            let socket = SyncSocket(channel, engine)
            let answer = channel.eventLoop.makePromise(of: String?.self)
            let connection = engine.accept(offers: offers, grant, socket) { answer.succeed($0) }
            socket.begin(connection)
            return answer.futureResult.map { name in
                guard let name else { return .refused(.noProtocol) }
                let headers = [
                    ("Sec-WebSocket-Protocol", name), ("X-Appservices-Request-Id", "\(connection)"),
                ]
                return .accepted(socket, headers: headers.map { (name: $0, value: $1) })
            }
        }
    }
#endif
