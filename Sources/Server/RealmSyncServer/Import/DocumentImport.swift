// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSync
    import RealmSyncCore

    /// Imports documents into a partition or a flexible app, in two passes over the files.
    ///
    /// The first pass checks all documents, so that an error imports nothing. The second one adds them in parts, each
    /// of which becomes durable. An import that was interrupted continues after the last part. Memory holds the
    /// objects of one part, and in the first pass the keys.
    final class DocumentImport {
        private let target: PartitionImport
        /// The classes to add.
        private let definitions: [Instruction]
        private let files: [ImportedFile]
        private let progress: (ImportProgress) -> Void
        private var cursor: ImportCursor
        private var reader: DocumentReader
        private var writer: RowWriter<ChangesetParts>

        /// The offset in the file at which the current part begins.
        private var partStart = 0
        /// The number of documents between two reports of the first pass.
        private static let reportInterval = 10_000

        /// - Parameters:
        ///   - schema: The classes to add, or `nil` if the partition has all.
        ///   - className: The class of all documents, or `nil` if the files or the documents name it.
        /// - Throws: `ServerFailure` if the path has no documents, or the schema contradicts the classes that exist.
        init(
            _ path: String, className: String?, into target: PartitionImport, schema: SchemaFile?,
            progress: @escaping (ImportProgress) -> Void
        ) throws {
            (self.target, self.progress) = (target, progress)
            definitions = schema?.schema.instructions ?? []
            files = try ImportedFile.files(path, className: className)
            cursor = try ImportCursor(files, className: className)
            reader = DocumentReader(try target.schema(adding: definitions))
            writer = RowWriter(
                columns: reader.schema.columns, ChangesetParts(size: PartitionHistory.partSize))
        }

        /// - Throws: An error with the file and the document. The check imports nothing.
        func run() throws -> PartitionImport.Report {
            try check()
            let (catalog, place) = (target.catalog, target.place)
            let partition = try target.prepare(definitions)
            try partition.flush()
            if let found = try cursor.stored(in: catalog, place) { cursor = found }
            while cursor.index < files.count { try add(files[cursor.index], to: partition) }
            try finishPart(in: partition)
            try catalog.discardImport(into: place)
            return PartitionImport.Report(
                objects: cursor.documents, ignoredFields: reader.ignoredFields.sorted().map(\.string))
        }

        // MARK: Check

        private func check() throws {
            var seen: Set<ObjectReference> = []
            for (index, file) in files.enumerated() {
                let source = try file.source()
                while let found = try next(source, file) {
                    guard seen.insert(found.object).inserted else {
                        throw failure(
                            DocumentError("a document before it has the same class and _id"), source, file)
                    }
                    if seen.count % DocumentImport.reportInterval == 0 {
                        report(seen.count, index, source.offset, isChecking: true)
                    }
                }
            }
        }

        private func next(
            _ source: any DocumentSource, _ file: ImportedFile
        ) throws -> (object: ObjectReference, row: ObjectRow)? {
            do { return try source.next(&reader, file.className) } catch let error as DocumentError {
                throw failure(error, source, file)
            }
        }

        private func failure(
            _ error: DocumentError, _ source: any DocumentSource, _ file: ImportedFile
        ) -> ServerFailure {
            ServerFailure(description: "'\(file.path)', \(source.location): \(error.message).")
        }

        private func report(_ documents: Int, _ index: Int, _ offset: Int, isChecking: Bool) {
            let before = files[..<index].reduce(0) { $0 + $1.size }
            progress(
                ImportProgress(
                    isChecking: isChecking, documents: documents, bytes: before + offset,
                    totalBytes: files.reduce(0) { $0 + $1.size }))
        }

        // MARK: Import

        private func add(_ file: ImportedFile, to partition: StoredPartition) throws {
            let source = try file.source(offset: cursor.offset, number: cursor.number)
            partStart = cursor.offset
            while let (object, row) = try next(source, file) {
                do { try add(object, row, to: partition) } catch let error as StateError {
                    throw failure(DocumentError(error.message), source, file)
                }
                cursor.documents += 1
                (cursor.offset, cursor.number) = (source.offset, source.number)
                // Documents that exist unchanged make no changes, and other nodes wait for the append lock.
                if max(partition.pendingByteCount, cursor.offset - partStart) >= StoredPartition.partSize {
                    try finishPart(in: partition)
                    try cursor.write(in: target.catalog, target.place)
                    partition.documentChanges()
                    partStart = cursor.offset
                    report(cursor.documents, cursor.index, cursor.offset, isChecking: false)
                }
            }
            cursor.index += 1
            (cursor.offset, cursor.number) = (0, 0)
        }

        private func add(_ object: ObjectReference, _ row: ObjectRow, to partition: StoredPartition) throws {
            try partition.lock()
            try writer.replace(object, row, in: partition)
            for changeset in writer.output.takeFull() { try partition.append(changeset) }
        }

        private func finishPart(in partition: StoredPartition) throws {
            try partition.lock()
            for changeset in writer.output.changesets { try partition.append(changeset) }
            _ = writer.output.takeInstructions()
            try partition.flush()
        }
    }
#endif
