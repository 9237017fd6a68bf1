// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The time limits of a client's connection, in milliseconds (§2.10).
package struct ClientTimeLimits: Hashable, Sendable {
    package var connect: UInt64 = 120_000
    /// The duration of a connection after which the back-off is reset.
    package var settled: UInt64 = 60_000
    package var ping: UInt64 = 60_000
    package var pong: UInt64 = 120_000
    /// The time that a connection without sessions is kept open.
    package var linger: UInt64 = 30_000

    package init() {}
}
