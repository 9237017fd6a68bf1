// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore

/// A client file without content. Its own changes are the recorded ones.
package final class ScriptedClientFile: ClientStore {
    package var state: ClientFileState
    package var changes: [ClientMessage.Upload.Entry] = []
    package var refusesChanges = false
    package var refusesBootstraps = false
    package var activeQuery = VersionedQuery(version: 0, text: "{}")
    package var pendingQueries: [PendingQuery] = []
    package var awaitsMark = false
    package var holdsUploads = false
    package var bootstrapParts: [BootstrapPart] = []

    package init(_ state: ClientFileState) { self.state = state }

    package func assign(_ file: SaltedIdent) {
        state = ClientFileState(file: file, progress: ClientProgress(), newestVersion: 1)
    }

    package func integrate(
        _ changes: [DownloadedChange], _ progress: ClientProgress, downloadableBytes: UInt64
    ) throws(SessionError) {
        if refusesChanges, !changes.isEmpty { throw SessionError(.badChangeset, "scripted") }
        state.progress = progress
    }

    package func uploads(after version: UInt64, limit: Int) -> UploadBatch {
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
