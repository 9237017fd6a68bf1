// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// A client file without content: its own changes are those that a recording shows.
final class ScriptedClientFile: ClientStore {
    var state: ClientFileState
    var changes: [ClientMessage.Upload.Entry] = []
    /// Whether changes of others cannot be applied.
    var refusesChanges = false

    init(_ state: ClientFileState) { self.state = state }

    func assign(_ file: SaltedIdent) {
        state = ClientFileState(file: file, progress: ClientProgress(), newestVersion: 1)
    }

    func integrate(
        _ changes: [DownloadedChange], _ progress: ClientProgress, downloadableBytes: UInt64
    ) throws(SessionError) {
        if refusesChanges, !changes.isEmpty { throw SessionError(.badChangeset, "scripted") }
        state.progress = progress
    }

    func uploads(after version: UInt64, limit: Int) -> UploadBatch {
        var batch = UploadBatch(entries: [], isComplete: true)
        var size = 0
        for change in changes where change.clientVersion > version {
            if size > limit {
                batch.isComplete = false
                break
            }
            size += change.changeset.count
            batch.entries.append(change)
        }
        return batch
    }
}
