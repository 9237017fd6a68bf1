// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// An action that a `SyncServer` requests. Execute the actions in order, once all changes of the partitions are
/// durable.
package enum ServerEffect: Hashable, Sendable {
    /// Send a message, then call `didSend` as soon as the transport can accept the next one.
    case send(connection: UInt64, [UInt8])
    /// Close a connection after its messages were sent. Its state is already removed.
    case close(connection: UInt64)
    /// Call `fireSilence` after this time. Replaces the connection's earlier timer.
    case setTimer(connection: UInt64, milliseconds: UInt64)
    /// Run an integration on another thread, then call `SyncServer.finish`. Its partition is busy until then.
    case integrate(UploadIntegration)
    /// The client of a session gets an error. It isn't that of a connection, which is logged.
    case sessionError(connection: UInt64, code: Int)
    /// A client couldn't process a message, or violated the protocol.
    case log(connection: UInt64, String)
}

package struct ServerLimits: Hashable, Sendable {
    /// The maximum size of a message, compressed or not.
    package var message = Wire.maxBody
    package var sessionsPerConnection = 1000
    /// The size limit of a download, in bytes. A download ends with the change that exceeds it.
    package var download = 128 << 10
    /// The number of milliseconds without a message after which a connection is dropped. Clients ping each minute.
    package var silence: UInt64 = 600_000
    /// The number of connections that are asked for messages in a round, after a change that concerns more. Nil for all
    /// at once.
    package var round: Int?

    package init() {}
}
