// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore

extension StoredPartition {
    /// Adds a version of the server, which is durable after the next `flush`.
    ///
    /// - Parameter rights: The rights of the user who makes the change, in a flexible app.
    /// - Throws: `StateError` if no client can apply it, `WriteRefusal` if the user may not make it. Then nothing is
    ///   changed.
    func append(_ changeset: Changeset, by rights: UserRights = .unrestricted) throws {
        try append(changeset, changeset.encoded(), by: rights)
    }

    /// - Parameter bytes: The encoded changeset.
    func append(_ changeset: Changeset, _ bytes: [UInt8], by rights: UserRights) throws {
        guard isFlexible else { return try append(changeset, bytes) }
        let documents = try openDocuments()
        do {
            write(try history.add(changeset, bytes, nextVersion, documents, rights))
        } catch {
            // These errors leave the documents as they were.
            if !(error is StateError), !(error is WriteRefusal) { documents.invalidate() }
            throw error
        }
    }

    /// The documents of a flexible app, which `commitDocuments` has brought up to date.
    func committedDocuments() throws -> Snapshot { try openDocuments().snapshot() }

    /// Updates the documents of a partition that no server has open. All changes must be durable. After an error, the
    /// next server updates them.
    func documentChanges() {
        if isFlexible {
            _ = try? commitDocuments()
        } else {
            let changes = beginDocuments()
            finishDocuments(Result { try options.documents.update(folder, changes) })
        }
    }

    /// The documents of a flexible app if they are open and all changes are committed. Otherwise an update must come
    /// first, which can take long.
    var currentDocuments: Snapshot? {
        guard let queryDocuments, queryDocuments.isValid, !queryDocuments.isCommitDue else { return nil }
        return try? queryDocuments.snapshot()
    }
}
