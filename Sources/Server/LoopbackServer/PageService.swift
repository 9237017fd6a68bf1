// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server || Browser
    import HTTPServing
    import NIOCore

    struct PageService: HTTPService {
        private let options: LoopbackServer.Options
        private let gate: Gate
        private let responder: LoopbackServer.Responder
        private let connect: LoopbackServer.Connector

        init(
            _ options: LoopbackServer.Options, _ gate: Gate, _ responder: @escaping LoopbackServer.Responder,
            _ connect: @escaping LoopbackServer.Connector
        ) {
            (self.options, self.gate, self.responder, self.connect) = (options, gate, responder, connect)
        }

        func peer(of address: String) -> String? { address }

        func judge(_ request: HTTPRequest, _ connection: HTTPConnection) -> HTTPResponse? {
            let verdict = gate.judge(request)
            if case .refused(let status, let text) = verdict { return .refusal(status, text, closes: true) }
            if verdict != .open { _ = connection.admit() }
            switch verdict {
            case .enter: return entrance(.refusal(303, "The page is at /."), ("Location", "/"), request)
            case .enterByTicket: return entrance(Self.nextPage, ("Refresh", "0; url=/"), request)
            default: return nil
            }
        }

        func respond(to request: HTTPRequest) async -> HTTPResponse {
            await responder(request) ?? .refusal(404, "There is nothing at this address.")
        }

        func upgrade(_ request: HTTPRequest, _ connection: HTTPConnection) -> EventLoopFuture<UpgradeDecision> {
            let isAllowed = gate.mayConnect(request) && connection.admit()
            return connection.channel.eventLoop.makeSucceededFuture(
                isAllowed ? .accepted(SocketReceiver(options, connect), headers: []) : .refused(nil))
        }

        /// Moves the key from the URL, where others might read it, to a cookie that scripts can't read.
        private func entrance(
            _ response: HTTPResponse, _ next: (name: String, value: String), _ request: HTTPRequest
        ) -> HTTPResponse {
            var response = response
            response.headers.append(next)
            if let key = gate.key {
                let cookie = Gate.cookie(port: request.port)
                response.headers.append(("Set-Cookie", "\(cookie)=\(key.text); HttpOnly; SameSite=Strict; Path=/"))
            }
            return response
        }

        /// A browser doesn't send cookies when it follows a redirect from a local file. It does when it follows one
        /// from this page.
        private static let nextPage = HTTPResponse(
            type: "text/html; charset=utf-8", Array("<!DOCTYPE html><a href=\"/\">The page is at /.</a>\n".utf8))
    }
#endif
