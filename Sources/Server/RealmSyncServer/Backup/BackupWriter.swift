// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import RealmCrypto
    import RealmStorage
    import RealmSyncCore
    import RealmSystem

    /// Writes the files of a backup or of a restored data folder, durably, and records their sizes and hashes.
    final class BackupWriter {
        let folder: String
        private(set) var files: [BackupManifest.File] = []
        private var folders: Set<ByteText> = []

        init(folder: String) { self.folder = folder }

        func write(_ bytes: [UInt8], to path: String) throws {
            let file = try create(path)
            try file.append(bytes, at: 0)
            try file.sync()
            let hash = try SHA256()
            hash.update(bytes)
            add(path, bytes.count, hash)
        }

        /// - Parameter body: Writes the content of the file.
        func write(_ path: String, _ body: (DiskFile) throws -> Void) throws {
            let file = try create(path)
            try body(file)
            try file.sync()
            let hash = try SHA256()
            let size = try file.size()
            try file.forEachPiece(through: size) { piece, _ in hash.update(piece) }
            add(path, size, hash)
        }

        private func add(_ path: String, _ size: Int, _ hash: SHA256) {
            files.append(BackupManifest.File(path: path, size: size, hash: Hexadecimal.text(hash.finish())))
        }

        private func create(_ path: String) throws -> DiskFile {
            try makeFolders(of: path)
            return try DiskFile.create(folder + "/" + path)
        }

        private func makeFolders(of path: String) throws {
            let parent = Folder.containing(path)
            guard !parent.isEmpty, !folders.contains(ByteText(parent)) else { return }
            try makeFolders(of: parent)
            try Folder.create(folder + "/" + parent, mode: 0o700)
            folders.insert(ByteText(parent))
        }

        /// Makes the names of the files durable.
        func finish() {
            let names = Set(files.map { ByteText($0.path) }).union(folders)
            for parent in Set(names.map { ByteText(Folder.containing($0.string)) }) {
                DiskFile.syncDirectory(of: folder + "/" + (parent.string.isEmpty ? "" : parent.string + "/") + "x")
            }
            DiskFile.syncDirectory(of: folder)
        }
    }

    extension Folder {
        /// Returns the sorted names in a folder, without those of itself and of its parent.
        static func entries(in path: String) throws -> [String] {
            try names(in: path, prefix: "").filter { $0 != "." && $0 != ".." }.sorted()
        }
    }

    extension DiskFile {
        /// Passes the content up to an offset in pieces of 1 MiB.
        func forEachPiece(through end: Int, _ body: ([UInt8], _ offset: Int) throws -> Void) throws {
            for offset in stride(from: 0, to: end, by: 1 << 20) {
                try body(try bytes(min(1 << 20, end - offset), at: offset), offset)
            }
        }
    }
#endif
