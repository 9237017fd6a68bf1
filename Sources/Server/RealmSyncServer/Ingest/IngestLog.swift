// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import RealmSystem

/// The files of the records that clients have ingested into an app.
///
/// The files follow the log of the app, in which a record becomes durable in one frame with its upload. So neither a
/// crash nor a repeated upload loses or repeats a record. The records that the log has and the files lack are appended
/// again at the next start. `sync` is therefore due only before the log is replaced.
///
/// Confined to the engine's thread, like the store to which it belongs.
final class IngestLog {
    struct Options: Sendable {
        /// The age in seconds at which a record can be removed.
        var retention: UInt64 = 30 * 24 * 3600
        /// The size in bytes above which the oldest records can be removed.
        var maximumSize: Int?
        /// The size in bytes at which another file begins.
        var segmentSize = 4 << 20
        /// Whether records are retained until a hook has processed them.
        var hasHook = false
    }

    let feed: IngestFeed
    private let files: IngestFiles
    private let folder: String
    private let partition: String
    private let options: Options
    private let calls: SystemCalls
    private var file: DiskFile
    private var salt: UInt64
    private var frameCount: UInt64 = 0
    private var end = 0
    private var isDirty = false
    /// The sequence number of the last record.
    private(set) var last: UInt64

    /// Returns the folder of the files in that of a store.
    static func folder(in store: String) -> String { store + "/ingest" }

    /// Creates the folder if it doesn't exist.
    ///
    /// - Parameter start: The sequence number of the first record of a new log.
    /// - Throws: `StoreError` if a file is damaged, `SystemError`.
    init(
        folder: String, partition: String, _ options: Options, startingAt start: UInt64 = 1,
        calls: SystemCalls = SystemCalls()
    ) throws {
        (self.folder, self.partition, self.options, self.calls) = (folder, partition, options, calls)
        if try Folder.create(folder, mode: 0o700) { DiskFile.syncDirectory(of: folder) }
        let firsts = try Folder.names(in: folder, prefix: "").compactMap { FrameFile.number(in: $0, "segment") }
        let files = IngestFiles(
            folder: folder, partition: partition, firsts.sorted(), segmentSize: options.segmentSize)
        (self.files, feed) = (files, IngestFeed(files))
        if options.hasHook { try files.openDelivery() }
        guard let first = firsts.max() else {
            (file, salt, end) = try IngestLog.begin(start, in: folder, partition, calls)
            last = start - 1
            files.add(segment: start)
            files.publish(last)
            return
        }
        let path = IngestSegment.path(first, in: folder)
        file = try DiskFile.open(path, readOnly: false, calls: calls)
        let bytes = try file.contents()
        var segment = try IngestSegment(bytes, path: path, first: first, partition: partition)
        last = first - 1
        while let frame = segment.next() { last = frame.records.upperBound - 1 }
        (salt, frameCount, end) = (segment.salt, segment.frameCount, segment.end)
        // A crash has interrupted the last writes, which weren't synced.
        if end < bytes.count { try file.resize(to: end) }
        files.publish(last)
    }

    private static func begin(
        _ first: UInt64, in folder: String, _ partition: String, _ calls: SystemCalls
    ) throws -> (DiskFile, salt: UInt64, end: Int) {
        let path = IngestSegment.path(first, in: folder)
        let salt = UInt64.random(in: 1 ... .max)
        let bytes = FrameFile.encoded(FrameFile.Header(partition: partition, generation: first, salt: salt))
        return (try DiskFile.replace(path, with: bytes, calls: calls), salt, bytes.count)
    }

    /// Appends the records of the app's log that the files lack.
    ///
    /// - Parameter newest: The sequence number of the newest record, according to the app's log.
    /// - Throws: `StoreError` if records are in neither of both.
    func restore(_ records: [IngestRecord], newest: UInt64) throws {
        let missing = records.drop { $0.sequence <= last }
        guard missing.isEmpty ? newest <= last : missing.first?.sequence == last + 1 else {
            throw StoreError(
                IngestSegment.path(last + 1, in: folder), at: 0, "the ingested records after \(last) are missing")
        }
        try append(missing)
    }

    /// The records must be durable in the app's log.
    func append(_ records: ArraySlice<IngestRecord>) throws {
        var rest = records
        while let first = rest.first {
            var size = 0
            let part = rest.prefix { record in
                defer { size += record.document.count }
                return size < IngestSegment.frameSize
            }
            rest = rest.dropFirst(part.count)
            if end >= options.segmentSize { try beginSegment(first.sequence) }
            let frame = FrameFile.frame(IngestSegment.frameContent(part), frameCount, salt: salt)
            isDirty = true
            try file.append(frame, at: end)
            (end, frameCount, last) = (end + frame.count, frameCount + 1, first.sequence + UInt64(part.count) - 1)
        }
        if !records.isEmpty { files.publish(last) }
    }

    private func beginSegment(_ first: UInt64) throws {
        try sync()
        (file, salt, end) = try IngestLog.begin(first, in: folder, partition, calls)
        frameCount = 0
        files.add(segment: first)
    }

    func sync() throws {
        guard isDirty else { return }
        try file.sync()
        isDirty = false
    }
}
