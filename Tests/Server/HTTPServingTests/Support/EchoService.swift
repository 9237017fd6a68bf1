// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server || Browser
    import HTTPServing
    import NIOCore
    import NIOPosix
    import PageTestSupport

    /// `/` responds with hello, and a socket echoes messages.
    struct EchoService: HTTPService {
        func peer(of address: String) -> String? { address }

        func judge(_ request: HTTPRequest, _ connection: HTTPConnection) -> HTTPResponse? {
            request.path == "/refused" ? .refusal(403, "no", closes: true) : nil
        }

        func respond(to request: HTTPRequest) async -> HTTPResponse {
            if request.path == "/slow" { try? await Task.sleep(for: .seconds(2.5)) }
            let text = request.body.isEmpty ? "hello" : String(decoding: request.body, as: UTF8.self)
            return HTTPResponse(type: "text/plain", Array(text.utf8))
        }

        func upgrade(_ request: HTTPRequest, _ connection: HTTPConnection) -> EventLoopFuture<UpgradeDecision> {
            let decision: UpgradeDecision =
                switch request.path {
                case "/socket": connection.admit() ? .accepted(Echo(), headers: []) : .refused(.full)
                case "/closed": .refused(.refusal(401, "no token", closes: true))
                default: .refused(nil)
                }
            return connection.channel.eventLoop.makeSucceededFuture(decision)
        }

        /// Used only by the socket's event loop, hence the unchecked `Sendable`.
        private final class Echo: WebSocketReceiver, @unchecked Sendable {
            private var handler: WebSocketHandler?

            func didOpen(_ handler: WebSocketHandler) { self.handler = handler }

            func didClose() { handler = nil }

            func receive(_ message: ByteBuffer) {
                let text = String(buffer: message)
                if text == "end" { return handler?.close(.normalClosure) ?? () }
                guard text.hasPrefix("flood ") else { return handler?.send(message) ?? () }
                let megabyte = ByteBuffer(repeating: 120, count: 1 << 20)
                for _ in 0..<(Int(text.dropFirst("flood ".count)) ?? 0) { handler?.send(megabyte) }
            }
        }

        // MARK: Servers

        static func options(_ change: (inout HTTPServer.Options) -> Void = { _ in }) -> HTTPServer.Options {
            var options = HTTPServer.Options(
                Connections.Limits(all: 512, admitted: 512, strangersOfPeer: 512), patience: .seconds(600))
            options.socket = WebSocketHandler.Options(
                kind: .text, wrongKind: .unacceptableData, longestMessage: 1 << 20)
            change(&options)
            return options
        }

        /// Runs a server during `body`, which has its own thread.
        static func serve(
            _ change: (inout HTTPServer.Options) -> Void = { _ in },
            _ body: @escaping @Sendable (HTTPServer) throws -> Void
        ) async throws {
            let server = try await HTTPServer(
                EchoService(), options(change), on: .singletonMultiThreadedEventLoopGroup)
            try await outside { try body(server) }
            await server.stopListening()
            await server.connections.closeAll()
        }
    }

    extension HTTPServer {
        func client() throws -> RawClient { try RawClient(port: port) }

        func socket() throws -> RawClient {
            let client = try client()
            let status = try client.upgrade().status
            guard status == 101 else { throw RawError(description: "The socket was refused with \(status).") }
            return client
        }
    }
#endif
