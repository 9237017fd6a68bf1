// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin)
    import Foundation
    import RealmSyncCore

    struct URLSessionWebSocketTransport: WebSocketTransport {
        func open(
            _ request: WebSocketRequest, _ handle: @escaping @Sendable (WebSocketEvent) -> Void
        ) -> any WebSocket {
            URLSessionWebSocket(request, handle)
        }
    }

    /// One WebSocket. `state` is guarded by `lock`; all else is immutable.
    private final class URLSessionWebSocket: NSObject, WebSocket, URLSessionWebSocketDelegate, @unchecked Sendable {
        private struct State {
            var session: URLSession?
            var task: URLSessionWebSocketTask?
            var hasEnded = false
        }

        private let lock = NSLock()
        private var state = State()
        private let handle: @Sendable (WebSocketEvent) -> Void

        init(_ request: WebSocketRequest, _ handle: @escaping @Sendable (WebSocketEvent) -> Void) {
            self.handle = handle
            super.init()
            if let url = URL(string: request.url) {
                begin(request, url)
            } else {
                end(.lost(reason: "'\(request.url.prefix { $0 != "?" })' isn't a WebSocket URL"))
            }
        }

        private func begin(_ request: WebSocketRequest, _ url: URL) {
            var upgrade = URLRequest(url: url)
            for header in request.headers { upgrade.setValue(header.value, forHTTPHeaderField: header.name) }
            if !request.protocols.isEmpty {
                upgrade.setValue(
                    request.protocols.joined(separator: ", "), forHTTPHeaderField: "Sec-WebSocket-Protocol")
            }
            // A serial queue delivers the events in order.
            let queue = OperationQueue()
            queue.maxConcurrentOperationCount = 1
            let session = URLSession(configuration: .default, delegate: self, delegateQueue: queue)
            let task = session.webSocketTask(with: upgrade)
            task.maximumMessageSize = Wire.maxBody
            lock.withLock {
                state.session = session
                state.task = task
            }
            task.resume()
        }

        func send(_ message: [UInt8], _ completion: @escaping @Sendable () -> Void) {
            guard let task = lock.withLock({ state.task }) else { return }
            task.send(.data(Data(message))) { error in if error == nil { completion() } }
        }

        func close() {
            let session = lock.withLock { state.session }
            session?.invalidateAndCancel()
        }

        private func end(_ reason: WebSocketEnd) {
            let session = lock.withLock { () -> (isFirst: Bool, session: URLSession?) in
                defer { state = State(hasEnded: true) }
                return (!state.hasEnded, state.session)
            }
            // Otherwise the session retains this delegate forever.
            session.session?.invalidateAndCancel()
            if session.isFirst { handle(.closed(reason)) }
        }

        private func receive(_ task: URLSessionWebSocketTask) {
            task.receive { [weak self] result in
                guard let self else { return }
                switch result {
                case .success(.data(let data)): handle(.message(Array(data)))
                case .success: end(.lost(reason: "the server sent a message of text"))
                case .failure: return
                }
                receive(task)
            }
        }

        func urlSession(
            _ session: URLSession, webSocketTask: URLSessionWebSocketTask, didOpenWithProtocol protocol: String?
        ) {
            handle(.opened(protocolName: `protocol`))
            receive(webSocketTask)
        }

        func urlSession(
            _ session: URLSession, webSocketTask: URLSessionWebSocketTask,
            didCloseWith closeCode: URLSessionWebSocketTask.CloseCode, reason: Data?
        ) {
            end(.closed(code: closeCode.rawValue))
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            if let status = (task.response as? HTTPURLResponse)?.statusCode, status != 101 {
                return end(.refused(status: status))
            }
            guard let error = error as? URLError else {
                return end(.lost(reason: error.map { "\($0)" } ?? "the connection was lost"))
            }
            switch error.code {
            case .secureConnectionFailed, .serverCertificateUntrusted, .serverCertificateHasBadDate,
                .serverCertificateHasUnknownRoot, .serverCertificateNotYetValid:
                end(.untrusted(reason: error.localizedDescription))
            default: end(.lost(reason: error.localizedDescription))
            }
        }
    }
#endif
