// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// The server's record of one client file (§4.5).
package struct ClientFile: Sendable {
    package let ident: UInt64
    package private(set) var clientVersion: UInt64
    /// The server version on which that version was based. The file has integrated all versions up to it.
    package private(set) var serverVersion: UInt64
    package private(set) var forms = ReciprocalForms()

    package init(ident: UInt64, clientVersion: UInt64 = 0, serverVersion: UInt64 = 0) {
        self.ident = ident
        self.clientVersion = clientVersion
        self.serverVersion = serverVersion
    }

    /// Whether the change was already integrated. Clients resend changes that weren't acknowledged.
    package func hasIntegrated(_ change: UploadedChange) -> Bool { change.clientVersion <= clientVersion }

    /// Merges a change with the server versions of other files that it isn't based on. Returns the changeset of the
    /// next server version.
    ///
    /// - Parameter later: The server versions after the one that the change is based on, in order.
    package mutating func integrate(
        _ change: UploadedChange, later: some Sequence<ServerVersion>
    ) throws(MergeError) -> Changeset {
        guard change.clientVersion > clientVersion, change.serverVersion >= serverVersion else {
            throw MergeError(
                """
                version \(change.clientVersion), based on server version \(change.serverVersion), follows version \
                \(clientVersion), based on \(serverVersion)
                """)
        }
        var versions: [(version: UInt64, original: MergeInput)] = []
        for entry in later where entry.order.fileIdent != ident && !entry.changeset.isEmpty {
            versions.append((entry.version, MergeInput(entry.changeset, entry.order)))
        }
        let merged = try forms.merge([MergeInput(change.changeset, change.order)], with: versions)
        clientVersion = change.clientVersion
        advance(serverVersion: change.serverVersion)
        return merged[0].changeset
    }

    /// Progress never decreases.
    package mutating func advance(clientVersion: UInt64, serverVersion: UInt64) {
        self.clientVersion = max(self.clientVersion, clientVersion)
        advance(serverVersion: serverVersion)
    }

    private mutating func advance(serverVersion: UInt64) {
        guard serverVersion > self.serverVersion else { return }
        self.serverVersion = serverVersion
        forms.forget(through: serverVersion)
    }
}
