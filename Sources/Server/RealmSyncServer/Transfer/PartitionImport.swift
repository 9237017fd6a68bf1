// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSync
    import RealmSyncCore
    import RealmSystem

    /// Imports a database. Its objects become durable as one frame of the log: either all or none.
    package final class PartitionImport {
        package struct Report: Sendable, Equatable {
            /// Excludes embedded objects.
            package var objects = 0
            /// Fields of documents without a matching property, as `Class.field`, sorted.
            package var ignoredFields: [String] = []
        }

        private let lock: DiskFile
        let partition: StoredPartition
        private let appFolder: String
        private var writer: RowWriter
        private(set) var schema: AppSchema
        private var report = Report()

        /// The size in bytes at which a changeset ends, including the instruction that exceeds it.
        private static let partSize = 128 << 10
        /// In bytes. A frame of a log is written as a whole.
        private static let maxBytes = 1 << 31

        /// Imports a database. The changes are durable on return.
        ///
        /// - Throws: `ServerFailure`, `StorageError`. Then nothing is imported.
        func read(_ path: String) throws -> Report {
            try add(try FileObjects(path, allowsAsymmetric: partition.isFlexible))
            return try finish()
        }

        /// - Parameter data: The data folder of a server that isn't running.
        /// - Throws: `ServerFailure` if a server uses the folder; `StoreError`.
        init(data: String, _ place: DocumentPlace) throws {
            lock = try DataFolder.take(data)
            let folder = try DataFolder.folder(of: place, in: data, makesParents: true)
            appFolder = try DataFolder.folder(place.app.string, in: data + "/apps")
            partition = try StoredPartition(
                folder: folder, partition: place.title, isFlexible: place.isFlexible)
            schema = partition.schema
            writer = RowWriter(columns: schema.columns, partSize: PartitionImport.partSize)
        }

        /// - Throws: `ServerFailure` if the schema of the app has other definitions.
        func admit(_ definitions: [Instruction]) throws { try SharedSchema.admit(definitions, ofApp: appFolder) }

        // MARK: Objects

        private func add(_ objects: FileObjects) throws {
            let definitions = objects.tables.map { Instruction.addTable($0) } + objects.columns.map { .addColumn($0) }
            try admit(definitions)
            for instruction in definitions { writer.append(instruction) }
            try integrate(writer.changesets(atMost: .max))
            schema = partition.schema
            writer = RowWriter(columns: schema.columns, partSize: PartitionImport.partSize)
            try objects.forEach { try add($0, $1) }
        }

        private func add(_ object: ObjectReference, _ row: PartitionState.Row) throws {
            if try partition.holds(object) { writer.append(.eraseObject(object)) }
            writer.append(.createObject(object))
            writer.add(row, of: object)
            report.objects += 1
            try integrate(writer.takeFullParts())
        }

        // MARK: Versions

        private func integrate(_ changesets: [Changeset]) throws {
            for changeset in changesets { try partition.append(changeset) }
            guard partition.pendingByteCount < PartitionImport.maxBytes else {
                throw ServerFailure(description: "More than 2 GiB cannot be imported at once: divide the file.")
            }
        }

        private func finish() throws -> Report {
            try integrate(writer.changesets(atMost: .max))
            try partition.flush()
            partition.documentChanges()
            return report
        }
    }
#endif
