// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server || Browser
    import HTTPServing
    import NIOCore

    package enum SocketEvent: Sendable, Equatable {
        case message(String)
        case closed
    }

    /// Can be used from any thread.
    package final class Socket: Sendable {
        private let handler: NIOLoopBound<WebSocketHandler>

        fileprivate init(_ handler: WebSocketHandler) {
            self.handler = NIOLoopBound(handler, eventLoop: handler.channel.eventLoop)
        }

        /// Messages of one thread are sent in order; messages sent after `close` are discarded.
        package func send(_ text: String) {
            handler.eventLoop.execute { [handler] in handler.value.send(ByteBuffer(string: text)) }
        }

        /// Closes the socket after the messages sent before.
        package func close() {
            handler.eventLoop.execute { [handler] in handler.value.close(.normalClosure) }
        }
    }

    /// Limits the number of messages per second. Its state is confined to the socket's event loop, hence the unchecked
    /// `Sendable`.
    final class SocketReceiver: WebSocketReceiver, @unchecked Sendable {
        private let connect: LoopbackServer.Connector
        private let messagesPerSecond: Int
        private var handler: WebSocketHandler?
        private var receive: (@Sendable (SocketEvent) -> Void)?
        private var waiting: [String] = []
        private var budget: Int
        private var isBudgetRunning = false

        init(_ options: LoopbackServer.Options, _ connect: @escaping LoopbackServer.Connector) {
            (self.connect, messagesPerSecond, budget) = (connect, options.messagesPerSecond, options.messagesPerSecond)
        }

        func didOpen(_ handler: WebSocketHandler) {
            self.handler = handler
            receive = connect(Socket(handler))
        }

        func didClose() {
            receive?(.closed)
            (receive, handler) = (nil, nil)
        }

        func receive(_ message: ByteBuffer) {
            let text = String(buffer: message)
            // The text differs from the bytes if the bytes aren't UTF-8. `String(validating:as:)` requires macOS 15.
            guard text.utf8.elementsEqual(message.readableBytesView) else {
                handler?.close(.dataInconsistentWithMessage)
                return
            }
            startBudget()
            guard budget > 0, waiting.isEmpty else {
                waiting.append(text)
                handler?.isPaused = true
                return
            }
            budget -= 1
            receive?(.message(text))
        }

        private func startBudget() {
            guard !isBudgetRunning, let handler else { return }
            isBudgetRunning = true
            handler.channel.eventLoop.scheduleTask(in: .seconds(1)) { [self] in renewBudget() }
        }

        private func renewBudget() {
            isBudgetRunning = false
            budget = messagesPerSecond
            let count = min(budget, waiting.count)
            if count > 0 { startBudget() }
            budget -= count
            for text in waiting.prefix(count) { receive?(.message(text)) }
            waiting.removeFirst(count)
            if waiting.isEmpty { handler?.isPaused = false }
        }
    }
#endif
