// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore
import RealmSystem

struct PartitionFiles {
    let folder: String
    /// As the headers of the files name it.
    let partition: String

    init(folder: String, partition: String) { (self.folder, self.partition) = (folder, partition) }

    /// Reads the name of the partition from the files of a folder, whose server can be running. Returns `nil` if it has
    /// none.
    ///
    /// - Throws: `StoreError` if a file is damaged, `SystemError`.
    init?(of folder: String) throws {
        let files = PartitionFiles(folder: folder, partition: "")
        guard let partition = try files.withNewestGeneration({ try files.partition(at: $0) }) else { return nil }
        self.init(folder: folder, partition: partition)
    }

    private func partition(at generation: UInt64) throws -> String? {
        for kind in ["snapshot", "log"] {
            let path = path(kind, generation)
            guard Folder.holds(path) else { continue }
            let file = try DiskFile.open(path, readOnly: true)
            let bytes = try file.bytes(min(FrameFile.maxHeader, try file.size()), at: 0)
            do throws(RecordError) {
                if let (header, _) = try FrameFile.header(bytes) { return header.partition }
            } catch {
                throw StoreError(path, error)
            }
        }
        return nil
    }

    func path(_ kind: String, _ generation: UInt64) -> String { FrameFile.path(kind, generation, in: folder) }

    func names() throws -> [String] { try Folder.names(in: folder, prefix: "").sorted() }

    /// Returns 0 if no name contains a generation.
    ///
    /// - Throws: `StoreError` if the snapshot of the newest log is missing.
    func newestGeneration(_ names: [String]) throws(StoreError) -> UInt64 {
        let snapshots = names.compactMap { FrameFile.number(in: $0, "snapshot") }
        let logs = names.compactMap { FrameFile.number(in: $0, "log") }
        let newest = snapshots.max() ?? 0
        if let log = logs.max(), log > newest {
            throw StoreError(path("log", log), at: 0, "the snapshot on which it is based is missing")
        }
        return newest
    }

    /// Returns the result of `body` for the newest generation. A server can be running: if it has started a new
    /// generation meanwhile, which removes the files of the previous one, `body` is called again.
    func withNewestGeneration<Result>(_ body: (UInt64) throws -> Result) throws -> Result {
        var attempt = 1
        while true {
            do {
                let generation = try newestGeneration(try names())
                let result = try body(generation)
                if try newestGeneration(try names()) == generation { return result }
            } catch {
                if attempt >= PartitionFiles.maxAttempts { throw error }
            }
            attempt += 1
        }
    }

    private static let maxAttempts = 5

    @discardableResult
    func readSnapshot(_ generation: UInt64, _ body: (StoreRecord) throws -> Void) throws -> FrameFile.Content {
        try readSnapshot(try DiskFile.open(path("snapshot", generation), readOnly: true), generation, body)
    }

    func readSnapshot(
        _ file: DiskFile, _ generation: UInt64, _ body: (StoreRecord) throws -> Void
    ) throws -> FrameFile.Content {
        let path = path("snapshot", generation)
        var isComplete = false
        let content = try read(file, generation, path) { record in
            if case .end = record { isComplete = true }
            try body(record)
        }
        guard let content, isComplete, content.end == content.size else {
            throw StoreError(path, at: content?.end ?? 0, "the snapshot ends too early")
        }
        return content
    }

    /// Returns `nil` if the file ends within its header.
    @discardableResult
    func readLog(
        _ file: DiskFile, _ generation: UInt64, _ body: (StoreRecord) throws -> Void
    ) throws -> FrameFile.Content? {
        try read(file, generation, path("log", generation), body)
    }

    private func read(
        _ file: DiskFile, _ generation: UInt64, _ path: String, _ body: (StoreRecord) throws -> Void
    ) throws -> FrameFile.Content? {
        try FrameFile.read(file, path: path) {
            try requireOurs($0, generation, path)
        } frame: { frame, offset in
            try StoreRecord.replay(frame, of: path, at: offset, body)
        }
    }

    private func requireOurs(_ header: FrameFile.Header, _ generation: UInt64, _ path: String) throws(StoreError) {
        guard header.partition.isIdentical(to: partition), header.generation == generation else {
            throw StoreError(path, at: 0, "it belongs to partition \(header.partition), or to another generation")
        }
    }
}
