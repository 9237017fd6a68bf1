// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// The format of a partition's files: a header and frames, each of which is written atomically.
///
/// Each frame starts with a random number of the file, so data of a client can't be mistaken for a frame. A frame is
/// written after the previous one is durable. So only the last frame can be incomplete, interrupted by a crash. If a
/// later frame follows, the file is damaged.
enum FrameFile {
    struct Header {
        /// As `bind` names it. Detects a misplaced file.
        var partition: String
        var generation: UInt64
        var salt: UInt64
    }

    static let magic = Array("REGNSYNC".utf8)
    static let format: UInt32 = 1
    /// Salt, number, content length, and checksum.
    static let frameHead = 8 + 8 + 4 + 4

    static func encoded(_ header: Header) -> [UInt8] {
        var writer = RecordWriter()
        writer.raw(magic)
        writer.fixed(format)
        writer.fixed(header.generation)
        writer.fixed(header.salt)
        writer.fixed(UInt32(header.partition.utf8.count))
        // This checksum verifies the length before it's used.
        writer.fixed(Checksum.of(writer.bytes))
        writer.raw(Array(header.partition.utf8))
        writer.fixed(Checksum.of(writer.bytes))
        return writer.bytes
    }

    static func frame(_ content: [UInt8], _ number: UInt64, salt: UInt64) -> [UInt8] {
        var writer = RecordWriter()
        writer.fixed(salt)
        writer.fixed(number)
        writer.fixed(UInt32(content.count))
        writer.fixed(Checksum.of(content, after: Checksum.of(writer.bytes)))
        writer.raw(content)
        return writer.bytes
    }

    struct Content {
        let header: Header
        let bytes: [UInt8]
        var frames: [Range<Int>] = []
        /// The end of the last complete frame.
        var end: Int
    }

    /// Returns `nil` if the file ends within its header.
    ///
    /// - Throws: `StoreError` if the file is damaged.
    static func read(_ bytes: [UInt8], path: String) throws(StoreError) -> Content? {
        do {
            guard let (header, start) = try header(bytes) else { return nil }
            var content = Content(header: header, bytes: bytes, end: start)
            while let frame = range(
                ofFrame: UInt64(content.frames.count), at: content.end, in: bytes, salt: header.salt)
            {
                content.frames.append(frame)
                content.end = frame.upperBound
            }
            try requireNoLater(content)
            return content
        } catch {
            throw StoreError(path, error)
        }
    }

    /// Returns the header and its length, or `nil` if the file ends within its header.
    static func header(_ bytes: [UInt8]) throws(RecordError) -> (Header, Int)? {
        guard zip(bytes, magic).allSatisfy({ $0 == $1 }) else {
            throw RecordError("the file isn't a partition file", at: 0)
        }
        let fixedSize = magic.count + 4 + 8 + 8 + 4 + 4
        guard bytes.count >= fixedSize else { return nil }
        var reader = RecordReader(bytes[magic.count...])
        guard try reader.fixed(UInt32.self) == format else {
            throw RecordError("its format is of a newer version, or its header is damaged", at: magic.count)
        }
        let (generation, salt) = (try reader.fixed(UInt64.self), try reader.fixed(UInt64.self))
        let count = Int(try reader.fixed(UInt32.self))
        try requireChecksum(&reader, bytes)
        guard bytes.count >= fixedSize + count + 4 else { return nil }
        let partition = String(decoding: try reader.raw(count), as: UTF8.self)
        try requireChecksum(&reader, bytes)
        return (Header(partition: partition, generation: generation, salt: salt), reader.offset)
    }

    private static func requireChecksum(_ reader: inout RecordReader, _ bytes: [UInt8]) throws(RecordError) {
        let end = reader.offset
        guard try reader.fixed(UInt32.self) == Checksum.of(bytes[..<end]) else {
            throw RecordError("the header is damaged", at: 0)
        }
    }

    /// Returns the range of the content of the frame at an offset, or `nil` if the frame isn't complete. Verifies the
    /// content only if it's requested, so that a reader can skip frames.
    static func range(
        ofFrame number: UInt64, at offset: Int, in bytes: [UInt8], salt: UInt64, verifying: Bool = true
    ) -> Range<Int>? {
        guard offset + frameHead <= bytes.count else { return nil }
        var reader = RecordReader(bytes[offset..<offset + frameHead])
        guard (try? reader.fixed(UInt64.self)) == salt, (try? reader.fixed(UInt64.self)) == number,
            let count = try? reader.fixed(UInt32.self), let checksum = try? reader.fixed(UInt32.self)
        else { return nil }
        let range = offset + frameHead..<offset + frameHead + Int(count)
        guard range.upperBound <= bytes.count else { return nil }
        guard verifying else { return range }
        let found = Checksum.of(bytes[range], after: Checksum.of(bytes[offset..<offset + frameHead - 4]))
        return found == checksum ? range : nil
    }

    /// Returns the path of a file, whose name contains a number in 16 hexadecimal digits.
    static func path(_ kind: String, _ number: UInt64, in folder: String) -> String {
        let digits = String(number, radix: 16)
        return "\(folder)/\(kind)-\(String(repeating: "0", count: 16 - digits.count))\(digits)"
    }

    /// Returns the number in the name of a file, or `nil` for any other name.
    static func number(in name: String, _ kind: String) -> UInt64? {
        guard name.hasPrefix(kind + "-"), name.utf8.count == kind.utf8.count + 17 else { return nil }
        return UInt64(name.dropFirst(kind.count + 1), radix: 16)
    }

    private static func isLaterFrame(at offset: Int, in content: Content) -> Bool {
        var reader = RecordReader(content.bytes[(offset + 8)...])
        guard let number = try? reader.fixed(UInt64.self), number > UInt64(content.frames.count) else { return false }
        return range(ofFrame: number, at: offset, in: content.bytes, salt: content.header.salt) != nil
    }

    private static func requireNoLater(_ content: Content) throws(RecordError) {
        let first = UInt8(truncatingIfNeeded: content.header.salt)
        var offset = content.end + 1
        while offset + frameHead <= content.bytes.count {
            if content.bytes[offset] == first, isLaterFrame(at: offset, in: content) {
                throw RecordError("frame \(content.frames.count) is not whole, though one follows it", at: content.end)
            }
            offset += 1
        }
    }
}

extension DatabaseFile {
    func append(_ bytes: [UInt8], at offset: Int) throws {
        try bytes.withUnsafeBytes { try write($0, at: offset) }
    }
}
