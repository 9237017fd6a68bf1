// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The purpose of a session with subscriptions (§2.5).
package enum SessionPurpose: Int, Hashable, Sendable {
    case ordinary = 0
    /// Downloads a copy of the server's state for a client reset, or completes the reset.
    case clientReset = 1

    package func path(schemaVersion: UInt64 = 0, migratedPartition: String? = nil) -> String {
        FlexibleBind(purpose: self, schemaVersion: schemaVersion, migratedPartition: migratedPartition).path
    }
}

/// The JSON that a client with subscriptions states in `bind` in place of a partition (§2.5).
package struct FlexibleBind: Sendable {
    package var purpose = SessionPurpose.ordinary
    package var schemaVersion: UInt64 = 0
    /// The partition of a file that was moved to subscriptions, as its `bind` named it (§5.8).
    package var migratedPartition: String?
}

extension FlexibleBind {
    /// Returns `nil` if the text isn't that of a client. Clients older than version 8 state nothing.
    package init?(path: String) {
        self.init()
        if path.isEmpty { return }
        guard let json = try? JSON(parsing: path), json.members != nil else { return nil }
        if let number = json["sessionReason"] {
            // Other purposes have no effect on the server.
            purpose = number.integer().flatMap(SessionPurpose.init) ?? .ordinary
        }
        if let number = json["schemaVersion"] {
            guard let version: UInt64 = number.integer() else { return nil }
            schemaVersion = version
        }
        migratedPartition = json["migratedPartition"]?.text
    }

    package var path: String {
        let json: JSON = ["schemaVersion": .int(schemaVersion), "sessionReason": .int(purpose.rawValue)]
        guard let migratedPartition else { return json.description }
        let member = JSON.Member("migratedPartition", .string(migratedPartition))
        return JSON.object([member] + (json.members ?? [])).description
    }
}
