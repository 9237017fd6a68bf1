// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSync
    import RealmSyncCore

    /// Imports a database. Its objects become durable as one frame of the log in files, either all or none, and in
    /// parts in a log that nodes share.
    package final class PartitionImport {
        package struct Report: Sendable, Equatable {
            /// Excludes embedded objects.
            package var objects = 0
            /// Fields of documents without a matching property, as `Class.field`, sorted.
            package var ignoredFields: [String] = []
        }

        let catalog: any StoreCatalog
        let place: DocumentPlace
        let partition: StoredPartition
        private var writer: RowWriter<ChangesetParts>
        private(set) var schema: AppSchema
        private var report = Report()

        /// The size in bytes at which a changeset ends, including the instruction that exceeds it.
        private static let partSize = 128 << 10
        /// In bytes. A frame of a log is written as a whole.
        private static let maxBytes = 1 << 31

        /// Imports a database. The changes are durable on return.
        ///
        /// - Throws: `ServerFailure`, `StorageError`. Then nothing is imported, or in a shared log some parts.
        func read(_ path: String) throws -> Report {
            try add(try FileObjects(path, allowsAsymmetric: partition.isFlexible))
            return try finish()
        }

        /// - Throws: `ServerFailure` if a server uses the folder; `StoreError`.
        init(_ catalog: any StoreCatalog, _ place: DocumentPlace) throws {
            (self.catalog, self.place) = (catalog, place)
            try catalog.lock(.documents)
            partition = try catalog.open(place)
            schema = partition.schema
            writer = RowWriter(columns: schema.columns, ChangesetParts(size: PartitionImport.partSize))
        }

        /// - Throws: `ServerFailure` if the schema of the app has other definitions.
        func admit(_ definitions: [Instruction]) throws { try catalog.admit(definitions, of: place.app.string) }

        // MARK: Objects

        private func add(_ objects: FileObjects) throws {
            let definitions = objects.tables.map { Instruction.addTable($0) } + objects.columns.map { .addColumn($0) }
            try admit(definitions)
            try partition.lock()
            try partition.add(definitions)
            schema = partition.schema
            writer = RowWriter(columns: schema.columns, ChangesetParts(size: PartitionImport.partSize))
            try objects.forEach { try add($0, $1) }
        }

        private func add(_ object: ObjectReference, _ row: ObjectRow) throws {
            try writer.replace(object, row, in: partition)
            report.objects += 1
            try integrate(writer.output.takeFull())
        }

        // MARK: Versions

        private func integrate(_ changesets: [Changeset]) throws {
            for changeset in changesets { try partition.append(changeset) }
            try partition.flushPart()
            guard partition.pendingByteCount < PartitionImport.maxBytes else {
                throw ServerFailure(description: "More than 2 GiB cannot be imported at once: divide the file.")
            }
        }

        private func finish() throws -> Report {
            try integrate(writer.output.changesets)
            try partition.flush()
            partition.documentChanges()
            return report
        }
    }

    extension RowWriter {
        /// Appends the instructions that replace an object, unless it has the contents already. So a repeated import
        /// makes no versions.
        ///
        /// - Throws: `StorageError`.
        mutating func replace(
            _ object: ObjectReference, _ row: ObjectRow, in partition: StoredPartition
        ) throws {
            if try partition.holds(object) {
                if try partition.holds(row, of: object) { return }
                append(.eraseObject(object))
            }
            append(.createObject(object))
            add(row, of: object)
        }
    }

    extension StoredPartition {
        /// Whether an object has exactly the contents of a row, whose keys are the names of properties.
        fileprivate func holds(_ row: ObjectRow, of object: ObjectReference) throws -> Bool {
            guard let table = history.state.tables[object.table], let old = try history.state.row(of: object) else {
                return false
            }
            return table.columns.allSatisfy { name, column in
                let initial = ObjectContent.initial(column.definition)
                return (old[column.slot] ?? initial) == (row[name] ?? initial)
            }
        }
    }
#endif
