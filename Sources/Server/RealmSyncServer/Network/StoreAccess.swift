// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmSyncCore

    /// An operation of a partition on the database that nodes share, which runs on another thread.
    ///
    /// Guarded by the partition's `isBusy`: from its creation to its event, only the thread that runs it uses it.
    final class StoreAccess: @unchecked Sendable {
        let partition: StoredPartition
        private let isRead: Bool
        /// The error of the operation. After it, the partition must be opened again.
        private(set) var failure: (any Error)?

        init(_ partition: StoredPartition, isRead: Bool = false) {
            (self.partition, self.isRead) = (partition, isRead)
        }

        /// Returns `nil` for a store that only one server uses.
        convenience init?(sharing store: any PartitionStore) {
            guard let partition = store as? StoredPartition, partition.isShared else { return nil }
            self.init(partition)
        }

        func run(_ body: (StoredPartition) throws -> Void) {
            do { try body(partition) } catch {
                // A node that only reads continues with its state.
                if !isRead || !(error is SharedStoresUnavailable) { failure = error }
            }
        }

        /// Whether the append lock is held, and the session of the integration is still the last one of its file.
        func permits(_ integration: UploadIntegration) -> Bool {
            failure == nil && !partition.foreignFiles.contains(integration.file)
        }
    }
#endif
