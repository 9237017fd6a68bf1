// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import RealmSystem

/// The readers' side of the ingested records of an app. Can be used from any thread.
///
/// Unchecked `Sendable`: `lock` guards the state.
package final class IngestFeed: @unchecked Sendable {
    struct Page {
        var records: [IngestRecord] = []
        /// The last record that was examined. The next page follows it.
        var cursor: UInt64
    }

    enum Refusal: Error, Equatable {
        /// The records up to the cursor were removed, and so were later ones.
        case removed(oldest: UInt64)
        /// The cursor is of another stream, or of a newer copy of this one.
        case ahead(newest: UInt64)
    }

    private let folder: String
    private let partition: String
    private let lock = Lock()
    /// The first sequence number of each file, in order.
    private var segments: [UInt64]
    private var newest: UInt64 = 0
    /// The last record that the hook has processed, or `nil` without a hook.
    private var delivered: UInt64?
    private var observers: [UInt64: @Sendable () -> Void] = [:]
    private var lastObserver: UInt64 = 0

    init(folder: String, partition: String, _ segments: [UInt64]) {
        (self.folder, self.partition, self.segments) = (folder, partition, segments)
    }

    // MARK: The log's side

    func add(segment first: UInt64) { lock.locked { segments.append(first) } }

    func publish(_ newest: UInt64) {
        let woken = lock.locked {
            self.newest = newest
            defer { observers = [:] }
            return observers.values
        }
        for wake in woken { wake() }
    }

    // MARK: Waiting

    /// Calls `body` once when a record after `sequence` exists. It can be called before this method returns.
    ///
    /// - Returns: The identifier for `cancel`.
    func observe(after sequence: UInt64, _ body: @escaping @Sendable () -> Void) -> UInt64 {
        let (number, isDue) = lock.locked {
            lastObserver += 1
            if newest <= sequence { observers[lastObserver] = body }
            return (lastObserver, newest > sequence)
        }
        if isDue { body() }
        return number
    }

    /// Calls the observer, unless it was called.
    func cancel(_ observer: UInt64) { lock.locked { observers.removeValue(forKey: observer) }?() }

    // MARK: Reading

    var newestSequence: UInt64 { lock.locked { newest } }

    /// The oldest record that wasn't removed.
    var oldestSequence: UInt64 { lock.locked { segments.first ?? 1 } }

    /// The number of records that the hook hasn't processed, or of all records without a hook.
    package var backlog: UInt64 {
        lock.locked { newest - min(newest, delivered ?? (segments.first ?? 1) - 1) }
    }

    /// The size in bytes at which a page ends, including the document that exceeds it.
    private static let pageSize = 1 << 20
    /// The size in bytes of records that a page examines, approximately.
    private static let examinedSize = 8 << 20

    /// Reads the files, so it can block.
    ///
    /// - Parameters:
    ///   - cursor: 0 for the oldest record.
    ///   - className: The class of the records. Others are examined, and omitted.
    /// - Throws: `Refusal`, `StoreError`, `SystemError`.
    func page(after cursor: UInt64, limit: Int, of className: Text? = nil) throws -> Page {
        do { return try readPage(after: cursor, limit, className) } catch let error as SystemError {
            // The file may have been removed meanwhile.
            guard cursor > 0, cursor + 1 < oldestSequence else { throw error }
            throw Refusal.removed(oldest: oldestSequence)
        }
    }

    private func readPage(after cursor: UInt64, _ limit: Int, _ className: Text?) throws -> Page {
        let (segments, newest) = lock.locked { (self.segments, self.newest) }
        let oldest = segments.first ?? 1
        guard cursor <= newest else { throw Refusal.ahead(newest: newest) }
        guard cursor == 0 || cursor + 1 >= oldest else { throw Refusal.removed(oldest: oldest) }
        var page = Page(cursor: max(cursor, oldest - 1))
        var (size, examined) = (0, 0)
        var index = (segments.firstIndex { $0 > page.cursor + 1 } ?? segments.count) - 1
        while page.cursor < newest, size < IngestFeed.pageSize, examined < IngestFeed.examinedSize {
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

    private static func deliveryPath(in folder: String) -> String { folder + "/delivered" }

    /// Returns `nil` if no hook was used.
    ///
    /// - Throws: `StoreError` if the recorded cursor is damaged, `SystemError`.
    static func readDelivered(in folder: String) throws -> UInt64? {
        let path = deliveryPath(in: folder)
        guard Folder.holds(path) else { return nil }
        let bytes = try DiskFile.open(path, readOnly: true).contents()
        var reader = RecordReader(bytes[...])
        guard let found = try? reader.fixed(UInt64.self), let checksum = try? reader.fixed(UInt32.self),
            reader.isAtEnd, checksum == Checksum.of(bytes.prefix(8))
        else {
            throw StoreError(
                folder: path, "it isn't the cursor of a hook",
                remedy: "Remove the file to repeat the delivery of all records.")
        }
        return found
    }

    static func encodedDelivered(_ sequence: UInt64) -> [UInt8] {
        var writer = RecordWriter()
        writer.fixed(sequence)
        writer.fixed(Checksum.of(writer.bytes))
        return writer.bytes
    }

    /// - Throws: `StoreError` if the recorded cursor is damaged, `SystemError`.
    func beginDelivery(_ hasHook: Bool) throws {
        guard hasHook else { return }
        let cursor = try IngestFeed.readDelivered(in: folder) ?? 0
        lock.locked { delivered = cursor }
    }

    var deliveredSequence: UInt64 { lock.locked { delivered ?? 0 } }

    /// Records durably that the hook has processed the records up to a sequence number. Used by one task.
    func didDeliver(through sequence: UInt64) throws {
        try DiskFile.replace(IngestFeed.deliveryPath(in: folder), with: IngestFeed.encodedDelivered(sequence))
        lock.locked { delivered = sequence }
    }

    // MARK: Removal

    /// Removes the files whose records are all at or before a sequence number. The newest file remains, and so do
    /// records that the hook hasn't processed.
    ///
    /// - Returns: The oldest remaining record.
    func remove(through sequence: UInt64) throws -> UInt64 {
        while let removed = lock.locked({ takeOldest(through: min(sequence, delivered ?? sequence)) }) {
            let path = IngestSegment.path(removed, in: folder)
            try Folder.removeFile(path)
            // In order, so that a crash doesn't leave a gap.
            DiskFile.syncDirectory(of: path)
        }
        return oldestSequence
    }

    private func takeOldest(through sequence: UInt64) -> UInt64? {
        guard segments.count > 1, segments[1] - 1 <= sequence else { return nil }
        return segments.removeFirst()
    }

    /// - Parameter time: In seconds since 1970.
    func expire(before time: UInt64, maximumCount: Int) throws {
        while true {
            let (second, count, newest) = lock.locked {
                (segments.count > 1 ? segments[1] : nil, segments.count, self.newest)
            }
            guard let second, second <= newest else { return }
            guard try count > maximumCount || startTime(of: second) < time else { return }
            guard try remove(through: second - 1) >= second else { return }
        }
    }

    /// The records before the segment aren't newer.
    private func startTime(of first: UInt64) throws -> UInt64 {
        var segment = try self.segment(first)
        guard let frame = segment.next(), let record = try segment.records(in: frame).first else { return .max }
        return record.time
    }
}
