// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A holder of a version, which prevents the reuse of its space.
package struct VersionPin: Sendable {
    package let record: VersionRecord
    package let label: String
    /// Nanoseconds since 1970.
    package let since: Int64
    /// False for the base of a write, which needs no slot: no other process writes meanwhile.
    let isShared: Bool
    package var version: UInt64 { record.version }
}
