// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmSyncCore
    import RealmSystem

    /// Copies the log of a partition or of a flexible app, whose server can be running.
    ///
    /// The copy is a prefix of the log that ends between two frames, so it's the store at one version. The documents
    /// follow from the log and aren't copied. Ingested objects are copied after the log, up to the last one of the log:
    /// their files contain each object that the log no longer has.
    struct StoreBackup {
        /// The folder of the store.
        let folder: String
        /// The path of the folder in the backup.
        let path: String
        let writer: BackupWriter

        private struct Copy {
            /// The open files, and the ends of their last complete frames.
            var files: [(kind: String, file: DiskFile, end: Int)] = []
            /// The number of the last ingested object.
            var ingested: UInt64 = 0
            var generation: UInt64

            mutating func note(_ record: StoreRecord) { ingested = record.lastIngested ?? ingested }
        }

        /// - Throws: `StoreError` if a file is damaged, `SystemError`.
        func run() throws {
            guard let files = try PartitionFiles(of: folder) else { return }
            let copy = try files.withNewestGeneration { generation in
                var copy = Copy(generation: generation)
                if generation > 0 {
                    let file = try DiskFile.open(files.path("snapshot", generation), readOnly: true)
                    let end = try files.readSnapshot(file, generation) { copy.note($0) }.end
                    copy.files.append(("snapshot", file, end))
                }
                let log = files.path("log", generation)
                if Folder.holds(log) {
                    let file = try DiskFile.open(log, readOnly: true)
                    let content = try files.readLog(file, generation) { copy.note($0) }
                    if let content { copy.files.append(("log", file, content.end)) }
                }
                return copy
            }
            for (kind, file, end) in copy.files {
                try writer.write(FrameFile.path(kind, copy.generation, in: path)) { target in
                    try file.forEachPiece(through: end) { try target.append($0, at: $1) }
                }
            }
            let ingest = IngestLog.folder(in: folder)
            if Folder.holds(ingest) { try copyIngest(ingest, files.partition, through: copy.ingested) }
        }

        private func copyIngest(_ ingest: String, _ partition: String, through last: UInt64) throws {
            let firsts = try Folder.names(in: ingest, prefix: "").compactMap { FrameFile.number(in: $0, "segment") }
            let target = IngestLog.folder(in: path)
            var isFirst = true
            for first in firsts.sorted() where first <= last || isFirst {
                let source = IngestSegment.path(first, in: ingest)
                guard let file = try DiskFile.opened(source) else { continue }
                guard first <= last + 1 else {
                    throw ServerFailure(
                        description: "'\(ingest)': objects up to \(last) were removed meanwhile. Repeat the backup.")
                }
                isFirst = false
                let segment = try IngestSegment(
                    try file.contents(), path: source, first: first, partition: partition)
                try writer.write(try segment.prefix(through: last), to: IngestSegment.path(first, in: target))
            }
            if let cursor = try IngestFiles.readDelivered(in: ingest) {
                let bytes = IngestFiles.encodedDelivered(min(cursor, last))
                try writer.write(bytes, to: IngestFiles.deliveryPath(in: target))
            }
        }
    }

    extension DiskFile {
        /// Opens a file for reading. Returns `nil` if it doesn't exist.
        static func opened(_ path: String) throws -> DiskFile? {
            do { return try DiskFile.open(path, readOnly: true) } catch let error as SystemError {
                guard !Folder.holds(path) else { throw error }
                return nil
            }
        }
    }
#endif
