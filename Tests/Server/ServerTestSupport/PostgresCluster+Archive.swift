// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if PostgreSQL
    import Foundation
    import RealmPostgres
    import RealmSystem

    /// Recovery to a point in time, from a copy of the files and the archived log.
    extension PostgresCluster {
        package static var canArchive: Bool { PostgresPrograms.installed?.holds("pg_basebackup") == true }
        package static let archiveAbsence = "PostgreSQL or pg_basebackup is absent: apt-get install postgresql"

        private static func archive(in folder: String) -> String { folder + "/archive" }
        private var base: String { folder + "/base" }

        static func archiving(_ folder: String) -> [String] {
            ["archive_mode=on", "archive_command=cp %p \(archive(in: folder))/%f"]
        }

        func makeArchive() throws {
            let path = PostgresCluster.archive(in: folder)
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
            own(path)
        }

        /// Copies the files, which the cluster can change meanwhile.
        package func makeBaseBackup() throws {
            try run(
                "pg_basebackup",
                [
                    "-D", base, "-h", folder, "-p", "\(port)", "-U", "regnum", "--checkpoint=fast", "--no-sync",
                    "--wal-method=fetch",
                ])
        }

        /// Names the current time, and archives the log up to it.
        package func makeRestorePoint(_ name: String) throws {
            let connection = try PostgresConnection(try PostgresSettings(url("postgres")))
            let point = "SELECT pg_walfile_name(pg_create_restore_point($1))"
            let file = try connection.query(point, [.text(name)]).rows[0].text(0)
            try connection.execute("SELECT pg_switch_wal()")
            let isArchived = "SELECT coalesce(left(last_archived_wal, 24) >= $1, false) FROM pg_stat_archiver"
            while try !connection.query(isArchived, [.text(file)]).rows[0].bool(0) {
                CurrentProcess.pause(microseconds: 20_000)
            }
        }

        /// Starts a cluster of the base backup of another one, with the changes up to a restore point. The base backup
        /// is used up.
        package convenience init(recovering source: PostgresCluster, to point: String) throws {
            let archive = PostgresCluster.archive(in: source.folder)
            try self.init("127.0.0.1") { _ in
                [
                    "restore_command=cp \(archive)/%f %p", "recovery_target_name=\(point)",
                    "recovery_target_action=promote",
                ]
            }
            try FileManager.default.moveItem(atPath: source.base, toPath: data)
            let signal = data + "/recovery.signal"
            try Data().write(to: URL(fileURLWithPath: signal))
            own(signal)
            try start()
            let connection = try PostgresConnection(try PostgresSettings(url("postgres")))
            while try connection.query("SELECT pg_is_in_recovery()").rows[0].bool(0) {
                CurrentProcess.pause(microseconds: 20_000)
            }
        }
    }
#endif
