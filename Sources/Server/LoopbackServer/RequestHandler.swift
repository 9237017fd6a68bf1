// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Browser
    import ConnectionGuard
    import NIOCore
    import NIOHTTP1
    import NIOWebSocket

    /// Responds to the requests of a connection, one after another.
    final class RequestHandler: ChannelInboundHandler, RemovableChannelHandler {
        typealias InboundIn = HTTPServerRequestPart
        typealias OutboundOut = HTTPServerResponsePart

        static let name = "requests"

        private let gate: Gate
        private let policy: [(String, String)]
        private let connections: Connections
        private let clock: RequestClock
        private let respond: LoopbackServer.Responder
        private var head: HTTPRequestHead?

        init(
            _ gate: Gate, _ options: LoopbackServer.Options, _ connections: Connections, _ clock: RequestClock,
            _ respond: @escaping LoopbackServer.Responder
        ) {
            (self.gate, self.connections, self.clock, self.respond) = (gate, connections, clock, respond)
            policy = Response.policy(imageSources: options.imageSources)
        }

        func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            switch unwrapInboundIn(data) {
            case .head(let head):
                self.head = head
                clock.beginRequest()
            // Requests have no body here: one that has is rejected before the body is read.
            case .body:
                if let head { answer(context, .refusal(413, "There is nothing to send here."), head, closes: true) }
                head = nil
            case .end:
                if let head { answer(context, head) }
                head = nil
            }
        }

        private func answer(_ context: ChannelHandlerContext, _ head: HTTPRequestHead) {
            let request = Request(head)
            switch gate.judge(request) {
            case .refused(let status, let text): answer(context, .refusal(status, text), head, closes: true)
            case .enter:
                _ = connections.admit(context.channel)
                answer(context, entrance(.refusal(303, "The page is at /."), ("Location", "/")), head, closes: false)
            case .enterByTicket:
                _ = connections.admit(context.channel)
                answer(context, entrance(Self.nextPage, ("Refresh", "0; url=/")), head, closes: false)
            case .allowed:
                _ = connections.admit(context.channel)
                clock.beginAnswer()
                let (respond, loop) = (respond, context.eventLoop)
                let bound = NIOLoopBound((self, context), eventLoop: loop)
                loop.makeFutureWithTask { await respond(request) }.whenSuccess { response in
                    let (handler, context) = bound.value
                    let response = response ?? .refusal(404, "There is nothing at this address.")
                    handler.answer(context, response, head, closes: false)
                }
            }
        }

        /// Moves the key from the address, where others might read it, to a cookie that scripts can't read.
        private func entrance(_ response: Response, _ next: (String, String)) -> Response {
            var response = response
            response.headers = [next]
            if let key = gate.key {
                response.headers.append(
                    ("Set-Cookie", "\(gate.cookie)=\(key.text); HttpOnly; SameSite=Strict; Path=/"))
            }
            return response
        }

        /// A browser that follows a redirect from a local file doesn't send cookies; from a page it does.
        private static let nextPage = Response(
            type: "text/html; charset=utf-8", Array("<!DOCTYPE html><a href=\"/\">The page is at /.</a>\n".utf8))

        private func answer(
            _ context: ChannelHandlerContext, _ response: Response, _ request: HTTPRequestHead, closes: Bool
        ) {
            let staysOpen = request.isKeepAlive && !closes
            var headers = HTTPHeaders(policy + response.headers)
            headers.add(name: "Content-Type", value: response.type)
            headers.add(name: "Content-Length", value: "\(response.body.count)")
            if !staysOpen { headers.add(name: "Connection", value: "close") }
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
