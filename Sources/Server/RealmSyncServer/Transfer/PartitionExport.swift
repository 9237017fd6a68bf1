// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSync
    import RealmSyncCore
    import RealmSystem

    package enum PartitionExport {
        /// Writes all objects of a partition, or of an app with flexible sync, to a new file: a compact local database,
        /// or lines of Extended JSON if its name ends with `.json`, `.jsonl`, or `.ndjson`. The file is durable on
        /// return.
        ///
        /// Servers can use the data meanwhile: the file contains a snapshot of the partition with all changes that
        /// became durable before the call.
        ///
        /// - Parameters:
        ///   - partition: The partition as its `bind` names it, or a string. `nil` for an app with flexible sync.
        /// - Returns: The number of objects, excluding embedded ones.
        /// - Throws: `StorageError` if a file exists at `path`, `ServerFailure` if the partition doesn't exist,
        ///   `StoreError` if it's damaged.
        @discardableResult
        package static func write(
            data: ServerData, app: String, partition: String?, to path: String
        ) throws -> Int {
            guard !Folder.holds(path) else {
                throw StorageError(
                    .alreadyExists, "there is a file already; name another one, or remove it", path: path)
            }
            let catalog = try data.catalog()
            let place = try catalog.place(app: app, partition: partition)
            let target = Folder.containing(path)
            let temporary = target.isEmpty ? path.hasPrefix("/") ? "/" : "." : target
            guard let documents = try catalog.documents(of: place, temporary: temporary) else {
                throw catalog.missing(place)
            }
            do {
                return try write(
                    documents.changes, to: documents.copy ?? Database.inMemory(in: temporary), path)
            } catch let error as StateError {
                throw StoreError(folder: documents.location, error)
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
                .filter { $0.className != nil && !$0.isEmbedded }
            try NewFile.write(path) { file in
                guard LineExport.isNamed(by: path) else {
                    return try transaction.writeCopy(to: file, CopyOptions(keepsVersion: false))
                }
                var lines = LineExport(transaction, to: file)
                try lines.write(tables)
            }
            return try tables.reduce(0) { try $0 + $1.count() }
        }
    }
#endif
