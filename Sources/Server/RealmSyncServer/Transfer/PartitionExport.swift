// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSync
    import RealmSyncCore
    import RealmSystem

    package enum PartitionExport {
        /// Writes all objects of a partition to a new local file, which is compact, and durable on return.
        ///
        /// A server can be running on the folder: the file contains a snapshot of the partition with all changes that
        /// became durable before the call. The memory use is twice that of the state.
        ///
        /// - Parameters:
        ///   - data: The data folder of a server.
        ///   - partition: The partition as its `bind` names it, or a string.
        /// - Returns: The number of objects, excluding embedded ones.
        /// - Throws: `StorageError` if a file exists at `path`, `ServerFailure` if the partition doesn't exist,
        ///   `StoreError` if it's damaged.
        @discardableResult
        package static func write(
            data: String, app: String, partition: String, to path: String
        ) throws -> Int {
            guard !Folder.holds(path) else {
                throw StorageError(
                    .alreadyExists, "there is a file already; name another one, or remove it", path: path)
            }
            let name = PartitionName(argument: partition)
            let folder = try DataFolder.folder(of: name, app: app, in: data, makesParents: false)
            let files = PartitionFiles(folder: folder, partition: name.description)
            guard let history = try PartitionHistory(reading: files) else {
                throw ServerFailure(
                    description: "The folder '\(data)' has no partition \(name.description) of the app '\(app)'.")
            }
            try write(history.state, to: path)
            return history.state.tables.values.reduce(0) { $0 + $1.objects.count }
        }

        private static func write(_ state: PartitionState, to path: String) throws {
            let folder = Folder.containing(path)
            let database = try Database.inMemory(in: folder.isEmpty ? path.hasPrefix("/") ? "/" : "." : folder)
            let transaction = try database.beginWrite()
            let applier = ChangesetApplier(transaction)
            for changeset in state.changesets(partSize: 1 << 20, maxParts: .max) { try applier.apply(changeset) }
            try transaction.commit()
            try NewFile.write(path) {
                try database.snapshot().writeCopy(to: $0, CopyOptions(keepsVersion: false))
            }
        }
    }
#endif
