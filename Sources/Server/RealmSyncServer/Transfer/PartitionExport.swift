// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSync
    import RealmSyncCore
    import RealmSystem

    package enum PartitionExport {
        /// Writes all objects of a partition, or of an app with flexible sync, to a new local file, which is compact,
        /// and durable on return.
        ///
        /// A server can be running on the folder: the file contains a snapshot of the partition with all changes that
        /// became durable before the call. It's a copy of the partition's documents, with the later changes of the log.
        ///
        /// - Parameters:
        ///   - data: The data folder of a server.
        ///   - partition: The partition as its `bind` names it, or a string. `nil` for an app with flexible sync.
        /// - Returns: The number of objects, excluding embedded ones.
        /// - Throws: `StorageError` if a file exists at `path`, `ServerFailure` if the partition doesn't exist,
        ///   `StoreError` if it's damaged.
        @discardableResult
        package static func write(
            data: String, app: String, partition: String?, to path: String
        ) throws -> Int {
            guard !Folder.holds(path) else {
                throw StorageError(
                    .alreadyExists, "there is a file already; name another one, or remove it", path: path)
            }
            let place = try DocumentPlace(data: data, app: app, partition: partition)
            let folder = try DataFolder.folder(of: place, in: data, makesParents: false)
            let files = PartitionFiles(folder: folder, partition: place.title)
            let target = Folder.containing(path)
            let temporary = target.isEmpty ? path.hasPrefix("/") ? "/" : "." : target
            // Copied before the log is read, so that the log contains the copy's version unless it was trimmed since.
            let copy = try PartitionDocuments.copy(from: folder, temporary: temporary)
            guard let changes = try DocumentChanges(reading: files) else { throw place.missing(in: data) }
            do {
                return try write(changes, to: copy ?? Database.inMemory(in: temporary), path)
            } catch let error as StateError {
                throw StoreError(folder: folder, error)
            }
        }

        private static func write(_ changes: DocumentChanges, to database: Database, _ path: String) throws -> Int {
            let transaction = try database.beginWrite()
            defer { transaction.rollback() }
            let writer = DocumentWriter(transaction)
            if let steps = changes.steps(after: try writer.position()) {
                try writer.apply(steps)
            } else {
                try writer.clear()
                try writer.apply(try changes.stepsFromNothing())
            }
            try writer.removePositionTable()
            let tables = try transaction.tableKeys().compactMap { try transaction.table($0) }
            let count = try tables.reduce(0) { try $0 + ($1.className == nil || $1.isEmbedded ? 0 : $1.count()) }
            try NewFile.write(path) { try transaction.writeCopy(to: $0, CopyOptions(keepsVersion: false)) }
            return count
        }
    }
#endif
