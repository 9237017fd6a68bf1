// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The time limits of a client's connection, in milliseconds (§2.10).
package struct ClientTimeLimits: Hashable, Sendable {
    /// How long a transport may take to open.
    package var connect: UInt64 = 120_000
    /// How long a connection has to live for earlier failures to be forgotten.
    package var settled: UInt64 = 60_000
    /// How often the server is asked whether it is there.
    package var ping: UInt64 = 60_000
    /// How long its answer may take.
    package var pong: UInt64 = 120_000
    /// How long a connection without sessions is kept.
    package var linger: UInt64 = 30_000

    package init() {}
}
