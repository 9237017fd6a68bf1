// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Browser
    import Dispatch
    import Foundation
    import LoopbackServer
    import RegnumUI

    /// A server that shows an app in browsers. Each tab is a window of the app.
    ///
    /// Views, their state, and the Realms of the main actor are used only on the main actor; sockets have their own
    /// threads. By default, a browser must first open the printed address, which contains a key.
    @MainActor public final class UIServer {
        /// The settings of a UI server.
        public struct Options: Sendable {
            /// The address to listen on, by default the loopback address. Other machines can reach any other address,
            /// without encryption.
            public var host = "127.0.0.1"
            /// The port. `nil` is 8080, or the next free port; 0 is any free port.
            public var port: Int?
            /// A Boolean value that indicates whether the server requires the key of the printed address.
            public var needsKey = true
            /// A Boolean value that indicates whether the server opens the address in the user's browser.
            public var opensBrowser = false
            /// The hosts whose images `AsyncImage` can load over HTTPS. `nil` allows all hosts.
            public var imageHosts: [String]?
            /// The time for which the server retains a window without a connection.
            public var sessionTimeout: Duration = .seconds(60)
            /// The maximum number of windows.
            public var sessionCount = 100

            /// Creates the default options.
            public init() {}
        }

        /// An error that prevents the server from starting.
        public struct Failure: Error, CustomStringConvertible {
            /// The cause of the error and its remedy.
            public let description: String
        }

        private let options: Options
        private let windows: Windows
        private var server: LoopbackServer?
        private var waiting: [CheckedContinuation<Void, Never>] = []

        /// Creates a server that shows an app. Call `run()` or `start()` to start it.
        public init<A: App>(_ app: A, options: Options = Options()) {
            self.options = options
            let shared = SharedSlots()
            windows = Windows(options) { id in
                if let id, !app.hasWindow(id) { return nil }
                return Graph(AppView(app, id: id, shared: shared), size: CGSize(width: 390, height: 844))
            }
        }

        package var windowCount: Int { windows.count }

        /// Starts the server and returns the address to open.
        ///
        /// - Throws: `Failure` if the server can't listen on the port.
        @discardableResult public func start() async throws -> String {
            try await start(key: options.needsKey ? ServerKey() : nil)
        }

        package func start(key: ServerKey?) async throws -> String {
            var settings = LoopbackServer.Options()
            (settings.host, settings.port, settings.key) = (options.host, options.port, key)
            if let hosts = options.imageHosts { settings.imageSources = hosts.map { "https://" + $0 } }
            let windows = windows
            do {
                let server = try await LoopbackServer.start(
                    settings, respond: { await windows.respond(to: $0) }, connect: { windows.connect($0) })
                self.server = server
                return server.address
            } catch {
                throw Failure(
                    description: "The page cannot be served on \(options.host): \(error). Choose another --port.")
            }
        }

        /// Closes all connections, as a network failure would.
        package func disconnect() async { await server?.disconnect() }

        /// Notifies all tabs, closes their windows, and stops the server.
        public func stop() async {
            windows.stop()
            await server?.stop()
            server = nil
            for continuation in waiting { continuation.resume() }
            waiting = []
        }

        /// Starts the server, prints the address to open, and waits until `stop()` is called or the process receives
        /// SIGINT or SIGTERM.
        ///
        /// - Throws: `Failure` if the server can't listen on the port.
        public func run() async throws {
            let address = try await start()
            print(address)
            if let warning = LoopbackServer.warning(about: options.host) { print(warning) }
            // Output to a pipe is buffered.
            fflush(nil)
            if options.opensBrowser { server?.openInBrowser() }
            let signals = [SIGINT, SIGTERM].map { number in
                signal(number, SIG_IGN)
                let source = DispatchSource.makeSignalSource(signal: number, queue: .main)
                source.setEventHandler { [weak self] in
                    MainActor.assumeIsolated { self?.stopSoon() }
                }
                source.resume()
                return source
            }
            await withCheckedContinuation { waiting.append($0) }
            for source in signals { source.cancel() }
        }

        private func stopSoon() {
            Task { await stop() }
        }
    }

    extension UIServer.Options {
        /// Creates options from the arguments `--port`, `--host`, `--no-key`, and `--open`, and the environment
        /// variables `REGNUM_UI_PORT` and `REGNUM_UI_HOST`. Arguments take precedence, and unknown ones are ignored.
        public init(arguments: [String], environment: [String: String]) {
            self.init()
            if let host = environment["REGNUM_UI_HOST"] { self.host = host }
            if let port = environment["REGNUM_UI_PORT"].flatMap({ Int($0) }) { self.port = port }
            for (index, argument) in arguments.enumerated() {
                let next = index + 1 < arguments.count ? arguments[index + 1] : nil
                switch argument {
                case "--host": host = next ?? host
                case "--port": port = next.flatMap { Int($0) } ?? port
                case "--no-key": needsKey = false
                case "--open": opensBrowser = true
                default: break
                }
            }
        }
    }

    extension App {
        /// Shows the app in browsers: prints the address to open, and serves it until the process receives SIGINT or
        /// SIGTERM.
        public static func main() {
            let options = UIServer.Options(
                arguments: CommandLine.arguments, environment: ProcessInfo.processInfo.environment)
            let server = UIServer(Self(), options: options)
            Task {
                do {
                    try await server.run()
                    exit(0)
                } catch {
                    FileHandle.standardError.write(Data("\(error)\n".utf8))
                    exit(1)
                }
            }
            RunLoop.main.run()
        }
    }
#else
    import RegnumUI

    extension App {
        /// Shows the app in browsers. Requires the trait `Browser`.
        @available(*, unavailable, message: "Enable the trait 'Browser' of Regnum to show a program in a browser.")
        public static func main() { preconditionFailure("Enable the trait 'Browser' of Regnum.") }
    }
#endif
