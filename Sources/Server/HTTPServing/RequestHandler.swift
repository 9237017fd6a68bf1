// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server || Browser
    import NIOCore
    import NIOHTTP1
    import NIOWebSocket

    /// Responds to the requests of a connection, one after another, until the connection becomes a WebSocket.
    final class RequestHandler: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        private let connection: HTTPConnection
        private let service: any HTTPService
        private let options: HTTPServer.Options
        private let clock: RequestClock
        private var head: HTTPRequestHead?
        private var body: [UInt8] = []
        /// The response to a rejected WebSocket, until its request is received here.
        private var refusal: HTTPResponse?
        /// After a rejected WebSocket, NIO's parser doesn't read another request.
        private var isLastRequest = false
        private var receiver: (any WebSocketReceiver)?

        private init(
            _ connection: HTTPConnection, _ service: any HTTPService, _ options: HTTPServer.Options,
            _ clock: RequestClock
        ) {
            (self.connection, self.service, self.options, self.clock) = (connection, service, options, clock)
        }

        static func configure(
            _ connection: HTTPConnection, _ service: any HTTPService, _ options: HTTPServer.Options
        ) throws {
            let (channel, pipeline) = (connection.channel, connection.channel.pipeline.syncOperations)
            let clock = RequestClock(channel, connection.connections, patience: options.patience)
            let handler = RequestHandler(connection, service, options, clock)
            try pipeline.addHandler(clock)
            if let encryption = options.encryption { try pipeline.addHandler(encryption()) }
            let bound = NIOLoopBound(handler, eventLoop: channel.eventLoop)
            let upgrader = options.socket.map { socket in
                NIOWebSocketServerUpgrader(
                    maxFrameSize: socket.longestMessage,
                    shouldUpgrade: { _, head in bound.value.upgrade(head) },
                    upgradePipelineHandler: { channel, _ in
                        channel.eventLoop.makeCompletedFuture { try bound.value.open(socket) }
                    })
            }
            try pipeline.configureHTTPServerPipeline(
                withServerUpgrade: upgrader.map { upgrader in
                    (
                        [upgrader],
                        { context in
                            context.pipeline.syncOperations.removeHandler(bound.value, promise: nil)
                            context.pipeline.syncOperations.removeHandler(bound.value.clock, promise: nil)
                        }
                    )
                })
            try pipeline.addHandler(handler)
        }

        // MARK: WebSockets

        /// Returns `nil` if the upgrade is rejected. This handler then receives the request.
        private func upgrade(_ head: HTTPRequestHead) -> EventLoopFuture<HTTPHeaders?> {
            clock.beginAnswer()
            let bound = NIOLoopBound(self, eventLoop: connection.channel.eventLoop)
            return service.upgrade(request(head), connection).map { decision in
                switch decision {
                case .accepted(let receiver, let headers):
                    bound.value.receiver = receiver
                    return HTTPHeaders(headers.map { ($0.name, $0.value) })
                case .refused(let response):
                    (bound.value.refusal, bound.value.isLastRequest) = (response, true)
                    return nil
                }
            }
        }

        private func open(_ options: WebSocketHandler.Options) throws {
            guard let receiver else { return }
            let pipeline = connection.channel.pipeline.syncOperations
            if let patience = options.patience {
                try pipeline.addHandler(IdleStateHandler(readTimeout: patience))
            }
            try pipeline.addHandler(WebSocketHandler(connection.channel, options, receiver))
        }

        // MARK: Requests

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head):
                self.head = head
                body = []
                clock.beginRequest()
            case .body(let part):
                guard let head else { return }
                guard body.count + part.readableBytes <= options.longestBody else {
                    self.head = nil
                    return write(context, .refusal(413, "The request is too long.", closes: true), head)
                }
                body.append(contentsOf: part.readableBytesView)
            case .end:
                if let head { answer(context, head) }
                head = nil
            }
        }

        private func request(_ head: HTTPRequestHead) -> HTTPRequest {
            let parts = head.uri.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
            let channel = connection.channel
            return HTTPRequest(
                method: head.method.rawValue, path: String(parts[0]), query: parts.count > 1 ? String(parts[1]) : "",
                headers: head.headers.map { ($0.name, $0.value) }, body: body,
                peer: channel.remoteAddress?.ipAddress ?? "", port: channel.localAddress?.port ?? 0,
                isEncrypted: options.encryption != nil)
        }

        private func answer(_ context: ChannelHandlerContext, _ head: HTTPRequestHead) {
            let request = request(head)
            body = []
            if let response = refusal ?? service.judge(request, connection) {
                refusal = nil
                return write(context, response, head)
            }
            let (service, loop) = (service, context.eventLoop)
            let bound = NIOLoopBound((self, context), eventLoop: loop)
            clock.beginAnswer()
            loop.makeFutureWithTask { await service.respond(to: request) }.whenSuccess { response in
                let (handler, context) = bound.value
                guard let events = response.events else { return handler.write(context, response, head) }
                handler.stream(events, after: response, context, head)
            }
        }

        // MARK: Responses

        private func write(_ context: ChannelHandlerContext, _ response: HTTPResponse, _ request: HTTPRequestHead) {
            guard context.channel.isActive else { return }
            let staysOpen = request.isKeepAlive && !response.closes && !isLastRequest
            var headers = headers(of: response)
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

        private func headers(of response: HTTPResponse) -> HTTPHeaders {
            HTTPHeaders((options.headers + response.headers).map { ($0.name, $0.value) })
        }

        func errorCaught(context: ChannelHandlerContext, error: any Error) {
            // A rejected WebSocket is an ordinary request and receives a response.
            if error is NIOWebSocketUpgradeError || error is HTTPServerUpgradeErrors { return }
            context.close(promise: nil)
        }

        // MARK: Events

        /// Sends events until they end, the client disconnects, or it's no longer allowed to receive them.
        private func stream(
            _ events: EventStream, after response: HTTPResponse, _ context: ChannelHandlerContext,
            _ request: HTTPRequestHead
        ) {
            guard context.channel.isActive else { return }
            // A stream belongs to a user and is long-lived, so it doesn't count as a connection that the server waits
            // for.
            guard connection.admit() else { return write(context, .full, request) }
            var headers = headers(of: response)
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
                    try await Task.sleep(for: EventStream.beatInterval)
                    try await send(EventStream.beat)
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
    }

    extension HTTPResponse {
        package static let full = refusal(503, "the server has no room for a further connection", closes: true)
    }
#endif
