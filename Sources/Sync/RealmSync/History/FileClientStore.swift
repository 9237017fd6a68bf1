// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore

/// The database file of a session.
///
/// The database has to be opened with a `ClientFileHistory`. The application may write to it at the same time, from any
/// thread or process. The store itself is confined to one thread at a time.
package final class FileClientStore: ClientStore {
    package let database: Database
    private var lastState = ClientFileState(file: nil, progress: ClientProgress(), newestVersion: 0)
    /// The error of the last read of the history; the session continues with the previous state.
    package private(set) var failure: (any Error)?

    package init(_ database: Database) { self.database = database }

    // MARK: Reading

    package var state: ClientFileState {
        read { snapshot, history in
            lastState =
                history?.state
                ?? ClientFileState(file: nil, progress: ClientProgress(), newestVersion: snapshot.version)
        }
        return lastState
    }

    package func uploads(after version: UInt64, limit: Int) -> UploadBatch {
        var batch = UploadBatch(entries: [], isComplete: true)
        read { _, history in
            if let history { batch = try history.uploads(after: version, limit: limit) }
        }
        return batch
    }

    package func isUploaded(through version: UInt64) -> Bool {
        var isUploaded = true
        read { _, history in
            guard let history else { return }
            try history.forEachEntry(in: history.indexes(after: history.progress.upload.clientVersion)) { _, entry in
                guard entry.version <= version else { return false }
                isUploaded = !entry.isUpload
                return isUploaded
            }
        }
        return isUploaded
    }

    func read(_ body: (Snapshot, StoredHistory?) throws -> Void) {
        do {
            let snapshot = try database.snapshot(label: "synchronisation")
            try body(snapshot, StoredHistory(snapshot))
            failure = nil
        } catch {
            failure = error
        }
    }

    // MARK: Writing

    package func assign(_ file: SaltedIdent) throws(SessionError) {
        try write { transaction, recorder in
            let pending = try StoredHistory(before: transaction)?.pendingUploads().byteCount ?? 0
            transaction.fileIdent = file.ident
            recorder.integration = HistoryRecorder.Integration { editor in
                // A copy of another client's file continues from the version that this has downloaded.
                for slot in HistorySlots.numbers where !HistorySlots.downloadedState.contains(slot) { editor[slot] = 0 }
                editor[HistorySlots.salt] = file.salt
                editor[HistorySlots.uploadableBytes] = UInt64(pending)
            }
        }
    }

    /// Applies changes and updates the history in one commit. Changes nothing if it throws.
    package func integrate(
        _ changes: [DownloadedChange], _ progress: ClientProgress, downloadableBytes: UInt64
    ) throws(SessionError) {
        try write { transaction, recorder in
            try integrate(changes, progress, downloadable: downloadableBytes, transaction, recorder)
        }
    }

    /// Applies changes in a transaction. `downloadable` is the number that the file records for progress.
    func integrate(
        _ changes: [DownloadedChange], _ progress: ClientProgress, downloadable: UInt64,
        _ transaction: WriteTransaction, _ recorder: HistoryRecorder
    ) throws {
        let history = try StoredHistory(before: transaction)
        let merge = try HistoryMerge(history, changes)
        let applier = ChangesetApplier(transaction)
        for changeset in merge.applied { try applier.apply(changeset) }
        let uploaded = try history.map { try uploadedByteCount($0, through: progress.upload.clientVersion) } ?? 0
        let trimmed = try history.map { try trimmedCount($0, progress) } ?? 0
        recorder.integration = HistoryRecorder.Integration(
            last: changes.last?.order, lastServerVersion: changes.last?.serverVersion ?? 0
        ) { editor in
            editor.set(progress)
            let size = changes.reduce(UInt64(0)) { $0.addingClamped($1.originalSize) }
            editor[HistorySlots.downloadedBytes] = editor[HistorySlots.downloadedBytes].addingClamped(size)
            editor[HistorySlots.downloadableBytes] = downloadable
            editor[HistorySlots.uploadedBytes] += uploaded
            for (index, form) in merge.forms { try editor.setReciprocal(form.encoded(), at: index) }
            if trimmed > 0 { try editor.trim(trimmed) }
        }
    }

    private func uploadedByteCount(_ history: StoredHistory, through version: UInt64) throws -> UInt64 {
        var count: UInt64 = 0
        try history.forEachEntry(in: history.indexes(after: history.progress.upload.clientVersion)) { _, entry in
            guard entry.version <= version else { return false }
            if entry.isUpload { count += UInt64(try entry.changeset().count) }
            return true
        }
        return count
    }

    /// Returns the number of entries that no further download is merged with: those up to the client version of the
    /// download cursor, and the entries after them that aren't own changes.
    private func trimmedCount(_ history: StoredHistory, _ progress: ClientProgress) throws -> Int {
        var end = history.indexes(after: progress.download.clientVersion).lowerBound
        try history.forEachEntry(in: end..<history.count) { index, entry in
            guard !entry.isUpload else { return false }
            end = index + 1
            return true
        }
        return end
    }

    func write<Result>(
        _ body: (WriteTransaction, HistoryRecorder) throws -> Result
    ) throws(SessionError) -> Result {
        do {
            return try database.write { transaction in
                guard let recorder = transaction.recorder as? HistoryRecorder else {
                    throw SessionError(.other, "the database was not opened as a client file")
                }
                return try body(transaction, recorder)
            }
        } catch {
            throw FileClientStore.failure(error)
        }
    }

    static func failure(_ error: any Error) -> SessionError {
        switch error {
        case let error as SessionError: error
        case let error as MergeError: SessionError(.badChangeset, "\(error)")
        default: SessionError(.other, "\(error)")
        }
    }
}

package struct TransferProgress: Hashable, Sendable {
    package var downloaded: UInt64 = 0
    /// Includes the downloaded bytes.
    package var downloadable: UInt64 = 0
    package var uploaded: UInt64 = 0
    /// Includes the uploaded bytes.
    package var uploadable: UInt64 = 0

    package init() {}
}

extension UInt64 {
    /// Returns the sum, or the maximum. A server may announce any number of downloadable bytes.
    func addingClamped(_ other: UInt64) -> UInt64 {
        let (sum, overflow) = addingReportingOverflow(other)
        return overflow ? .max : sum
    }
}
