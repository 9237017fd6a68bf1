// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Browser
    import Dispatch
    import Foundation
    import LoopbackServer
    import RegnumUI

    /// Shows a program in browsers: each tab is a window of it.
    ///
    /// Views, their state and the Realms of the main actor are used on the main actor alone; sockets have threads of
    /// their own. Only a browser that opens the address with the key gets anything.
    @MainActor public final class UIServer {
        /// How a program is served.
        public struct Options: Sendable {
            /// The address to listen on. Another than the loopback address lets other machines in, without encryption.
            public var host = "127.0.0.1"
            /// The port; nil for 8080 or the next free one, 0 for any.
            public var port: Int?
            /// Whether only a browser with the key of the printed address gets in.
            public var needsKey = true
            /// Whether the user's browser is told to open the address.
            public var opensBrowser = false
            /// The hosts whose pictures `AsyncImage` may show; nil for all that speak https.
            public var imageHosts: [String]?
            /// How long a window without a connection is kept.
            public var sessionTimeout: Duration = .seconds(60)
            /// How many windows there may be.
            public var sessionCount = 100

            /// Makes the usual options.
            public init() {}
        }

        /// Why a program cannot be served.
        public struct Failure: Error, CustomStringConvertible {
            /// What is wrong, and what to do.
            public let description: String
        }

        private let options: Options
        private let windows: Windows
        private var server: LoopbackServer?
        private var waiting: [CheckedContinuation<Void, Never>] = []

        /// Makes the server of a program.
        public init<A: App>(_ app: A, options: Options = Options()) {
            self.options = options
            let shared = SharedSlots()
            windows = Windows(options) { id in
                if let id, !app.hasWindow(id) { return nil }
                return Graph(AppView(app, id: id, shared: shared), size: CGSize(width: 390, height: 844))
            }
        }

        /// The windows that there are, for tests.
        package var windowCount: Int { windows.count }

        /// Starts to listen, and returns the address to open.
        /// - Throws: why the port cannot be listened on.
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

        /// Cuts all connections, as a network would.
        package func disconnect() async { await server?.disconnect() }

        /// Says so to every tab, and ends all windows.
        public func stop() async {
            windows.stop()
            await server?.stop()
            server = nil
            for continuation in waiting { continuation.resume() }
            waiting = []
        }

        /// Serves until the process is told to end, and prints the address.
        /// - Throws: why the port cannot be listened on.
        public func run() async throws {
            let address = try await start()
            print(address)
            if let warning = LoopbackServer.warning(about: options.host) { print(warning) }
            // A line that is printed to a pipe must not wait for others.
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
        /// Reads `--port`, `--host`, `--no-key` and `--open`, and what the environment says instead. Other arguments
        /// are the program's own.
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
        /// Shows the program in the browser: prints the address to open, and serves until the process is told to end.
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
        /// Shows the program in the browser.
        @available(*, unavailable, message: "Enable the trait 'Browser' of Regnum to show a program in a browser.")
        public static func main() { preconditionFailure("Enable the trait 'Browser' of Regnum.") }
    }
#endif
