// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSyncCore

    /// Stores with a copy of their documents for queries in the language of the database.
    protocol MirroringStores: Sendable {
        /// Brings the copy of a store up to date. Can block.
        ///
        /// - Parameter documents: The documents at `changes.newest`.
        /// - Returns: False if another node is writing to the copy.
        func mirror(_ store: UInt64, _ changes: DocumentChanges, _ documents: Snapshot) throws -> Bool

        /// Creates the indexes of fields, each once in a process. Can block.
        ///
        /// - Returns: The errors of those that can't be created.
        func createIndexes(_ store: UInt64, _ fields: QueryableFields, of schema: AppSchema) -> [any Error]
    }

    /// An update of the copy of a store, which follows the update of its documents.
    ///
    /// The engine's thread creates and finishes it; in between, one thread at a time uses it. This order guards its
    /// state, hence the unchecked `Sendable`.
    final class DocumentsCopy: @unchecked Sendable {
        let partition: StoredPartition
        private let store: UInt64
        private let stores: any MirroringStores
        private let changes: DocumentChanges
        private let schema: AppSchema
        private var documents: Snapshot?
        /// The version of the copy, or `nil` if it isn't known.
        private(set) var result: Result<SaltedVersion?, any Error> = .success(nil)
        private(set) var indexErrors: [any Error] = []
        /// The time after which an unfinished copy is tried again, in seconds.
        let retryDelay: Int

        /// Returns `nil` if the store has no copy, or it is up to date. All data of the partition must be durable.
        init?(_ partition: StoredPartition, _ stores: (any SharedStores)?) {
            guard let stores = stores as? any MirroringStores, let store = partition.sharedStore,
                partition.isCopyBehind
            else { return nil }
            (self.partition, self.store, self.stores) = (partition, store, stores)
            schema = partition.schema
            retryDelay = min(5 << min(partition.failedCopies, 6), 300)
            changes = partition.beginCopy()
        }

        /// Sets the documents to those after the update that has just run on this thread.
        func take(_ documents: OpenDocuments, after update: DocumentsUpdate) {
            do { self.documents = try documents.snapshot(after: update) } catch { result = .failure(error) }
        }

        /// Returns whether the copy is up to date with the changes.
        func run() -> Bool {
            write()
            if case .success(.some) = result { return true }
            return false
        }

        private func write() {
            guard let documents else { return }
            result = Result {
                guard try stores.mirror(store, changes, documents) else { return nil }
                indexErrors = stores.createIndexes(store, partition.options.queryableFields, of: schema)
                return changes.newest
            }
            self.documents = nil
        }
    }
#endif
