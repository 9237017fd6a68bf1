// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import RealmStorage
    import RealmSyncCore
    import RealmSystem

    /// The stores in a data folder, which one server uses.
    final class FolderCatalog: StoreCatalog {
        private let path: String
        private let logs: OpenLogs
        private var folderLock: DiskFile?

        init(_ path: String, _ logs: OpenLogs = OpenLogs(limit: 1)) { (self.path, self.logs) = (path, logs) }

        var title: String { "The folder '\(path)'" }

        /// Both kinds of changes need a folder without a server.
        func lock(_ scope: CatalogScope) throws { if folderLock == nil { folderLock = try DataFolder.take(path) } }

        private func folder(of app: String) throws -> String { try DataFolder.folder(app, in: path + "/apps") }

        private func folder(of place: DocumentPlace) throws -> String {
            try DataFolder.folder(of: place, in: path, makesParents: false)
        }

        // MARK: Stores

        func apps() throws -> [String] { try DataFolder.apps(in: path).map(\.app).sorted() }

        func mode(of app: String) throws -> SyncMode? { try DataFolder.storedMode(app, in: path) }

        func partitions(of app: String) throws -> [PartitionName] {
            let parent = try folder(of: app) + "/partitions"
            guard Folder.holds(parent) else { return [] }
            let titles = try Folder.names(in: parent, prefix: "").filter { $0 != "." && $0 != ".." }
                .compactMap { try PartitionFiles(of: parent + "/" + $0)?.partition }
            return try titles.sorted().map { title in
                guard let name = PartitionName(title: title) else {
                    throw ServerFailure(description: "'\(title)' in '\(parent)' isn't a partition value.")
                }
                return name
            }
        }

        func holds(_ place: DocumentPlace) throws -> Bool { Folder.holds(try folder(of: place)) }

        func open(
            _ place: DocumentPlace, _ options: StoredPartition.Options, _: (any SharedFrames) throws -> IngestFeed?
        ) throws -> StoredPartition {
            try StoredPartition(
                folder: try DataFolder.folder(of: place, in: path, makesParents: true), partition: place.title,
                isFlexible: place.isFlexible, options, logs)
        }

        func documents(of place: DocumentPlace, temporary: String) throws -> StoredDocuments? {
            let folder = try folder(of: place)
            // Copied before the log is read, so that the log contains the copy's version unless it was trimmed since.
            let copy = try PartitionDocuments.copy(from: folder, temporary: temporary)
            let files = PartitionFiles(folder: folder, partition: place.title)
            return try DocumentChanges(reading: files).map {
                StoredDocuments(copy: copy, changes: $0, location: folder)
            }
        }

        func repair(_ place: DocumentPlace) throws -> RepairReport {
            try StoredPartition.repair(
                folder: try folder(of: place), partition: place.title, isFlexible: place.isFlexible)
        }

        func admit(_ definitions: [Instruction], of app: String) throws {
            try SharedSchema.admit(definitions, .folder(try folder(of: app)))
        }

        // MARK: Sizes

        func sizes(of app: String) throws -> AppSizes {
            guard try mode(of: app) != .flexible else {
                let folder = try flexibleFolder(of: app)
                let folders = [folder, IngestLog.folder(in: folder)]
                return AppSizes(bytes: folders.reduce(0) { $0 + FolderCatalog.size(of: $1) })
            }
            let folder = try folder(of: app) + "/partitions"
            guard Folder.holds(folder) else { return AppSizes() }
            let partitions = try Folder.names(in: folder, prefix: "").filter { !$0.hasPrefix(".") }
            return AppSizes(
                partitionCount: partitions.count,
                bytes: partitions.reduce(0) { $0 + FolderCatalog.size(of: folder + "/" + $1) })
        }

        private static func size(of folder: String) -> Int {
            // Files are replaced meanwhile.
            let files = (try? Folder.names(in: folder, prefix: "")) ?? []
            return files.reduce(0) { $0 + size(ofFile: folder + "/" + $1) }
        }

        private static func size(ofFile file: String) -> Int {
            let attributes = try? FileManager.default.attributesOfItem(atPath: file)
            guard attributes?[.type] as? FileAttributeType == .typeRegular else { return 0 }
            return (attributes?[.size] as? NSNumber)?.intValue ?? 0
        }

        // MARK: Files

        private func path(of file: CatalogFile) throws -> String {
            let folder = try file.place.map { try self.folder(of: $0) } ?? self.folder(of: file.app)
            return folder + "/" + file.name
        }

        func contents(of file: CatalogFile) throws -> [UInt8]? { try DiskFile.opened(try path(of: file))?.contents() }

        func write(_ contents: [UInt8]?, to file: CatalogFile) throws {
            let path = try path(of: file)
            guard let contents else {
                try Folder.removeFile(path)
                return DiskFile.syncDirectory(of: path)
            }
            try DiskFile.replace(path, with: contents)
        }

        func auditLog(of app: String) -> AuditLog { AuditLog(data: path) }

        // MARK: Moves of an app

        private func flexibleFolder(of app: String) throws -> String { try folder(of: app) + "/" + DataFolder.flexible }

        func openUnfinished(_ app: String) throws -> StoredPartition {
            // The name marks an unfinished folder.
            let folder = try flexibleFolder(of: app) + ".new"
            _ = try Folder.remove(folder)
            return try StoredPartition(folder: folder, partition: DataFolder.flexible, isFlexible: true, .command)
        }

        func adoptUnfinished(_ app: String, _ moved: MovedApp) throws {
            let folder = try flexibleFolder(of: app)
            try write(moved.encoded, to: .migration(of: app))
            try DiskFile.rename(folder + ".new", to: folder)
        }

        func retireFlexible(_ app: String, _ moved: MovedApp) throws {
            let folder = try flexibleFolder(of: app)
            try write(moved.encoded, to: .migration(of: app))
            _ = try Folder.remove(folder + ".reverted")
            try DiskFile.rename(folder, to: folder + ".reverted")
        }
    }
#endif
