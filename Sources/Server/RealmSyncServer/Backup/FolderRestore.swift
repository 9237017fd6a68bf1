// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import RealmCheck
    import RealmCrypto
    import RealmStorage
    import RealmSyncCore
    import RealmSystem

    /// Makes a data folder of a backup.
    ///
    /// A mark in the folder prevents its use until all files are durable and audited. A restore that was killed is
    /// repeated from the start.
    package struct FolderRestore {
        private let backup: String
        private let data: String
        private let lock: DiskFile
        private let manifest: BackupManifest

        /// Creates the data folder if it doesn't exist.
        ///
        /// - Throws: `ServerFailure` if `backup` isn't a complete backup, or `data` contains anything but an unfinished
        ///   restore; `SystemError`.
        package init(_ backup: String, to data: String) throws {
            (self.backup, self.data) = (backup, data)
            manifest = try BackupManifest(in: backup)
            lock = try DataFolder.takeLock(data)
            let names = try Folder.entries(in: data).filter { $0 != "server.lock" }
            guard names.isEmpty || Folder.holds(DataFolder.restoreMark(in: data)) else {
                throw ServerFailure(
                    description: "'\(data)' isn't empty. Name a new folder: a restore doesn't replace data.")
            }
        }

        /// - Throws: `ServerFailure` if a file of the backup is missing or damaged, `StoreError`, `SystemError`. Then
        ///   no server uses the folder.
        package func run(by source: String = "command") throws -> BackupReport {
            let mark = DataFolder.restoreMark(in: data)
            if !Folder.holds(mark) {
                try DiskFile.create(mark).sync()
                DiskFile.syncDirectory(of: mark)
            }
            return try AuditLog(data: data).perform(AuditLog.Operation(.restore, by: source)) {
                try copyAll()
                try Folder.removeFile(mark)
                DiskFile.syncDirectory(of: mark)
                withExtendedLifetime(lock) {}
                return manifest.report(of: backup)
            }
        }

        private func copyAll() throws {
            for folder in ["apps", "accounts"] { _ = try Folder.remove(data + "/" + folder) }
            let writer = BackupWriter(folder: data)
            for file in manifest.files { try copy(file, writer) }
            writer.finish()
            for store in manifest.stores { try audit(store: store) }
            for file in manifest.files where file.path.hasSuffix(".realm") {
                try audit(database: data + "/" + file.path)
            }
        }

        private func copy(_ file: BackupManifest.File, _ writer: BackupWriter) throws {
            let path = backup + "/" + file.path
            guard let source = try DiskFile.opened(path) else { throw damage(path, "it is missing") }
            guard try source.size() == file.size else {
                throw damage(path, "it has \(try source.size()) bytes instead of \(file.size)")
            }
            try writer.write(file.path) { target in
                try source.forEachPiece(through: file.size) { try target.append($0, at: $1) }
            }
            guard writer.files.last?.hash == file.hash else { throw damage(path, "its content has changed") }
        }

        private func damage(_ path: String, _ reason: String) -> ServerFailure {
            ServerFailure(description: "The backup is damaged: '\(path)': \(reason). Use another backup.")
        }

        /// Replays the log, fills the documents, and audits them.
        private func audit(store path: String) throws {
            let folder = data + "/" + path
            guard let files = try PartitionFiles(of: folder) else { return }
            let partition = try StoredPartition(
                folder: folder, partition: files.partition, isFlexible: path.hasSuffix("/" + DataFolder.flexible))
            let documents = try PartitionDocuments(folder: folder)
            do { _ = try documents.follow(partition.changes(after: SaltedVersion())) } catch let error as StateError {
                throw StoreError(folder: folder, error)
            }
            try audit(database: PartitionDocuments.path(in: folder))
        }

        private func audit(database path: String) throws {
            let report = FileChecker.check(bytes: try DiskFile.open(path, readOnly: true).contents())
            guard report.isClean else {
                throw ServerFailure(description: "The restored file '\(path)' is damaged: \(report.firstProblem).")
            }
        }
    }
#endif
