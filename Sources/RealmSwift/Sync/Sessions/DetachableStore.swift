// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSync
import RealmSyncCore

/// The store of a session, which lets go of its file when that is closed: the session itself stays until the server
/// knows of its end. Belongs to the queue of the connection.
final class DetachableStore: ClientStore {
    private var store: FileClientStore?
    private var lastState = ClientFileState(file: nil, progress: ClientProgress(), newestVersion: 0)
    private var wasUploaded = false

    init(_ store: FileClientStore) { self.store = store }

    /// Lets go of the file.
    func detach() {
        lastState = state
        wasUploaded = isUploaded(through: .max)
        store = nil
    }

    var state: ClientFileState { store?.state ?? lastState }

    /// Why the file could not be read the last time.
    var failure: (any Error)? { store?.failure }

    var transfer: TransferProgress { store?.transfer ?? TransferProgress() }

    func isUploaded(through version: UInt64) -> Bool { store?.isUploaded(through: version) ?? wasUploaded }

    func assign(_ file: SaltedIdent) throws(SessionError) { try attached().assign(file) }

    func integrate(
        _ changes: [DownloadedChange], _ progress: ClientProgress, downloadableBytes: UInt64
    ) throws(SessionError) {
        try attached().integrate(changes, progress, downloadableBytes: downloadableBytes)
    }

    func uploads(after version: UInt64, limit: Int) -> UploadBatch {
        store?.uploads(after: version, limit: limit) ?? UploadBatch(entries: [], isComplete: true)
    }

    private func attached() throws(SessionError) -> FileClientStore {
        guard let store else { throw SessionError(.other, "the file was closed") }
        return store
    }
}
