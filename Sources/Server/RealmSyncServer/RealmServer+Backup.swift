// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    extension RealmServer {
        /// Copies the data of the server to a new folder while it runs. No client waits for it.
        ///
        /// The backup contains each partition and each app with flexible sync at one durable version, with all changes
        /// that were acknowledged before the call, and the accounts. Can be called from any thread.
        ///
        /// - Parameter folder: The path of a folder that is empty or doesn't exist. It contains passwords' hashes and
        ///   the key that signs tokens, so only its owner can read it.
        /// - Returns: The content of the backup, which is durable.
        /// - Throws: An error if a file can't be read or written, or is damaged. Then the folder isn't a backup.
        public func backup(to folder: String) async throws -> BackupReport {
            let data = administration.data
            return try await RealmServer.copies.result { try FolderBackup(data: data, to: folder).run(by: "program") }
        }

        /// Makes a data folder of a backup. A server can then use the folder.
        ///
        /// The clients whose files are newer than the backup reset themselves when they connect, which keeps their
        /// unsent changes in the recovery modes.
        ///
        /// - Parameters:
        ///   - backup: The path of a backup.
        ///   - folder: The path of a folder that is empty or doesn't exist, or of an unfinished restore.
        /// - Returns: The content of the backup, which is durable in the folder.
        /// - Throws: An error if a file of the backup is missing or damaged. Then no server uses the folder.
        public static func restore(_ backup: String, to folder: String) async throws -> BackupReport {
            try await copies.result { try FolderRestore(backup, to: folder).run(by: "program") }
        }

        private static let copies = BackgroundWork(maximumThreadCount: 1)
    }
#endif
