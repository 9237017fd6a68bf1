// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmSystem

    package enum FileImport {
        /// Imports files into a partition, which is created if it doesn't exist. An existing object is replaced. The
        /// changes are durable on return.
        ///
        /// A database file contains its classes. Others are documents: lines in Extended JSON, and BSON or a folder of
        /// `mongodump`.
        ///
        /// - Parameters:
        ///   - data: A folder whose server isn't running, or a database that servers can use meanwhile.
        ///   - partition: The partition as its `bind` names it, or a string. `nil` for an app with flexible sync.
        ///   - className: The class of all documents, or `nil` if a line contains its class in the member `$class`, and
        ///     a file of `mongodump` has that of its collection.
        ///   - schema: The path of the classes to add, for documents.
        ///   - progress: Called after each part of documents, and each 10,000 objects of a database.
        /// - Throws: An error with its location in the file.
        package static func read(
            _ path: String, className: String?, data: ServerData, app: String, partition: String?,
            schema: String? = nil,
            progress: @escaping (ImportProgress) -> Void = { _ in }
        ) throws -> PartitionImport.Report {
            let catalog = try data.catalog()
            return try read(
                path, className: className, into: catalog, try catalog.place(app: app, partition: partition),
                schema: schema, progress: progress)
        }

        static func read(
            _ path: String, className: String? = nil, into catalog: any StoreCatalog, _ place: DocumentPlace,
            schema: String? = nil, progress: @escaping (ImportProgress) -> Void = { _ in }
        ) throws -> PartitionImport.Report {
            let isDatabase = FileStatus(path)?.isFolder != true ? try FileObjects.isDatabase(path) : false
            guard !isDatabase || className == nil && schema == nil else {
                throw ServerFailure(description: "'\(path)' is a database, which contains its classes.")
            }
            let target = try PartitionImport(catalog, place)
            return try catalog.audited(.import, place.app.string, place.name) {
                try read(path, className, isDatabase, into: target, schema, progress)
            }
        }

        private static func read(
            _ path: String, _ className: String?, _ isDatabase: Bool, into target: PartitionImport, _ schema: String?,
            _ progress: @escaping (ImportProgress) -> Void
        ) throws -> PartitionImport.Report {
            if isDatabase { return try target.read(path, progress: progress) }
            let file = try schema.map { try SchemaFile(path: $0) }
            do {
                return try DocumentImport(
                    path, className: className, into: target, schema: file, progress: progress
                ).run()
            } catch let error as SharedStoresUnavailable {
                throw ServerFailure(
                    description: """
                        The import was interrupted: \(error). Repeat the command when the database can be reached: it \
                        continues after the last part.
                        """)
            }
        }
    }
#endif
