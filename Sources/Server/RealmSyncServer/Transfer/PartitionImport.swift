// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSync
    import RealmSyncCore
    import RealmSystem

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
        private var opened: StoredPartition?
        private var writer = RowWriter(columns: [:], ChangesetParts(size: PartitionHistory.partSize))
        private var report = Report()

        /// The number of objects between two reports.
        private static let reportInterval = 10_000
        /// In bytes. A frame of a log is written as a whole.
        private static let maxBytes = 1 << 31

        /// Imports a database. The changes are durable on return.
        ///
        /// - Throws: `ServerFailure`, `StorageError`. Then nothing is imported, or in a shared log some parts.
        func read(_ path: String, progress: (ImportProgress) -> Void = { _ in }) throws -> Report {
            let objects = try FileObjects(path, allowsAsymmetric: place.isFlexible)
            let definitions = objects.tables.map { Instruction.addTable($0) } + objects.columns.map { .addColumn($0) }
            let schema = try schema(adding: definitions)
            let partition = try prepare(definitions)
            writer = RowWriter(columns: schema.columns, ChangesetParts(size: PartitionHistory.partSize))
            let size = try DiskFile.open(path, readOnly: true).size()
            try objects.forEach { object, row in
                try add(object, row, to: partition)
                guard report.objects % PartitionImport.reportInterval == 0 else { return }
                // The objects have similar sizes.
                let bytes = Int(Double(size) * Double(report.objects) / Double(max(objects.count, 1)))
                progress(
                    ImportProgress(
                        isChecking: false, documents: report.objects, bytes: bytes, totalBytes: size))
            }
            try integrate(writer.output.changesets, in: partition)
            try partition.flush()
            partition.documentChanges()
            return report
        }

        /// - Throws: `ServerFailure` if a server uses the folder.
        init(_ catalog: any StoreCatalog, _ place: DocumentPlace) throws {
            (self.catalog, self.place) = (catalog, place)
            try catalog.lock(.documents)
        }

        // MARK: Store

        /// Opens the store, which is created if it doesn't exist. So a refused import must not call this: its store
        /// would determine how the app synchronises.
        private func open() throws -> StoredPartition {
            if let opened { return opened }
            let partition = try catalog.open(place)
            opened = partition
            return partition
        }

        /// Returns the schema of the store with more classes and properties, which aren't added.
        ///
        /// - Throws: `ServerFailure` if they contradict those that exist; `StoreError`.
        func schema(adding definitions: [Instruction]) throws -> AppSchema {
            let known = try catalog.holds(place) ? try open().schema.instructions : []
            var state = PartitionObjects()
            do throws(StateError) { try state.define(known + definitions) } catch { throw contradiction(error) }
            return AppSchema(state)
        }

        /// Opens the store, adds classes and properties, and acquires the append lock.
        ///
        /// - Throws: `ServerFailure` if the schema of the app or of the store has other definitions.
        func prepare(_ definitions: [Instruction]) throws -> StoredPartition {
            try catalog.admit(definitions, of: place.app.string)
            let partition = try open()
            try partition.lock()
            do { try partition.add(definitions) } catch let error as StateError { throw contradiction(error) }
            return partition
        }

        private func contradiction(_ error: StateError) -> ServerFailure {
            ServerFailure(description: "The schema contradicts the classes that exist: \(error.message).")
        }

        // MARK: Objects

        private func add(_ object: ObjectReference, _ row: ObjectRow, to partition: StoredPartition) throws {
            try writer.replace(object, row, in: partition)
            report.objects += 1
            try integrate(writer.output.takeFull(), in: partition)
        }

        private func integrate(_ changesets: [Changeset], in partition: StoredPartition) throws {
            try partition.appendPart(changesets)
            guard partition.pendingByteCount < PartitionImport.maxBytes else {
                throw ServerFailure(description: "More than 2 GiB cannot be imported at once: divide the file.")
            }
        }
    }

    extension PartitionObjects {
        /// Adds classes and properties.
        fileprivate mutating func define(_ definitions: [Instruction]) throws(StateError) {
            for definition in definitions {
                switch definition {
                case .addTable(let table): _ = try addTable(table)
                case .addColumn(let column): _ = try addColumn(column)
                default: break
                }
            }
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
