// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import NIOConcurrencyHelpers
    import RealmAccounts
    import RealmStorage
    import RealmSyncCore

    /// The files of documents that are open, so that each partition doesn't need descriptors. While one is open, a tool
    /// that opens it joins the server's session, which preserves the versions that the tool reads.
    ///
    /// Only `stop` may be called while another thread updates a file.
    final class OpenDocuments: Sendable {
        private struct State {
            /// The most recently used is the last.
            var open: [(folder: String, documents: PartitionDocuments)] = []
            var isStopping = false
        }

        private let state = NIOLockedValueBox(State())
        private let limit: Int

        init(limit: Int) { self.limit = max(1, limit) }

        var count: Int { state.withLockedValue { $0.open.count } }

        /// Prevents further commits. The current one isn't interrupted.
        func stop() { state.withLockedValue { $0.isStopping = true } }

        func closeAll() { state.withLockedValue { $0.open = [] } }

        /// Applies the changes that the documents in a folder don't contain. A damaged file is replaced.
        ///
        /// - Returns: The newest version, or `nil` if the update was stopped.
        /// - Throws: As `PartitionDocuments.follow`.
        func update(_ folder: String, _ changes: DocumentChanges) throws -> SaltedVersion? {
            do { return try follow(folder, changes) } catch let error as StorageError where error.isDamage {
                _ = try DatabaseFiles.remove(at: PartitionDocuments.path(in: folder))
                return try follow(folder, changes)
            }
        }

        private func follow(_ folder: String, _ changes: DocumentChanges) throws -> SaltedVersion? {
            guard isWanted else { return nil }
            do {
                return try documents(in: folder).follow(changes) { isWanted }
            } catch {
                state.withLockedValue { $0.open.removeAll { $0.folder == folder } }
                throw error
            }
        }

        /// Returns the documents after an update that has just run on this thread.
        ///
        /// - Throws: The error of the update, or `ServiceRefusal` if it was stopped.
        func snapshot(after update: DocumentsUpdate) throws -> Snapshot? {
            guard try update.result.get() != nil else { throw ServiceRefusal.stopping }
            if update.isExclusive { return try update.partition.committedDocuments() }
            return try documents(in: update.partition.folder).snapshot()
        }

        private var isWanted: Bool { state.withLockedValue { !$0.isStopping } }

        private func documents(in folder: String) throws -> PartitionDocuments {
            if let found = take(folder) { return found }
            // Closed first, so that the limit is never exceeded.
            state.withLockedValue { $0.open.removeFirst(max(0, $0.open.count - limit + 1)) }
            let documents = try PartitionDocuments(folder: folder)
            state.withLockedValue { $0.open.append((folder, documents)) }
            return documents
        }

        private func take(_ folder: String) -> PartitionDocuments? {
            state.withLockedValue { state in
                guard let index = state.open.firstIndex(where: { $0.folder == folder }) else { return nil }
                state.open.append(state.open.remove(at: index))
                return state.open.last?.documents
            }
        }
    }

    /// An update of a partition's documents.
    ///
    /// The order of its use guards it: the engine's thread creates and finishes it; in between another thread runs it.
    final class DocumentsUpdate: @unchecked Sendable {
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
