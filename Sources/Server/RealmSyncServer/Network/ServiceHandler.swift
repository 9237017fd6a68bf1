// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import ConnectionGuard
    import NIOCore
    import NIOHTTP1
    import NIOSSL
    import NIOWebSocket
    import RealmAccounts

    /// Responds to the requests of a connection that isn't a WebSocket, one after another.
    final class ServiceHandler: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        static let name = "services"

        private let services: any AppServices
        private let limits: ConnectionLimits
        private let gate: UpgradeGate
        private let connections: Connections
        private let clock: RequestClock
        private var head: HTTPRequestHead?
        private var body: [UInt8] = []

        init(
            _ services: any AppServices, _ limits: ConnectionLimits, _ gate: UpgradeGate, _ connections: Connections,
            _ clock: RequestClock
        ) {
            (self.services, self.limits, self.gate) = (services, limits, gate)
            (self.connections, self.clock) = (connections, clock)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head):
                self.head = head
                body = []
                clock.beginRequest()
            case .body(let part):
                guard let head else { return }
                guard body.count + part.readableBytes <= limits.requestBytes else {
                    self.head = nil
                    return refuse(context, Refusal(413, "the request is too long"), head)
                }
                body.append(contentsOf: part.readableBytesView)
            case .end:
                if let head { answer(context, head) }
                head = nil
            }
        }

        private func answer(_ context: ChannelHandlerContext, _ head: HTTPRequestHead) {
            if Endpoint(uri: head.uri) != nil { return refuse(context, gate.refusal ?? .noUpgrade, head) }
            let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            let request = ServiceRequest(
                method: head.method.rawValue, path: String(parts[0]), query: parts.count > 1 ? String(parts[1]) : "",
                headers: head.headers.map { ($0.name, $0.value) }, body: body,
                peer: context.remoteAddress?.ipAddress ?? "",
                isEncrypted: (try? context.pipeline.syncOperations.handler(type: NIOSSLServerHandler.self)) != nil)
            body = []
            let (services, loop) = (services, context.eventLoop)
            let bound = NIOLoopBound((self, context), eventLoop: loop)
            clock.beginAnswer()
            loop.makeFutureWithTask { await services.respond(to: request) }.whenSuccess { response in
                let (handler, context) = bound.value
                guard let events = response.events else {
                    return handler.write(context, response, head, closes: false)
                }
                handler.stream(events, after: response, context, head)
            }
        }

        // MARK: Streams

        /// A comment that clients ignore. Sending it detects disconnected clients.
        private static let beat = Array(":\n\n".utf8)
        private static let beatInterval = Duration.seconds(30)

        /// Sends events until they end, the client disconnects, or it may no longer receive them. Then closes the
        /// connection.
        private func stream(
            _ events: ServiceEvents, after response: ServiceResponse, _ context: ChannelHandlerContext,
            _ request: HTTPRequestHead
        ) {
            guard context.channel.isActive else { return }
            // A stream belongs to a user and is long-lived, so it no longer counts as a connection that waits for a
            // request.
            guard connections.admit(context.channel) else { return refuse(context, .full, request) }
            var headers = HTTPHeaders(response.headers.map { ($0.name, $0.value) })
            headers.replaceOrAdd(name: "Transfer-Encoding", value: "chunked")
            headers.replaceOrAdd(name: "Connection", value: "close")
            let head = HTTPResponseHead(version: request.version, status: .ok, headers: headers)
            context.writeAndFlush(wrapOutboundOut(.head(head)), promise: nil)
            let (loop, channel) = (context.eventLoop, context.channel)
            let bound = NIOLoopBound((self, context), eventLoop: loop)
            @Sendable func send(_ bytes: [UInt8]) async throws {
                try await loop.flatSubmit { bound.value.0.write(bytes, bound.value.1) }.get()
            }
            let sending = Task {
                while let piece = await events.next(), !Task.isCancelled { try await send(piece) }
                if !Task.isCancelled { try await loop.flatSubmit { bound.value.0.end(bound.value.1) }.get() }
            }
            let beats = Task {
                defer { sending.cancel() }
                while await events.isAllowed() {
                    try await Task.sleep(for: ServiceHandler.beatInterval)
                    try await send(ServiceHandler.beat)
                }
            }
            Task {
                _ = await sending.result
                beats.cancel()
                channel.close(promise: nil)
            }
            channel.closeFuture.whenComplete { _ in sending.cancel() }
        }

        private func write(_ bytes: [UInt8], _ context: ChannelHandlerContext) -> EventLoopFuture<Void> {
            clock.beginSending()
            let data = context.channel.allocator.buffer(bytes: bytes)
            let written = context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(data))))
            let clock = NIOLoopBound(clock, eventLoop: context.eventLoop)
            written.whenSuccess { clock.value.beginAnswer() }
            return written
        }

        private func end(_ context: ChannelHandlerContext) -> EventLoopFuture<Void> {
            context.writeAndFlush(wrapOutboundOut(.end(nil)))
        }

        // MARK: Answers

        private func refuse(_ context: ChannelHandlerContext, _ refusal: Refusal, _ head: HTTPRequestHead) {
            let response = ServiceResponse(
                status: refusal.status, headers: [("Content-Type", "text/plain; charset=utf-8")],
                body: Array((refusal.text + "\n").utf8))
            write(context, response, head, closes: true)
        }

        private func write(
            _ context: ChannelHandlerContext, _ response: ServiceResponse, _ request: HTTPRequestHead, closes: Bool
        ) {
            guard context.channel.isActive else { return }
            let staysOpen = request.isKeepAlive && !closes
            var headers = HTTPHeaders(response.headers.map { ($0.name, $0.value) })
            headers.replaceOrAdd(name: "Content-Length", value: "\(response.body.count)")
            if !staysOpen { headers.replaceOrAdd(name: "Connection", value: "close") }
            let head = HTTPResponseHead(
                version: request.version, status: HTTPResponseStatus(statusCode: response.status), headers: headers)
            context.write(wrapOutboundOut(.head(head)), promise: nil)
            let body = context.channel.allocator.buffer(bytes: response.body)
            context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil)
            let channel = context.channel
            let clock = NIOLoopBound(clock, eventLoop: context.eventLoop)
            clock.value.beginSending()
            context.writeAndFlush(wrapOutboundOut(.end(nil))).whenComplete { _ in
                if staysOpen { clock.value.endAnswer() } else { channel.close(promise: nil) }
            }
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            // A rejected WebSocket is a request like any other, and gets a response.
            if error is NIOWebSocketUpgradeError || error is HTTPServerUpgradeErrors { return }
            context.close(promise: nil)
        }
    }
#endif
