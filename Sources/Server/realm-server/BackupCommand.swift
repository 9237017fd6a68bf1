// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import ArgumentParser
    import Foundation
    import RealmSyncServer

    struct BackupCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "backup", abstract: "Copies the data of a server, which can run meanwhile, to a new folder.",
            discussion: """
                The backup contains each partition at one version, and the accounts. It includes the key that signs \
                tokens, so keep it as safe as the data folder. A backup that was interrupted can't be restored. \
                \(DataOptions.noBackup)
                """)

        @OptionGroup var options: DataOptions
        @Argument(help: "The folder of the backup, which must be empty or not exist.") var folder: String

        func run() throws {
            let data = try options.embedded()
            print("\(folder): \(try FolderBackup(data: data, to: folder).run().summary)")
        }
    }

    struct RestoreCommand: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "restore", abstract: "Makes a data folder of a backup, and audits it.",
            discussion: """
                Clients whose files are newer than the backup reset themselves when they connect, and keep their \
                unsent changes. A server doesn't use the folder before the restore is complete; a restore that was \
                interrupted can be repeated. The folder must be empty or not exist. \(DataOptions.noBackup)
                """)

        @OptionGroup var options: DataOptions
        @Argument(help: "The folder of the backup.") var backup: String

        func run() throws {
            let data = try options.embedded()
            print("\(data): \(try FolderRestore(backup, to: data).run().summary)")
        }
    }

    extension DataOptions {
        static let noBackup = """
            The data of servers on PostgreSQL is in the database: use pg_dump and pg_restore, or archive its log \
            (Documentation/Operations.md, "Backups of PostgreSQL").
            """

        /// - Throws: `ValidationError` if the data is in PostgreSQL.
        fileprivate func embedded() throws -> String {
            guard case .folder(let folder) = try place() else { throw ValidationError(DataOptions.noBackup) }
            return folder
        }
    }

    extension BackupReport {
        fileprivate var summary: String {
            "\(partitions) partition\(partitions == 1 ? "" : "s"), \(bytes) bytes in \(files) "
                + "file\(files == 1 ? "" : "s"), of \(time.formatted(.iso8601))"
        }
    }
#endif
