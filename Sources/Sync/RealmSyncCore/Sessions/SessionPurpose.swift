// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The purpose of a session with subscriptions, stated in `bind` in place of a partition (§2.5).
package enum SessionPurpose: Int, Hashable, Sendable {
    case ordinary = 0
    /// Downloads a copy of the server's state for a client reset, or completes the reset.
    case clientReset = 1

    package func path(schemaVersion: UInt64 = 0) -> String {
        let json: JSON = ["schemaVersion": .int(schemaVersion), "sessionReason": .int(rawValue)]
        return json.description
    }
}
