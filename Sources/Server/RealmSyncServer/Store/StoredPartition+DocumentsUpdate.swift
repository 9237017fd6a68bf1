// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore

/// Updates of the documents and of their copy in a database.
extension StoredPartition {
    /// False while the newest version isn't durable.
    package var areDocumentsBehind: Bool { !isDirty && newest.version > lastDocumentsUpdate }

    /// All data received so far must be durable.
    func beginDocuments() -> DocumentChanges {
        precondition(!isDirty, "the documents would be ahead of the log")
        lastDocumentsUpdate = newest.version
        storing = history.state.beginStoring()
        return history.documentChanges(after: documented)
    }

    /// Returns the durable changes after a version that may have been removed.
    func changes(after version: SaltedVersion) -> DocumentChanges { history.documentChanges(after: version) }

    /// The documents of a flexible app contain the versions already. The result is that of the commit.
    package func commitDocuments() throws -> SaltedVersion? {
        precondition(!isDirty, "the documents would be ahead of the log")
        lastDocumentsUpdate = newest.version
        let documents = try openDocuments()
        guard documents.isCommitDue else { return newest }
        do { try documents.commit(newest) } catch {
            documents.invalidate()
            throw error
        }
        options.documents.forgetLatest(folder)
        didStore(newest, through: history.state.beginStoring())
        return newest
    }

    package func finishDocuments(_ result: Result<SaltedVersion?, any Error>) {
        let wasKnown = documented != nil
        documented = try? result.get()
        // The file may have been changed since; all versions are available for another attempt.
        if documented == nil, wasKnown { lastDocumentsUpdate = 0 }
        guard let documented, let storing else { return }
        storedUpdate = (documented, storing)
        self.storing = nil
        if !isBusy { didStore() }
    }

    func didStore() {
        guard let storedUpdate else { return }
        didStore(storedUpdate.version, through: storedUpdate.generation)
        self.storedUpdate = nil
    }

    func didStore(_ version: SaltedVersion, through generation: UInt64) {
        history.state.didStore(
            version, through: generation, maxWhole: options.maxWhole,
            StoredRows(folder, containing: version, in: options.documents))
    }

    /// The documents are filled again by their next update.
    func documentsFailure(_ error: StorageError) -> SessionError {
        if !isFlexible { lastDocumentsUpdate = 0 }
        return SessionError(.other, "the documents cannot be read now: \(error.message)")
    }

    /// Whether the copy of the documents in the database that nodes share lacks durable versions.
    var isCopyBehind: Bool { isCopyPending && !isCopying && !isDirty }

    /// Whether the copy is behind, or an attempt is in progress.
    var isCopyPending: Bool { isShared && (isCopying || newest.version > lastCopiedVersion) }

    /// Returns the changes that the copy may lack. All data received so far must be durable.
    func beginCopy() -> DocumentChanges {
        (isCopying, lastCopiedVersion) = (true, newest.version)
        return history.documentChanges(after: copied)
    }

    /// - Parameter version: `nil` after an error, or if another node is writing to the copy. Then the copy remains
    ///   behind.
    func finishCopy(_ version: SaltedVersion?) {
        isCopying = false
        if let version {
            (copied, failedCopies) = (version, 0)
        } else {
            (lastCopiedVersion, failedCopies) = (0, failedCopies + 1)
        }
    }
}
