// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import RealmTestSupport

/// A client file in memory: what was written, and what of it would be there after a crash.
package final class SimulatedClientFile: ClientStore {
    private struct Content {
        var file: SaltedIdent?
        var progress = ClientProgress()
        var history = ClientHistory(ident: 0)
        var model = SyncModel()
    }

    private var written = Content()
    private var durable = Content()
    /// What went wrong when changes of others were applied. Sessions report it to the server too.
    package private(set) var faults: [String] = []

    package init() {}

    package var model: SyncModel { written.model }

    package var state: ClientFileState {
        ClientFileState(
            file: durable.file, progress: durable.progress, newestVersion: durable.history.newestVersion)
    }

    /// Whether the server has everything that is durable here.
    package var isUploaded: Bool { durable.history.uploads(after: durable.progress.upload.clientVersion).isEmpty }

    // MARK: The application

    /// Commits a change. It is not durable before `sync`, or before changes of others are integrated.
    package func commit(_ changeset: Changeset, timestamp: UInt64) throws {
        try written.model.apply(changeset)
        written.history.commit(changeset, timestamp: timestamp)
    }

    package func sync() { durable = written }

    /// Loses what is not durable.
    package func crash() { written = durable }

    // MARK: The session

    package func assign(_ file: SaltedIdent) throws(SessionError) {
        written.file = file
        written.history.ident = file.ident
        sync()
    }

    package func integrate(
        _ changes: [DownloadedChange], _ progress: ClientProgress, downloadableBytes: UInt64
    ) throws(SessionError) {
        var content = written
        do {
            let applied = try content.history.integrate(changes, through: progress.download.serverVersion)
            for changeset in applied { try content.model.apply(changeset) }
        } catch {
            faults.append("\(error)")
            throw SessionError(.badChangeset, "\(error)")
        }
        content.progress = progress
        content.history.acknowledge(progress.upload.clientVersion)
        content.history.trim(through: progress.download.clientVersion)
        written = content
        sync()
    }

    package func uploads(after version: UInt64, limit: Int) -> UploadBatch {
        var entries: [ClientMessage.Upload.Entry] = []
        var size = 0
        for change in durable.history.uploads(after: version) {
            guard size <= limit else { return UploadBatch(entries: entries, isComplete: false) }
            let bytes = change.changeset.encoded()
            size += bytes.count
            entries.append(
                ClientMessage.Upload.Entry(
                    clientVersion: change.clientVersion, serverVersion: change.serverVersion,
                    timestamp: change.order.timestamp, changeset: bytes))
        }
        return UploadBatch(entries: entries, isComplete: true)
    }

    // MARK: Resets

    /// Becomes what `fresh` is, with its own changes that the server does not have made again on top (§7.2, §7.3). All of
    /// it in one commit.
    ///
    /// - Parameter recovered: is told of each change that is made again, and whether `fresh` had it already.
    package func reset(to fresh: SimulatedClientFile, _ recovered: (Changeset, SyncModel) -> Void) throws {
        let old = written.history
        let own = old.uploads(after: written.progress.upload.clientVersion)
        var content = fresh.durable
        let base = own.first.map { $0.clientVersion - 1 } ?? old.newestVersion
        var history = ClientHistory(
            ident: content.history.ident, baseVersion: base, serverVersion: content.progress.download.serverVersion)
        var changes = own[...]
        for version in base + 1..<old.newestVersion + 1 {
            guard let change = changes.first, change.clientVersion == version else {
                history.commit(Changeset(), timestamp: 0)
                continue
            }
            changes.removeFirst()
            let form = old.forms[version] ?? change.changeset
            let made = Recovery.made(form, again: &content.model)
            recovered(made, fresh.durable.model)
            history.commit(made, timestamp: change.order.timestamp)
        }
        history.commit(Changeset(), timestamp: 0)
        content.history = history
        content.progress = ClientProgress(
            download: DownloadCursor(serverVersion: content.progress.download.serverVersion),
            latest: content.progress.latest)
        written = content
        sync()
    }
}
