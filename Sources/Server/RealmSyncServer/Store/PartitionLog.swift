// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import RealmSystem

/// The files of a partition: a snapshot, and a log of the later changes.
///
/// The names of both contain the number of their generation. A new generation starts with a snapshot, which is renamed
/// to its final name when it's durable. Then the files of the previous generation are removed.
final class PartitionLog: RecordLog {
    private let files: PartitionFiles
    private let calls: SystemCalls
    private let logs: OpenLogs
    private var generation: UInt64 = 0
    private var salt: UInt64 = 0
    private var file: LogFile?
    private var frameCount: UInt64 = 0
    private(set) var snapshotSize = 0

    var size: Int { file?.end ?? 0 }

    /// - Parameters:
    ///   - folder: Created if it doesn't exist.
    ///   - partition: The name of the partition, as in `bind`.
    ///   - logs: The open logs, which include this one while it's used.
    ///   - calls: The system calls, in which tests inject failures.
    init(
        folder: String, partition: String, _ logs: OpenLogs = OpenLogs(limit: 1), calls: SystemCalls = SystemCalls()
    ) throws {
        files = PartitionFiles(folder: folder, partition: partition)
        self.logs = logs
        self.calls = calls
        if try Folder.create(folder, mode: 0o700) { DiskFile.syncDirectory(of: folder) }
    }

    deinit { file?.close() }

    private func path(_ kind: String, _ generation: UInt64) -> String { files.path(kind, generation) }

    // MARK: Opening

    /// Reads all records, in order, and opens the log for appending. An incomplete last frame is removed.
    ///
    /// - Throws: `StoreError` if a file is damaged, or any error of `body`.
    func open(_ body: (StoreRecord) throws -> Void) throws {
        let names = try files.names()
        generation = try files.newestGeneration(names)
        if generation > 0 { snapshotSize = try files.readSnapshot(generation, body).size }
        try openLog(body)
        try removeOthers(names)
    }

    private func openLog(_ body: (StoreRecord) throws -> Void) throws {
        let path = path("log", generation)
        guard Folder.holds(path) else { return try beginLog() }
        let file = try logs.withDescriptor { try DiskFile.open(path, readOnly: false, calls: calls) }
        guard let content = try files.readLog(file, generation, body) else { return try beginLog() }
        if content.end < content.size {
            try file.resize(to: content.end)
            try file.sync()
        }
        (salt, frameCount) = (content.header.salt, content.frameCount)
        hold(file, path, end: content.end)
    }

    private func hold(_ file: DiskFile, _ path: String, end: Int) {
        self.file?.close()
        self.file = LogFile(file, path: path, end: end, logs, calls: calls)
    }

    /// The log is renamed to its final name when its header is durable.
    private func beginLog() throws {
        let path = path("log", generation)
        salt = PartitionLog.newSalt()
        let header = FrameFile.Header(partition: files.partition, generation: generation, salt: salt)
        let bytes = FrameFile.encoded(header)
        try Folder.removeFile(path + ".new")
        let new = try logs.withDescriptor { try DiskFile.create(path + ".new", named: path, calls: calls) }
        try new.append(bytes, at: 0)
        try new.sync()
        try DiskFile.rename(path + ".new", to: path)
        frameCount = 0
        hold(new, path, end: bytes.count)
    }

    private static func newSalt() -> UInt64 { .random(in: 1 ... .max) }

    private func removeOthers(_ names: [String]) throws {
        let kept = ["snapshot", "log"].map { Folder.lastName(of: path($0, generation)) }
        for name in names where !kept.contains(name) && (name.hasPrefix("snapshot-") || name.hasPrefix("log-")) {
            try Folder.removeFile("\(files.folder)/\(name)")
        }
    }

    // MARK: Writing

    /// The records contain those of `ingested`.
    func append(_ records: [UInt8], ingesting ingested: [IngestRecord]) throws {
        guard let file else { return }
        let frame = FrameFile.frame(records, frameCount, salt: salt)
        try file.append(frame)
        frameCount += 1
    }

    func sync() throws { try file?.sync() }

    /// Starts a new generation with a snapshot.
    func begin(_ records: ((StoreRecord) throws -> Void) throws -> Void) throws {
        let snapshot = try beginSnapshot()
        try snapshot.fill(records)
        try snapshot.adopt()
    }

    private final class Snapshot: LogSnapshot {
        let log: PartitionLog
        let file: DiskFile
        let generation: UInt64
        var size = 0

        init(_ log: PartitionLog, _ file: DiskFile, _ generation: UInt64) {
            (self.log, self.file, self.generation) = (log, file, generation)
        }

        /// Doesn't use the other state of the log.
        func fill(_ records: ((StoreRecord) throws -> Void) throws -> Void) throws {
            size = try log.write(records, generation, to: file)
            try file.sync()
        }

        func adopt() throws { try log.adopt(self) }
    }

    func beginSnapshot() throws -> any LogSnapshot {
        try sync()
        let path = path("snapshot", generation + 1)
        try Folder.removeFile(path + ".new")
        let file = try logs.withDescriptor { try DiskFile.create(path + ".new", named: path, calls: calls) }
        return Snapshot(self, file, generation + 1)
    }

    private func adopt(_ snapshot: Snapshot) throws {
        let old = generation
        let path = path("snapshot", snapshot.generation)
        try DiskFile.rename(path + ".new", to: path)
        (generation, snapshotSize) = (snapshot.generation, snapshot.size)
        try beginLog()
        for kind in ["snapshot", "log"] { try Folder.removeFile(self.path(kind, old)) }
    }

    private static let snapshotFrame = 1 << 20

    private func write(
        _ records: ((StoreRecord) throws -> Void) throws -> Void, _ generation: UInt64, to file: DiskFile
    ) throws -> Int {
        let header = FrameFile.Header(partition: files.partition, generation: generation, salt: PartitionLog.newSalt())
        var offset = 0
        func write(_ bytes: [UInt8]) throws {
            try file.append(bytes, at: offset)
            offset += bytes.count
        }
        try write(FrameFile.encoded(header))
        var writer = RecordWriter()
        var number: UInt64 = 0
        func writeFrame() throws {
            try write(FrameFile.frame(writer.bytes, number, salt: header.salt))
            number += 1
            writer = RecordWriter()
        }
        try records { record in
            try record.write(to: &writer)
            if writer.bytes.count >= PartitionLog.snapshotFrame { try writeFrame() }
        }
        try writeFrame()
        return offset
    }
}
