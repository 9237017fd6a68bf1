// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Browser
    import Dispatch
    import Foundation
    import HTTPServing
    import LoopbackServer
    import RegnumUI

    @MainActor final class Windows {
        private let options: UIServer.Options
        private let make: (String?) -> Graph?
        private var windows: [Window] = []
        private var clock: (any DispatchSourceTimer)?

        init(_ options: UIServer.Options, _ make: @escaping (String?) -> Graph?) {
            (self.options, self.make) = (options, make)
        }

        var count: Int { windows.count }

        // MARK: Pages

        nonisolated func respond(to request: HTTPRequest) async -> HTTPResponse? {
            if let file = Files.response(to: request.path) { return file }
            let scene = "/scene/"
            if request.path == "/" { return await page(nil) }
            guard request.path.hasPrefix(scene) else { return nil }
            return await page(String(request.path.dropFirst(scene.count)).removingPercentEncoding)
        }

        /// Opens a window and returns its page, which is readable before any script has run.
        private func page(_ id: String?) -> HTTPResponse? {
            if windows.count >= options.sessionCount {
                // A reloaded page leaves its previous window without a connection.
                guard let left = windows.first(where: { $0.connection == nil }) else {
                    return .refusal(503, "There are too many windows. Close one and try again.")
                }
                end(left)
            }
            guard let graph = make(id) else { return nil }
            let window = Window(graph)
            windows.append(window)
            expire(window)
            startClock()
            let page = FirstPage(element: graph.element, key: window.key.text)
            return HTTPResponse(type: "text/html; charset=utf-8", Array(page.html.utf8))
        }

        // MARK: Connections

        nonisolated func connect(_ socket: Socket) -> @Sendable (SocketEvent) -> Void {
            let connection = Connection(socket)
            return { event in
                let message: Result<ClientMessage?, any Error>? =
                    if case .message(let text) = event { Result { try ClientMessage.decode(text) } } else { nil }
                DispatchQueue.main.async {
                    MainActor.assumeIsolated { self.take(message, from: connection) }
                }
            }
        }

        /// `nil` is the end of the connection.
        private func take(_ message: Result<ClientMessage?, any Error>?, from connection: Connection) {
            switch message {
            case nil: leave(connection)
            case .success(.hello(let key, let session, let seen, let facts)):
                enter(connection, key, .hello(key: "", session: session, seen: seen, facts))
            case .success(let message?):
                guard let window = connection.window else { return connection.end("protocol") }
                window.session.receive(message)
            case .success(nil): break
            case .failure:
                leave(connection)
                connection.end("protocol")
            }
        }

        private func enter(_ connection: Connection, _ key: String, _ hello: ClientMessage) {
            guard let window = windows.first(where: { $0.key.matches(key) }) else { return connection.end("expired") }
            if let other = window.connection, other !== connection {
                other.window = nil
                other.end("replaced")
            }
            (window.connection, connection.window) = (connection, window)
            window.session.send = { connection.send($0) }
            window.session.receive(hello)
        }

        private func leave(_ connection: Connection) {
            guard let window = connection.window else { return }
            connection.window = nil
            window.connection = nil
            window.session.send = nil
            expire(window)
        }

        // MARK: Closing windows

        private func expire(_ window: Window) {
            window.waitCount += 1
            let (count, timeout) = (window.waitCount, options.sessionTimeout)
            let seconds = Double(timeout.components.seconds) + Double(timeout.components.attoseconds) / 1e18
            DispatchQueue.main.asyncAfter(deadline: .now() + seconds) { [weak self, weak window] in
                MainActor.assumeIsolated {
                    guard let window, window.connection == nil, window.waitCount == count else { return }
                    self?.end(window)
                }
            }
        }

        private func end(_ window: Window) {
            windows.removeAll { $0 === window }
            window.graph.close()
            if windows.isEmpty {
                clock?.cancel()
                clock = nil
            }
        }

        func stop() {
            for window in windows {
                window.connection?.end("stopping")
                window.connection?.window = nil
                end(window)
            }
        }

        private func startClock() {
            guard clock == nil else { return }
            let timer = DispatchSource.makeTimerSource(queue: .main)
            timer.schedule(deadline: .now() + 1, repeating: 1, leeway: .milliseconds(100))
            timer.setEventHandler { [weak self] in
                MainActor.assumeIsolated {
                    for window in self?.windows ?? [] where window.graph.isTicking { window.graph.showTime() }
                }
            }
            timer.resume()
            clock = timer
        }
    }

    @MainActor private final class Window {
        /// A secret shared only with the window's page.
        let key = ServerKey()
        let graph: Graph
        let session: Session
        var connection: Connection?
        /// The number of times that the window has started to wait for a connection.
        var waitCount = 0

        init(_ graph: Graph) {
            self.graph = graph
            session = Session(id: String(key.text.suffix(8)), graph: graph)
        }
    }

    @MainActor private final class Connection {
        private let socket: Socket
        var window: Window?

        nonisolated init(_ socket: Socket) { self.socket = socket }

        func send(_ message: HostMessage) {
            // Encoding fails only for a number that JSON can't represent.
            guard let text = try? message.encoded() else { return end("protocol") }
            socket.send(text)
        }

        func end(_ reason: String) {
            send(.bye(why: reason))
            socket.close()
        }
    }
#endif
