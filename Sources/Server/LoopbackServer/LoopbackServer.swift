// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server || Browser
    import Foundation
    import HTTPServing
    import NIOCore
    import NIOPosix

    /// Serves pages to browsers on this machine, each with a socket.
    ///
    /// By default, it listens on the loopback address. It responds only to requests with its key and its own host name,
    /// and only its own page can open a socket. All handlers run on the threads of the event loops.
    package final class LoopbackServer: Sendable {
        package struct Options: Sendable {
            package var host = "127.0.0.1"
            /// `nil` is the first free one of `ports`; 0 is any free port.
            package var port: Int?
            package var ports = 8080...8179
            /// `nil` for a server without access control.
            package var key: ServerKey? = ServerKey()
            let ticket = EntryTicket()
            /// The maximum size of a socket's message, in bytes.
            package var longestMessage = 1 << 20
            /// Further messages wait.
            package var messagesPerSecond = 200
            /// The maximum number of unsent bytes of a socket, beyond which the socket is closed.
            package var longestBacklog = 16 << 20
            /// The allowed sources in addition to the server itself, in the syntax of a content security policy.
            package var imageSources = ["https:"]
            package var connectionCount = 512
            /// The maximum number of connections without the key from one address. Beyond it, a new connection replaces
            /// the oldest one that the server waits for.
            package var strangerCount = 64
            /// The time limit for a whole request and for the pause before it, in seconds. A socket that is silent for
            /// this time is pinged; after the same time again, it's closed.
            package var patience = 30
            /// The paths that this machine's programs can get without the key.
            package var openPaths: Set<String> = []
            /// The maximum size of a request's body, in bytes. If it's 0, the server accepts only GET.
            package var longestBody = 0

            package init() {}
        }

        /// Returns `nil` if the path doesn't exist.
        package typealias Responder = @Sendable (HTTPRequest) async -> HTTPResponse?
        /// Returns the handler of a socket's events, called in order on the socket's event loop.
        package typealias Connector = @Sendable (Socket) -> @Sendable (SocketEvent) -> Void

        package let key: ServerKey?
        package let ticket: EntryTicket
        private let host: String
        private let server: HTTPServer

        private init(_ server: HTTPServer, _ options: Options) {
            (self.server, host) = (server, Self.name(of: options.host))
            (key, ticket) = (options.key, options.ticket)
        }

        package var port: Int { server.port }

        /// Contains the key.
        package var address: String { place + (key.map { "?key=\($0.text)" } ?? "") }

        var place: String { "http://\(host):\(port)/" }

        private static func isWildcard(_ host: String) -> Bool { host == "0.0.0.0" || host == "::" }

        private static func name(of host: String) -> String {
            if isWildcard(host) { return "localhost" }
            return host.contains(":") ? "[\(host)]" : host.lowercased()
        }

        /// - Throws: `ServerError`, or an error of the operating system, if no port can be bound.
        package static func start(
            _ options: Options, respond: @escaping Responder, connect: @escaping Connector
        ) async throws -> LoopbackServer {
            let service = PageService(options, gate(options), respond, connect)
            var settings = settings(options)
            for port in options.port.map({ $0...$0 }) ?? options.ports {
                settings.port = port
                do {
                    let server = try await HTTPServer(service, settings, on: .singletonMultiThreadedEventLoopGroup)
                    return LoopbackServer(server, options)
                } catch let error as IOError where error.errnoCode == EADDRINUSE && options.port == nil {
                    continue
                }
            }
            let ports = options.ports
            throw ServerError(
                description: "All ports from \(ports.lowerBound) to \(ports.upperBound) are in use. Choose another one."
            )
        }

        private static func settings(_ options: Options) -> HTTPServer.Options {
            let patience = TimeAmount.seconds(Int64(options.patience))
            let limits = Connections.Limits(
                all: options.connectionCount, admitted: options.connectionCount,
                strangersOfPeer: min(options.strangerCount, options.connectionCount))
            var settings = HTTPServer.Options(limits, patience: patience)
            (settings.host, settings.longestBody) = (options.host, options.longestBody)
            settings.headers = policy(imageSources: options.imageSources)
            var socket = WebSocketHandler.Options(
                kind: .text, wrongKind: .protocolError, longestMessage: options.longestMessage)
            socket.longestBacklog = options.longestBacklog
            socket.patience = patience
            settings.socket = socket
            return settings
        }

        /// The page runs only its own script and style, loads only allowed images, and can't be framed by other pages.
        private static func policy(imageSources: [String]) -> [(name: String, value: String)] {
            let images = (["'self'", "data:"] + imageSources).joined(separator: " ")
            return [
                (
                    "Content-Security-Policy",
                    "default-src 'none'; script-src 'self'; style-src 'self'; img-src \(images); "
                        + "connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
                ),
                ("X-Content-Type-Options", "nosniff"), ("Referrer-Policy", "no-referrer"),
                ("Cross-Origin-Opener-Policy", "same-origin"), ("Cache-Control", "no-store"),
            ]
        }

        private static func gate(_ options: Options) -> Gate {
            var names: Set = [name(of: options.host)]
            let isWildcard = isWildcard(options.host)
            if LoopbackNames.contains(options.host) || isWildcard {
                names.formUnion(["localhost", "127.0.0.1", "[::1]"])
            }
            return Gate(
                key: options.key, ticket: options.ticket, names: names, allowsAddresses: isWildcard,
                openPaths: options.openPaths, allowsChanges: options.longestBody > 0)
        }

        package func stop() async {
            ticket.revoke()
            await server.stopListening()
            await disconnect()
        }

        package func disconnect() async { await server.connections.closeAll() }
    }

    package struct ServerError: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }
#endif
