// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Browser
    import Foundation
    import HTTPServing
    import NIOCore
    import NIOPosix

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
        package typealias Responder = @Sendable (HTTPRequest) async -> HTTPResponse?
        /// Accepts a new socket, and returns the handler of its events, which is called in order, on the socket's
        /// thread.
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
            let service = PageService(options, gate(options), respond, connect)
            var settings = settings(options)
            let ports = options.port.map { [$0] } ?? Array(8080..<8180)
            for port in ports {
                settings.port = port
                do {
                    let server = try await HTTPServer(service, settings, on: .singletonMultiThreadedEventLoopGroup)
                    return LoopbackServer(server, options)
                } catch let error as IOError where error.errnoCode == EADDRINUSE && port != ports.last {
                    continue
                }
            }
            throw ServerError(description: "There is no free port.")
        }

        private static func settings(_ options: Options) -> HTTPServer.Options {
            let patience = TimeAmount.seconds(Int64(options.patience))
            let limits = Connections.Limits(
                all: options.connectionCount, admitted: options.connectionCount,
                strangersOfPeer: min(options.strangerCount, options.connectionCount))
            var settings = HTTPServer.Options(limits, patience: patience)
            settings.host = options.host
            settings.headers = policy(imageSources: options.imageSources)
            var socket = WebSocketHandler.Options(
                kind: .text, wrongKind: .protocolError, longestMessage: options.longestMessage)
            socket.longestBacklog = options.longestBacklog
            socket.patience = patience
            settings.socket = socket
            return settings
        }

        /// Returns the headers of every response. The page runs only its own script and style, loads images, and can't
        /// be framed by other pages.
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
            return Gate(key: options.key, ticket: options.ticket, names: names, allowsAddresses: isWildcard)
        }

        /// Stops listening, and closes all connections.
        package func stop() async {
            ticket.revoke()
            await server.stopListening()
            await disconnect()
        }

        /// Closes all connections.
        package func disconnect() async { await server.connections.closeAll() }
    }

    /// The reason a server failed.
    package struct ServerError: Error, CustomStringConvertible {
        package let description: String

        package init(description: String) { self.description = description }
    }
#endif
