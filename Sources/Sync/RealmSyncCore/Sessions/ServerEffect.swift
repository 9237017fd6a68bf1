// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// What a `SyncServer` wants done, in this order, and not before the partitions have made durable what was written.
package enum ServerEffect: Hashable, Sendable {
    /// Send a message, which `didSend` answers as soon as the next one can be taken.
    case send(connection: UInt64, [UInt8])
    /// Drop a connection after what was sent. It is forgotten already.
    case close(connection: UInt64)
    /// Call `fireSilence` after so many milliseconds, in place of what was set for this connection before.
    case setTimer(connection: UInt64, milliseconds: UInt64)
    /// Run an integration on another thread, and call `SyncServer.finish`. Its partition is busy until then.
    case integrate(UploadIntegration)
    /// A client could not take what it was sent, or broke the protocol.
    case log(connection: UInt64, String)
}

/// What a server lets clients do.
package struct ServerLimits: Hashable, Sendable {
    /// The greatest message, before and after it was inflated.
    package var message = Wire.greatestBody
    package var sessionsPerConnection = 1000
    /// A download ends with the change that crosses this.
    package var download = 128 << 10
    /// A connection that says nothing for so many milliseconds is dropped: clients ping each minute.
    package var silence: UInt64 = 600_000

    package init() {}
}
