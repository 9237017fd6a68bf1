// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server || Browser
    import NIOCore

    /// Adds the connections of a listening channel to its `Connections`, in the order in which they were accepted.
    ///
    /// The initializers of accepted channels run on several event loops, in any order: there, the newest connection
    /// could be closed for an older one.
    package final class AdmissionHandler: ChannelInboundHandler {
        package typealias InboundIn = any Channel
        package typealias InboundOut = any Channel

        private let connections: Connections
        private let peer: (any Channel) -> String?

        /// - Parameter peer: Returns the peer whose strangers are counted together; `nil` if the peer of a connection
        ///   represents many clients.
        package init(_ connections: Connections, peer: @escaping (any Channel) -> String?) {
            (self.connections, self.peer) = (connections, peer)
        }

        package func channelRead(context: ChannelHandlerContext, data: NIOAny) {
            let channel = unwrapInboundIn(data)
            guard connections.add(channel, peer: peer(channel)) else { return channel.close(promise: nil) }
            context.fireChannelRead(data)
        }
    }

    extension Connections {
        /// Returns the initializer of a listening channel that limits its connections.
        package func admission(
            peer: @escaping @Sendable (any Channel) -> String?
        ) -> @Sendable (any Channel) -> EventLoopFuture<Void> {
            { listener in
                listener.eventLoop.makeCompletedFuture {
                    try listener.pipeline.syncOperations.addHandler(AdmissionHandler(self, peer: peer))
                }
            }
        }
    }
#endif
