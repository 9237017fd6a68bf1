// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSync
import RealmSyncCore
import RealmTestSupport
import SyncTestSupport
import Testing

/// A client file with pending changes, and a fresh copy of the server's state. Both begin with the same change.
final class ResetFiles {
    let local: ClientDatabase
    let fresh: ClientDatabase

    /// - Parameters:
    /// - own: The pending changesets of the client, one for each commit.
    /// - server: The concurrent changes of others.
    init(_ base: Changeset, own: [Changeset] = [], server: [Changeset] = []) throws {
        (local, fresh) = (try ClientDatabase(), try ClientDatabase())
        try Self.download([base], SaltedIdent(ident: 3, salt: 33), local)
        for changeset in own {
            try local.database.write { try ChangesetApplier($0, isRecorded: true).apply(changeset) }
        }
        try Self.download([base] + server, SaltedIdent(ident: 4, salt: 44), fresh)
    }

    private static func download(_ changesets: [Changeset], _ file: SaltedIdent, _ client: ClientDatabase) throws {
        let store = FileClientStore(client.database)
        try store.assign(file)
        let changes = changesets.enumerated().map { index, changeset in
            DownloadedChange(
                serverVersion: UInt64(index + 1), clientVersion: 0,
                order: ChangeOrder(timestamp: UInt64(index + 1), fileIdent: 9), changeset: changeset)
        }
        let version = UInt64(changesets.count)
        try store.integrate(
            changes,
            ClientProgress(
                download: DownloadCursor(serverVersion: version), latest: SaltedVersion(version: version, salt: 5)),
            downloadableBytes: 0)
    }

    func uploads() throws -> [ClientMessage.Upload.Entry] { try local.history().uploads(after: 0, limit: .max).entries }

    /// Resets the file, and verifies the invariants of every reset. Returns the recovered changes.
    @discardableResult
    func reset(
        _ mode: ClientResetMode, isRecoveryAllowed: Bool = true, mayDiscard: Bool = false,
        cause: ClientResetCause = ClientResetCause()
    ) throws -> [Changeset] {
        let versions = try uploads().map(\.clientVersion)
        let outcome = try ClientReset(local: local.database, fresh: fresh.database).run(
            mode, isRecoveryAllowed: isRecoveryAllowed, mayDiscard: mayDiscard, cause: cause)
        try requireEqual(try ClientResetRecord.pending(in: local.database)?.mode, outcome.mode, "the mode")
        let uploads = try uploads()
        try require(Set(versions).isSuperset(of: uploads.map(\.clientVersion)), "other client versions")
        let (state, copy) = (FileClientStore(local.database).state, FileClientStore(fresh.database).state)
        try requireEqual(state.file, copy.file, "the ident")
        try requireEqual(state.progress.download, copy.progress.download, "the download cursor")
        try requireEqual(state.progress.latest, copy.progress.latest, "the latest version")
        for entry in uploads {
            try requireEqual(entry.serverVersion, copy.progress.download.serverVersion, "the base")
        }
        // Applying the uploads to the copy's state gives the state of the file.
        let made = try uploads.map { try Changeset(decoding: $0.changeset) }
        var model = try fresh.state()
        for changeset in made { try withTrace("\(changeset)") { try model.apply(changeset) } }
        try requireEqual(try local.state(), model, "the state")
        if outcome.mode == .discard { try requireEqual(made, [], "what was made again") }
        for client in [local, fresh] { try FileAudit.requireClean(path: client.path) }
        return made
    }
}
