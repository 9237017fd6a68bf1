// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import RealmSystem

/// The files of a partition: a snapshot, and the log of what was done since.
///
/// Both have the number of their generation in their names. A new generation begins with a snapshot, which gets its
/// name when it is durable; files of older ones are no longer needed then.
final class PartitionLog {
    private let folder: String
    private let partition: String
    private let calls: SystemCalls
    private var generation: UInt64 = 0
    private var salt: UInt64 = 0
    private var file: DiskFile?
    /// Where the next frame of the log goes, and its number.
    private var end = 0
    private var frameCount: UInt64 = 0
    private var isDirty = false
    private(set) var snapshotSize = 0

    /// The size of the log.
    var size: Int { end }

    /// - Parameters:
    ///   - folder: the folder of the partition, which is made if it is missing.
    ///   - partition: its name, as `bind` has it.
    ///   - calls: the system calls, which tests make fail.
    init(folder: String, partition: String, calls: SystemCalls = SystemCalls()) throws {
        (self.folder, self.partition, self.calls) = (folder, partition, calls)
        if try Folder.create(folder, mode: 0o700) { DiskFile.syncDirectory(of: folder) }
    }

    private func path(_ kind: String, _ generation: UInt64) -> String {
        let digits = String(generation, radix: 16)
        return "\(folder)/\(kind)-\(String(repeating: "0", count: 16 - digits.count))\(digits)"
    }

    // MARK: Opening

    /// Reads all records, in order, and opens the log for more. What a crash has left of the last frame is cut off.
    ///
    /// - Throws: `StoreError` if a file is damaged, or what `body` throws.
    func open(_ body: (StoreRecord) throws -> Void) throws {
        let names = try Folder.names(in: folder, prefix: "").sorted()
        let snapshots = names.compactMap { PartitionLog.generation($0, "snapshot-") }
        let logs = names.compactMap { PartitionLog.generation($0, "log-") }
        generation = snapshots.max() ?? 0
        if let log = logs.max(), log > generation {
            throw StoreError(path("log", log), at: 0, "the snapshot on which it is based is missing")
        }
        if generation > 0 { try readSnapshot(body) }
        try openLog(body)
        try removeOthers(names)
    }

    private static func generation(_ name: String, _ prefix: String) -> UInt64? {
        guard name.hasPrefix(prefix), name.utf8.count == prefix.utf8.count + 16 else { return nil }
        return UInt64(name.dropFirst(prefix.count), radix: 16)
    }

    private func readSnapshot(_ body: (StoreRecord) throws -> Void) throws {
        let path = path("snapshot", generation)
        let bytes = try DiskFile.open(path, readOnly: true).contents()
        guard let content = try FrameFile.read(bytes, path: path) else {
            throw StoreError(path, at: bytes.count, "the snapshot ends too early")
        }
        try requireOurs(content.header, path)
        var isComplete = false
        try PartitionLog.replay(content, path) { record in
            if case .end = record { isComplete = true }
            try body(record)
        }
        guard isComplete, content.end == bytes.count else {
            throw StoreError(path, at: content.end, "the snapshot ends too early")
        }
        snapshotSize = bytes.count
    }

    private func openLog(_ body: (StoreRecord) throws -> Void) throws {
        let path = path("log", generation)
        guard Folder.holds(path) else { return try beginLog() }
        let file = try DiskFile.open(path, readOnly: false, calls: calls)
        let bytes = try file.contents()
        guard let content = try FrameFile.read(bytes, path: path) else { return try beginLog() }
        try requireOurs(content.header, path)
        try PartitionLog.replay(content, path, body)
        if content.end < bytes.count {
            try file.resize(to: content.end)
            try file.sync()
        }
        (self.file, salt, end, frameCount) = (file, content.header.salt, content.end, UInt64(content.frames.count))
    }

    private func requireOurs(_ header: FrameFile.Header, _ path: String) throws(StoreError) {
        guard header.partition == partition, header.generation == generation else {
            throw StoreError(path, at: 0, "it belongs to partition \(header.partition), or to another generation")
        }
    }

    private static func replay(
        _ content: FrameFile.Content, _ path: String, _ body: (StoreRecord) throws -> Void
    ) throws {
        for frame in content.frames {
            var reader = RecordReader(content.bytes[frame])
            while !reader.isAtEnd {
                let start = reader.offset
                do { try body(try StoreRecord(&reader)) } catch let error as RecordError {
                    throw StoreError(path, error)
                } catch let error as StateError {
                    throw StoreError(path, at: start, error.message)
                } catch let error as ChangesetError {
                    throw StoreError(path, at: start, error.description)
                }
            }
        }
    }

    /// Makes an empty log. It gets its name when its header is durable.
    private func beginLog() throws {
        let path = path("log", generation)
        salt = PartitionLog.newSalt()
        let header = FrameFile.Header(partition: partition, generation: generation, salt: salt)
        let bytes = FrameFile.encoded(header)
        try Folder.removeFile(path + ".new")
        let new = try DiskFile.create(path + ".new", named: path, calls: calls)
        try new.append(bytes, at: 0)
        try new.sync()
        try DiskFile.rename(path + ".new", to: path)
        (file, end, frameCount, isDirty) = (new, bytes.count, 0, false)
    }

    private static func newSalt() -> UInt64 { .random(in: 1 ... .max) }

    private func removeOthers(_ names: [String]) throws {
        let kept = ["snapshot", "log"].map { Folder.lastName(of: path($0, generation)) }
        for name in names where !kept.contains(name) && (name.hasPrefix("snapshot-") || name.hasPrefix("log-")) {
            try Folder.removeFile("\(folder)/\(name)")
        }
    }

    // MARK: Writing

    /// Writes records as one frame: a crash leaves all of them or none. They are not durable before `sync`.
    func append(_ records: [UInt8]) throws {
        guard let file else { return }
        let frame = FrameFile.frame(records, frameCount, salt: salt)
        isDirty = true
        try file.append(frame, at: end)
        end += frame.count
        frameCount += 1
    }

    func sync() throws {
        guard isDirty else { return }
        try file?.sync()
        isDirty = false
    }

    /// Begins a new generation with a snapshot.
    ///
    /// - Parameter records: hands on what leads to all that is there.
    func begin(_ records: ((StoreRecord) throws -> Void) throws -> Void) throws {
        try sync()
        let (old, next) = (generation, generation + 1)
        let path = path("snapshot", next)
        try Folder.removeFile(path + ".new")
        let snapshot = try DiskFile.create(path + ".new", named: path, calls: calls)
        let size = try write(records, next, to: snapshot)
        try snapshot.sync()
        try DiskFile.rename(path + ".new", to: path)
        (generation, snapshotSize) = (next, size)
        try beginLog()
        for kind in ["snapshot", "log"] { try Folder.removeFile(self.path(kind, old)) }
    }

    private static let snapshotFrame = 1 << 20

    private func write(
        _ records: ((StoreRecord) throws -> Void) throws -> Void, _ generation: UInt64, to file: DiskFile
    ) throws -> Int {
        let header = FrameFile.Header(partition: partition, generation: generation, salt: PartitionLog.newSalt())
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
            record.write(to: &writer)
            if writer.bytes.count >= PartitionLog.snapshotFrame { try writeFrame() }
        }
        try writeFrame()
        return offset
    }
}
