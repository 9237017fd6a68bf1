// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmSyncCore
    import SyncTestSupport

    @testable import RealmSyncServer

    extension StoredPartition {
        func model() throws -> SyncModel {
            var model = SyncModel()
            for changeset in try stateChangesets() { try model.apply(changeset) }
            return model
        }
    }

    extension PartitionLog {
        /// Writes the log of a partition that has these versions. As `RecordLog.write`.
        static func write(
            _ changesets: [Changeset], in folder: String, _ partition: String = "string:p",
            from file: PartitionFile? = nil
        ) throws {
            try PartitionLog(folder: folder, partition: partition).write(changesets, from: file)
        }
    }

    extension RecordLog {
        /// Writes versions to an empty log, without the checks of uploads. `file` is added first, if given.
        func write(_ changesets: [Changeset], from file: PartitionFile? = nil) throws {
            try open { _ in }
            try lock { _ in }
            var records = RecordWriter()
            if let file { try StoreRecord.file(file).write(to: &records) }
            for (version, changeset) in zip(UInt64(1)..., changesets) {
                let bytes = changeset.encoded()
                let record = VersionRecord(
                    version: SaltedVersion(version: version, salt: 5), origin: 2, clientVersion: version + 1,
                    serverVersion: 0, timestamp: 1, originalSize: bytes.count, bytes: bytes, forms: [:])
                try StoreRecord.version(record).write(to: &records)
            }
            try append(records.bytes)
            try sync()
        }
    }

    extension QueryBootstrap {
        func instructions() throws -> [Instruction] {
            try (0..<partCount).flatMap { try Changeset(decoding: try part($0)).instructions }
        }
    }

    extension UploadedChange {
        /// A change of a file, based on a version of the server.
        init(_ changeset: Changeset, _ version: UInt64, from file: UInt64, basedOn server: UInt64 = 0) {
            self.init(
                clientVersion: version, serverVersion: server,
                order: ChangeOrder(timestamp: 1000 + version, fileIdent: file), changeset: changeset,
                originalSize: changeset.encoded().count)
        }
    }
#endif
