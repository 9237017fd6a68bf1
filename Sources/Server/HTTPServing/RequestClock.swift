// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server || Browser
    import NIOCore

    /// Closes a connection whose client takes too long to send a whole request, to start the next one, or to read a
    /// response. Single bytes don't extend the time limit.
    ///
    /// The handler must precede the HTTP handlers. The handler that responds to requests calls it on the event loop.
    package final class RequestClock: ChannelInboundHandler, RemovableChannelHandler {
        package typealias InboundIn = ByteBuffer
        package typealias InboundOut = ByteBuffer

        private enum Phase {
            case idle
            case receiving
            /// Has no time limit here.
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

        package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            if phase == .idle { enter(.receiving) }
            context.fireChannelRead(data)
        }

        /// Call this when the head of a request is received.
        package func beginRequest() { enter(.receiving) }

        /// Call this when a whole request is received.
        package func beginAnswer() { enter(.answering) }

        /// Call this before a response is written.
        package func beginSending() { enter(.sending) }

        /// Call this when the client has read the response.
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

        /// The deadline moves with each phase, so the task checks it at the deadline for which it was scheduled.
        private func startTimer() {
            timer = channel.eventLoop.assumeIsolated().scheduleTask(deadline: deadline) { [self] in
                timer = nil
                if deadline <= .now() { return channel.close(promise: nil) }
                if phase != .answering { startTimer() }
            }
        }
    }
#endif
