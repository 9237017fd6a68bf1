// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import RealmStorage
    import RealmSystem

    /// Copies a data folder, whose server can be running, to a new folder.
    ///
    /// Each store is copied at one version. The accounts are copied last, so they contain the users of all stores.
    /// Other files of the apps are copied whole.
    package struct FolderBackup {
        private let data: String
        private let writer: BackupWriter

        /// Creates the folder of the backup.
        ///
        /// - Throws: `ServerFailure` if `data` isn't a data folder, or `target` isn't empty; `SystemError`.
        package init(data: String, to target: String) throws {
            guard Folder.holds(data + "/server.lock") else {
                throw ServerFailure(
                    description: "'\(data)' isn't the data folder of a server: no server has used it yet.")
            }
            try DataFolder.requireRestored(data)
            try DataFolder.requireLocal(
                data, "use pg_dump, or archive its log (Documentation/Operations.md, \"Backups of PostgreSQL\")")
            if try !Folder.create(target, mode: 0o700), try !Folder.entries(in: target).isEmpty {
                throw ServerFailure(
                    description: """
                        '\(target)' isn't empty: it contains another backup, or one that wasn't finished. Name another \
                        folder, or remove it.
                        """)
            }
            DiskFile.syncDirectory(of: target)
            self.data = data
            writer = BackupWriter(folder: target)
        }

        /// - Parameter source: The way by which the request came, for the audit log.
        /// - Throws: `StoreError` if a file is damaged, `SystemError`, `StorageError`. Then the folder isn't a backup.
        package func run(by source: String = "command") throws -> BackupReport {
            try AuditLog(data: data).perform(AuditLog.Operation(.backup, by: source)) { try copy() }
        }

        private func copy() throws -> BackupReport {
            for folder in ["apps", "accounts"] where Folder.holds(data + "/" + folder) { try copyFolder(folder) }
            writer.finish()
            let manifest = BackupManifest(time: Date(), writer.files)
            try manifest.write(in: writer.folder)
            return manifest.report(of: writer.folder)
        }

        private func copyFolder(_ path: String) throws {
            if BackupManifest.isStore(path) {
                try StoreBackup(folder: data + "/" + path, path: path, writer: writer).run()
            }
            for name in try Folder.entries(in: data + "/" + path) where isWanted(name, in: path) {
                try copy(path + "/" + name)
            }
        }

        /// Logs are copied by `StoreBackup`, and documents follow from them. `.new` are unfinished files, and a
        /// database's other files contain the state of its processes.
        private func isWanted(_ name: String, in folder: String) -> Bool {
            if BackupManifest.isStore(folder) {
                if ["ingest", "documents.realm", CatalogFile.importCursorName].contains(name) { return false }
                if ["snapshot", "log"].contains(where: { FrameFile.number(in: name, $0) != nil }) { return false }
            }
            return !name.hasPrefix(".") && !name.hasSuffix(".new") && !name.contains(".new-")
                && !name.contains(".realm.")
        }

        private func copy(_ path: String) throws {
            let source = data + "/" + path
            guard let status = FileStatus(source) else { return }
            if status.isFolder { return try copyFolder(path) }
            if path.hasSuffix(".realm") { return try copyDatabase(path) }
            guard let file = try DiskFile.opened(source) else { return }
            try writer.write(try file.contents(), to: path)
        }

        private func copyDatabase(_ path: String) throws {
            // The session preserves the version while it's copied.
            let database = try Database.open(data + "/" + path, readOnly: true, joining: .always)
            let snapshot = try database.snapshot(label: "backup")
            try writer.write(path) { try snapshot.writeCopy(to: $0) }
        }
    }
#endif
