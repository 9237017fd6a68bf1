// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore
import RealmSystem

/// The files of documents that are open, so that each partition doesn't need descriptors. While one is open, a tool
/// that opens it joins the server's session, which preserves the versions that the tool reads.
///
/// Any thread can read, and one thread updates files. Unchecked `Sendable`: `lock` guards the mutable state.
package final class OpenDocuments: @unchecked Sendable {
    private struct Entry {
        let folder: String
        let documents: PartitionDocuments
        /// Until the next update, so that a read doesn't decode the tables again.
        var latest: DocumentSnapshot?
    }

    private let lock = Lock()
    /// The most recently used is the last.
    private var open: [Entry] = []
    private var isStopping = false
    private let limit: Int

    package init(limit: Int) { self.limit = max(1, limit) }

    var count: Int { lock.locked { open.count } }

    /// Prevents further commits. The current one isn't interrupted.
    func stop() { lock.locked { isStopping = true } }

    func closeAll() { lock.locked { open = [] } }

    /// Applies the changes that the documents in a folder don't contain. A damaged file is replaced.
    ///
    /// - Returns: The newest version, or `nil` if the update was stopped.
    /// - Throws: As `PartitionDocuments.follow`.
    func update(_ folder: String, _ changes: DocumentChanges) throws -> SaltedVersion? {
        defer { forgetLatest(folder) }
        return try PartitionDocuments.replacingDamaged(in: folder) { try follow(folder, changes) }
    }

    private func follow(_ folder: String, _ changes: DocumentChanges) throws -> SaltedVersion? {
        guard isWanted else { return nil }
        do {
            return try documents(in: folder).follow(changes) { isWanted }
        } catch {
            lock.locked { open.removeAll { $0.folder == folder } }
            throw error
        }
    }

    private var isWanted: Bool { lock.locked { !isStopping } }

    /// Must be called after a commit, because a version that is read can't be overwritten.
    func forgetLatest(_ folder: String) {
        lock.locked { for index in open.indices where open[index].folder == folder { open[index].latest = nil } }
    }

    /// Returns the documents in a folder.
    ///
    /// - Parameter version: The version that they must contain, or `nil` for any.
    /// - Throws: `StorageError` if the file isn't there, lacks the version, or was changed by another program.
    func snapshot(_ folder: String, containing version: SaltedVersion?) throws -> DocumentSnapshot {
        func isWanted(_ found: DocumentSnapshot) -> Bool { version.map(found.contains) ?? true }
        let known = lock.locked { open.first { $0.folder == folder }?.latest }
        if let known, isWanted(known) { return known }
        let path = PartitionDocuments.path(in: folder)
        guard Folder.holds(path) else { throw StorageError(.fileAccess, "the file doesn't exist", path: path) }
        guard let found = try DocumentSnapshot(try documents(in: folder)), isWanted(found) else {
            throw StorageError(.fileAccess, "the documents don't follow their partition", path: path)
        }
        lock.locked {
            if let index = open.firstIndex(where: { $0.folder == folder }) { open[index].latest = found }
        }
        return found
    }

    fileprivate func documents(in folder: String) throws -> PartitionDocuments {
        if let found = lock.locked({ take(folder) }) { return found }
        // Closed first, so that the limit isn't exceeded.
        lock.locked { open.removeFirst(max(0, open.count - limit + 1)) }
        let documents = try PartitionDocuments(folder: folder)
        return lock.locked {
            // Another thread may have opened them meanwhile.
            if let found = take(folder) { return found }
            open.append(Entry(folder: folder, documents: documents))
            return documents
        }
    }

    private func take(_ folder: String) -> PartitionDocuments? {
        guard let index = open.firstIndex(where: { $0.folder == folder }) else { return nil }
        open.append(open.remove(at: index))
        return open.last?.documents
    }
}

#if Server
    import RealmAccounts

    extension OpenDocuments {
        /// Returns the documents after an update that has just run on this thread.
        ///
        /// - Throws: The error of the update, or `ServiceRefusal` if it was stopped.
        func snapshot(after update: DocumentsUpdate) throws -> Snapshot? {
            guard try update.result.get() != nil else { throw ServiceRefusal.stopping }
            if update.isExclusive { return try update.partition.committedDocuments() }
            return try documents(in: update.partition.folder).snapshot()
        }
    }

    /// An update of a partition's documents.
    ///
    /// The order of its use guards it: the engine's thread creates and finishes it; in between another thread runs it.
    package final class DocumentsUpdate: @unchecked Sendable {
        let partition: StoredPartition
        /// Nil for a flexible app.
        private let changes: DocumentChanges?
        private(set) var result: Result<SaltedVersion?, any Error> = .success(nil)
        /// Whether a change follows, until which the partition remains busy.
        var isOfChange = false

        /// Whether the partition must be busy until the update is finished: that of a flexible app.
        var isExclusive: Bool { changes == nil }

        /// All data of the partition must be durable.
        init(_ partition: StoredPartition) {
            self.partition = partition
            changes = partition.isFlexible ? nil : partition.beginDocuments()
        }

        func run(_ documents: OpenDocuments) {
            result = Result {
                guard let changes else { return try partition.commitDocuments() }
                return try documents.update(partition.folder, changes)
            }
        }
    }
#endif
