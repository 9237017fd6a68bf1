// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// The content of a file with consecutive records, in frames of several.
struct IngestSegment {
    struct Frame {
        let content: Range<Int>
        /// The sequence numbers of its records.
        let records: Range<UInt64>
    }

    /// The size in bytes at which a frame ends, including the record that exceeds it.
    static let frameSize = 256 << 10

    let path: String
    /// The sequence number of the first record.
    let first: UInt64
    let salt: UInt64
    private let bytes: [UInt8]
    /// The offset of the next frame.
    private(set) var end: Int
    private(set) var frameCount: UInt64 = 0

    static func path(_ first: UInt64, in folder: String) -> String { FrameFile.path("segment", first, in: folder) }

    /// - Throws: `StoreError` if the header is damaged, or belongs to another file.
    init(_ bytes: [UInt8], path: String, first: UInt64, partition: String) throws(StoreError) {
        let found: (FrameFile.Header, Int)?
        do { found = try FrameFile.header(bytes) } catch { throw StoreError(path, error) }
        guard let (header, start) = found, header.partition.isIdentical(to: partition), header.generation == first
        else { throw StoreError(path, at: 0, "it isn't a segment of this partition") }
        (self.bytes, self.path, self.first, salt, end) = (bytes, path, first, header.salt, start)
    }

    /// Returns the frame at `end`, and moves behind it. Returns `nil` if it isn't complete.
    mutating func next(verifying: Bool = true) -> Frame? {
        guard
            let content = FrameFile.range(
                ofFrame: frameCount, at: end, in: bytes[...], salt: salt, verifying: verifying)
        else { return nil }
        var reader = RecordReader(bytes[content])
        guard let first = try? reader.number(), let count = try? reader.number(), count <= UInt64(content.count),
            first <= UInt64(Int64.max)
        else { return nil }
        (end, frameCount) = (content.upperBound, frameCount + 1)
        return Frame(content: reader.offset..<content.upperBound, records: first..<first + count)
    }

    /// Moves to the frame that contains a record, or behind the last complete frame, without verifying the frames
    /// before it.
    mutating func skip(to sequence: UInt64) {
        while true {
            var ahead = self
            guard let frame = ahead.next(verifying: false), frame.records.upperBound <= sequence else { return }
            self = ahead
        }
    }

    /// - Throws: `StoreError` if the frame is damaged.
    func records(in frame: Frame) throws(StoreError) -> [IngestRecord] {
        var reader = RecordReader(bytes[frame.content])
        var records: [IngestRecord] = []
        do throws(RecordError) {
            for sequence in frame.records {
                let record = try IngestRecord(&reader)
                guard record.sequence == sequence else {
                    throw RecordError("record \(record.sequence) is in the place of \(sequence)", at: reader.offset)
                }
                records.append(record)
            }
        } catch {
            throw StoreError(path, error)
        }
        return records
    }

    /// Returns a segment with the records up to a sequence number. An incomplete frame is omitted.
    ///
    /// - Throws: `StoreError` if a frame is damaged.
    func prefix(through last: UInt64) throws(StoreError) -> [UInt8] {
        var ahead = self
        var whole = ahead.end
        while let frame = ahead.next() {
            guard frame.records.upperBound > last + 1 else {
                whole = ahead.end
                continue
            }
            let records = try ahead.records(in: frame).filter { $0.sequence <= last }
            if records.isEmpty { break }
            let content = IngestSegment.frameContent(records[...])
            return Array(bytes[..<whole]) + FrameFile.frame(content, ahead.frameCount - 1, salt: salt)
        }
        return Array(bytes[..<whole])
    }

    static func frameContent(_ records: ArraySlice<IngestRecord>) -> [UInt8] {
        var writer = RecordWriter()
        writer.number(records.first?.sequence ?? 0)
        writer.number(UInt64(records.count))
        for record in records { record.write(to: &writer) }
        return writer.bytes
    }
}
