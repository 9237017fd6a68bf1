// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSync
    import RealmSyncCore
    import RealmSystem

    /// The changes become durable as one frame of the log: either all or none.
    package final class PartitionImport {
        package struct Report: Sendable, Equatable {
            /// Excludes embedded objects.
            package var objects = 0
            /// Fields of documents without a matching property, as `Class.field`, sorted.
            package var ignoredFields: [String] = []
        }

        private let lock: DiskFile
        private let partition: StoredPartition
        private var writer: RowWriter
        private var seen: Set<ObjectReference> = []
        private(set) var schema: AppSchema
        private var report = Report()

        /// The size in bytes at which a changeset ends, including the instruction that exceeds it.
        private static let partSize = 128 << 10
        /// In bytes. A frame of a log is written as a whole.
        private static let maxBytes = 1 << 31

        /// Imports a file into a partition, or into an app with flexible sync, which is created if it doesn't exist. An
        /// existing object is replaced. The changes are durable on return.
        ///
        /// A database file contains its classes. Any other file must consist of lines in Extended JSON.
        ///
        /// - Parameters:
        ///   - data: The data folder of a server that isn't running.
        ///   - partition: The partition as its `bind` names it, or a string. `nil` for an app with flexible sync.
        ///   - className: The class of all lines, or `nil` if each line contains its class in the member `$class`.
        /// - Throws: An error with its location in the file. Then nothing is imported.
        package static func read(
            _ path: String, className: String?, data: String, app: String, partition: String?
        ) throws -> Report {
            let target = try PartitionImport(data: data, try DocumentPlace(data: data, app: app, partition: partition))
            if try FileObjects.isDatabase(path) {
                guard className == nil else {
                    throw ServerFailure(description: "'\(path)' is a database, which names the classes itself.")
                }
                try target.add(try FileObjects(path, allowsAsymmetric: target.partition.isFlexible))
            } else {
                try target.add(linesOf: path, className: className)
            }
            return try target.finish()
        }

        private init(data: String, _ place: DocumentPlace) throws {
            lock = try DataFolder.take(data)
            let folder = try DataFolder.folder(of: place, in: data, makesParents: true)
            partition = try StoredPartition(
                folder: folder, partition: place.title, isFlexible: place.isFlexible)
            schema = partition.schema
            writer = RowWriter(columns: schema.columns, partSize: PartitionImport.partSize)
        }

        // MARK: Objects

        private func add(_ objects: FileObjects) throws {
            for table in objects.tables { writer.append(.addTable(table)) }
            for column in objects.columns { writer.append(.addColumn(column)) }
            try integrate(writer.changesets(atMost: .max))
            schema = partition.schema
            writer = RowWriter(columns: schema.columns, partSize: PartitionImport.partSize)
            try objects.forEach { try add($0, $1) }
        }

        private func add(linesOf path: String, className: String?) throws {
            let lines = try LineReader(path)
            var documents = DocumentReader(schema)
            while let line = try lines.next() {
                do throws(DocumentError) {
                    guard let (object, row) = try documents.object(line, className) else { continue }
                    guard !seen.contains(object) else {
                        throw DocumentError("a line before it has the same class and _id")
                    }
                    try addDocument(object, row)
                } catch {
                    throw ServerFailure(description: "'\(path)', line \(lines.number): \(error.message).")
                }
            }
            report.ignoredFields = documents.ignoredFields.sorted().map(\.string)
        }

        private func addDocument(_ object: ObjectReference, _ row: PartitionState.Row) throws(DocumentError) {
            do { try add(object, row) } catch { throw DocumentError("\(error)") }
        }

        private func add(_ object: ObjectReference, _ row: PartitionState.Row) throws {
            if partition.holds(object) { writer.append(.eraseObject(object)) }
            writer.append(.createObject(object))
            writer.add(row, of: object)
            seen.insert(object)
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
