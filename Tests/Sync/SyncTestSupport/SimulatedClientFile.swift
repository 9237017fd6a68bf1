// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import RealmTestSupport

/// A client file in memory: the written state, and the part of it that survives a crash.
package final class SimulatedClientFile: SimulatedFile {
    private struct Content {
        var file: SaltedIdent?
        var progress = ClientProgress()
        var history = ClientHistory(ident: 0)
        var model = SyncModel()
    }

    private var written = Content()
    private var durable = Content()
    package private(set) var faults: [String] = []

    package init() {}

    package var model: SyncModel { written.model }

    package var state: ClientFileState {
        ClientFileState(
            file: durable.file, progress: durable.progress, newestVersion: durable.history.newestVersion)
    }

    package var isUploaded: Bool { durable.history.uploads(after: durable.progress.upload.clientVersion).isEmpty }

    // MARK: Application

    @discardableResult
    package func commit(_ changeset: Changeset, timestamp: UInt64) throws -> Changeset {
        try written.model.apply(changeset)
        written.history.commit(changeset, timestamp: timestamp)
        return changeset
    }

    package func sync() { durable = written }

    package func crash() { written = durable }

    package func close() {}

    // MARK: Session

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

    package func reset(
        to other: any SimulatedFile, discarding: Bool, _ recovered: (Changeset, SyncModel) -> Void
    ) throws {
        guard let fresh = other as? SimulatedClientFile else { throw Failure("a reset to a file of another kind") }
        let old = written.history
        let own = discarding ? [] : old.uploads(after: written.progress.upload.clientVersion)
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
