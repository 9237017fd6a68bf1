// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import RealmStorage
    import RealmSyncCore
    import RealmSystem

    /// The list of a backup's files. It's written last, so a folder without it isn't a backup.
    struct BackupManifest: Codable {
        struct File: Codable {
            /// Relative to the folder.
            let path: String
            let size: Int
            /// The SHA-256 in hexadecimal.
            let hash: String
        }

        static let newestFormat = 1

        var format = BackupManifest.newestFormat
        let time: Date
        let files: [File]

        static func path(in folder: String) -> String { folder + "/backup.json" }

        func write(in folder: String) throws {
            try DiskFile.replace(BackupManifest.path(in: folder), with: try AdminJSON.encoded(self))
        }

        /// - Throws: `ServerFailure` if the folder isn't a complete backup.
        init(in folder: String) throws {
            let path = BackupManifest.path(in: folder)
            guard Folder.holds(path) else {
                throw ServerFailure(
                    description: "'\(folder)' isn't a backup, or is one that wasn't finished: it has no backup.json.")
            }
            let bytes = try DiskFile.open(path, readOnly: true).contents()
            guard let manifest = try? AdminJSON.decoded(BackupManifest.self, bytes) else {
                throw ServerFailure(description: "'\(path)' is damaged. Use another backup.")
            }
            guard manifest.format == BackupManifest.newestFormat else {
                throw ServerFailure(
                    description: "'\(path)' has the format \(manifest.format), of a newer version of realm-server.")
            }
            if let file = manifest.files.first(where: { !$0.isInside }) {
                throw ServerFailure(description: "'\(path)' is damaged: '\(file.path)' isn't a path of the backup.")
            }
            self = manifest
        }

        init(time: Date, _ files: [File]) { (self.time, self.files) = (time, files) }

        /// The stores of partitions and flexible apps, as paths relative to the folder.
        var stores: [String] {
            Set(files.map { ByteText(Folder.containing($0.path)) }).map(\.string)
                .filter { BackupManifest.isStore($0) }.sorted()
        }

        /// Whether a path relative to the data folder is that of a store with a log.
        static func isStore(_ path: String) -> Bool {
            let names = path.split(separator: "/", omittingEmptySubsequences: false)
            guard names.count >= 3, names[0] == "apps" else { return false }
            return names.count == 3 && names[2] == DataFolder.flexible || names.count == 4 && names[2] == "partitions"
        }

        func report(of folder: String) -> BackupReport {
            BackupReport(
                partitions: stores.count, files: files.count, bytes: files.reduce(0) { $0 + $1.size }, time: time)
        }
    }

    extension BackupManifest.File {
        /// Whether the path can't lead outside the folder.
        fileprivate var isInside: Bool {
            let names = path.split(separator: "/", omittingEmptySubsequences: false)
            return names.count > 1 && ["apps", "accounts"].contains(names[0])
                && names.allSatisfy { !$0.isEmpty && $0 != "." && $0 != ".." && !$0.contains("\0") }
        }
    }

    /// The content of a backup.
    public struct BackupReport: Sendable, Hashable {
        /// The number of partitions and of apps with flexible sync.
        public let partitions: Int
        /// The number of files.
        public let files: Int
        /// The size of the files in bytes.
        public let bytes: Int
        /// The time at which the backup was finished.
        public let time: Date
    }
#endif
