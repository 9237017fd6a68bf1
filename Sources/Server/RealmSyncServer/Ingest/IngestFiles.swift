// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import RealmSystem

/// The ingested records of an app in files, which the app's `IngestLog` appends.
///
/// Unchecked `Sendable`: `lock` guards the state.
final class IngestFiles: IngestSource, @unchecked Sendable {
    private let folder: String
    private let partition: String
    private let segmentSize: Int
    private let lock = Lock()
    /// The first sequence number of each file, in order.
    private var segments: [UInt64]
    private var newest: UInt64 = 0
    /// The last record that the hook has processed, or `nil` without a hook.
    private var delivered: UInt64?
    private var didChange: @Sendable () -> Void = {}

    /// - Parameter segmentSize: The minimum size of all files except for the newest, in bytes.
    init(folder: String, partition: String, _ segments: [UInt64], segmentSize: Int) {
        (self.folder, self.partition, self.segments) = (folder, partition, segments)
        self.segmentSize = segmentSize
    }

    var bounds: IngestBounds {
        lock.locked { IngestBounds(oldest: segments.first ?? 1, newest: newest, delivered: delivered) }
    }

    var lease: IngestLease? { nil }

    func observe(_ didChange: @escaping @Sendable () -> Void) { lock.locked { self.didChange = didChange } }

    // MARK: The log's side

    func add(segment first: UInt64) { lock.locked { segments.append(first) } }

    func publish(_ newest: UInt64) {
        let didChange = lock.locked {
            self.newest = newest
            return self.didChange
        }
        didChange()
    }

    // MARK: Reading

    /// The size in bytes of records that a page examines, approximately.
    private static let examinedSize = 8 << 20

    func page(after cursor: UInt64, limit: Int, of className: Text?) throws -> IngestFeed.Page {
        do { return try readPage(after: cursor, limit, className) } catch let error as SystemError {
            // The file may have been removed meanwhile.
            let oldest = bounds.oldest
            guard cursor > 0, cursor + 1 < oldest else { throw error }
            throw IngestFeed.Refusal.removed(oldest: oldest)
        }
    }

    private func readPage(after cursor: UInt64, _ limit: Int, _ className: Text?) throws -> IngestFeed.Page {
        let (segments, newest) = lock.locked { (self.segments, self.newest) }
        let bounds = IngestBounds(oldest: segments.first ?? 1, newest: newest)
        var page = IngestFeed.Page(cursor: try bounds.start(after: cursor))
        var (size, examined) = (0, 0)
        var index = (segments.firstIndex { $0 > page.cursor + 1 } ?? segments.count) - 1
        while page.cursor < newest, size < IngestFeed.pageSize, examined < IngestFiles.examinedSize {
            guard index < segments.count else { throw damage(page.cursor, segments) }
            var segment = try self.segment(segments[index])
            segment.skip(to: page.cursor + 1)
            while page.cursor < newest, size < IngestFeed.pageSize, let frame = segment.next() {
                examined += frame.content.count
                for record in try segment.records(in: frame) where record.sequence > page.cursor {
                    guard record.sequence == page.cursor + 1 else { throw damage(page.cursor, segments) }
                    guard record.sequence <= newest, page.records.count < limit, size < IngestFeed.pageSize else {
                        return page
                    }
                    page.cursor = record.sequence
                    if let className, record.className != className { continue }
                    size += record.document.count
                    page.records.append(record)
                }
            }
            // The records before the next file are in this one.
            let next = index + 1 < segments.count ? segments[index + 1] : newest + 1
            guard page.cursor + 1 == next || size >= IngestFeed.pageSize else { throw damage(page.cursor, segments) }
            index += 1
        }
        return page
    }

    private func segment(_ first: UInt64) throws -> IngestSegment {
        let path = IngestSegment.path(first, in: folder)
        let bytes = try DiskFile.open(path, readOnly: true).contents()
        return try IngestSegment(bytes, path: path, first: first, partition: partition)
    }

    private func damage(_ cursor: UInt64, _ segments: [UInt64]) -> StoreError {
        let first = segments.last { $0 <= cursor + 1 } ?? 1
        return StoreError(
            IngestSegment.path(first, in: folder), at: 0, "record \(cursor + 1) is missing or damaged")
    }

    // MARK: Delivery to the hook

    static func deliveryPath(in folder: String) -> String { folder + "/delivered" }

    /// Returns `nil` if no hook was used.
    ///
    /// - Throws: `StoreError` if the recorded cursor is damaged, `SystemError`.
    static func readDelivered(in folder: String) throws -> UInt64? {
        let path = deliveryPath(in: folder)
        guard Folder.holds(path) else { return nil }
        let bytes = try DiskFile.open(path, readOnly: true).contents()
        var reader = RecordReader(bytes[...])
        guard let found = try? reader.fixed(UInt64.self), let checksum = try? reader.fixed(UInt32.self),
            reader.isAtEnd, checksum == CRC32C.of(bytes.prefix(8))
        else {
            throw StoreError(
                folder: path, "it isn't the cursor of a hook",
                remedy: "Remove the file to repeat the delivery of all records.")
        }
        return found
    }

    static func writeDelivered(_ sequence: UInt64, in folder: String) throws {
        try DiskFile.replace(deliveryPath(in: folder), with: encodedDelivered(sequence))
    }

    static func encodedDelivered(_ sequence: UInt64) -> [UInt8] {
        var writer = RecordWriter()
        writer.fixed(sequence)
        writer.fixed(CRC32C.of(writer.bytes))
        return writer.bytes
    }

    /// - Throws: `StoreError` if the recorded cursor is damaged, `SystemError`.
    func openDelivery() throws {
        let cursor = try IngestFiles.readDelivered(in: folder) ?? 0
        lock.locked { delivered = cursor }
    }

    func beginDelivery() -> UInt64? { lock.locked { delivered ?? 0 } }

    func didDeliver(through sequence: UInt64) throws {
        try IngestFiles.writeDelivered(sequence, in: folder)
        lock.locked { delivered = sequence }
    }

    func endDelivery() {}

    // MARK: Removal

    /// Removes the files whose records are all at or before a sequence number. The newest file remains, and so do
    /// records that the hook hasn't processed.
    func remove(through sequence: UInt64) throws {
        while let removed = lock.locked({ takeOldest(through: min(sequence, delivered ?? sequence)) }) {
            let path = IngestSegment.path(removed, in: folder)
            try Folder.removeFile(path)
            // In order, so that a crash doesn't leave a gap.
            DiskFile.syncDirectory(of: path)
        }
    }

    private func takeOldest(through sequence: UInt64) -> UInt64? {
        guard segments.count > 1, segments[1] - 1 <= sequence else { return nil }
        return segments.removeFirst()
    }

    func expire(before time: UInt64, maximumSize: Int?) throws {
        let maximumCount = maximumSize.map { max(1, $0 / segmentSize) } ?? .max
        while true {
            let (second, count, newest) = lock.locked {
                (segments.count > 1 ? segments[1] : nil, segments.count, self.newest)
            }
            guard let second, second <= newest else { return }
            guard try count > maximumCount || startTime(of: second) < time else { return }
            try remove(through: second - 1)
            guard bounds.oldest >= second else { return }
        }
    }

    /// The records before the segment aren't newer.
    private func startTime(of first: UInt64) throws -> UInt64 {
        var segment = try self.segment(first)
        guard let frame = segment.next(), let record = try segment.records(in: frame).first else { return .max }
        return record.time
    }
}
