// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server || Browser
    import NIOCore

    /// Closes a connection whose client takes too long for a whole request, for the pause between two, or for reading
    /// an answer. A byte now and then doesn't prolong any of these.
    ///
    /// Its place is before the handlers of HTTP. The handler that answers requests calls it on the event loop.
    package final class RequestClock: ChannelInboundHandler, RemovableChannelHandler {
        package typealias InboundIn = ByteBuffer
        package typealias InboundOut = ByteBuffer

        package static let name = "clock"

        private enum Phase {
            /// Between two requests.
            case idle
            case receiving
            /// The server's turn, which has no limit here.
            case answering
            case sending
        }

        private let channel: any Channel
        private let connections: Connections
        private let patience: TimeAmount
        private var phase = Phase.receiving
        private var deadline = NIODeadline.distantFuture
        private var timer: Scheduled<Void>?

        package init(_ channel: any Channel, _ connections: Connections, patience: TimeAmount) {
            (self.channel, self.connections, self.patience) = (channel, connections, patience)
        }

        package func handlerAdded(context: ChannelHandlerContext) { setDeadline() }

        package func handlerRemoved(context: ChannelHandlerContext) {
            timer?.cancel()
            timer = nil
        }

        package func channelInactive(context: ChannelHandlerContext) {
            timer?.cancel()
            timer = nil
            context.fireChannelInactive()
        }

        package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if phase == .idle { enter(.receiving) }
            context.fireChannelRead(data)
        }

        /// The head of a request is there, or the pause before it is over.
        package func beginRequest() { enter(.receiving) }

        /// A whole request is there.
        package func beginAnswer() { enter(.answering) }

        /// The client has to take what is written now.
        package func beginSending() { enter(.sending) }

        /// The client has taken the answer.
        package func endAnswer() { enter(.idle) }

        private func enter(_ next: Phase) {
            guard next != phase || next == .sending else { return }
            phase = next
            connections.setWaiting(channel, next != .answering)
            setDeadline()
        }

        private func setDeadline() {
            deadline = phase == .answering ? .distantFuture : .now() + patience
            if timer == nil, phase != .answering { startTimer() }
        }

        /// The deadline moves with each phase; the task looks at it only when it is over.
        private func startTimer() {
            timer = channel.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { [self] in
                timer = nil
                if deadline <= .now() { return channel.close(promise: nil) }
                if phase != .answering { startTimer() }
            }
        }
    }
#endif
