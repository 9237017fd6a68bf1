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
        writer.fixed(CRC32C.of(writer.bytes))
        writer.raw(Array(header.partition.utf8))
        writer.fixed(CRC32C.of(writer.bytes))
        return writer.bytes
    }

    static func frame(_ content: [UInt8], _ number: UInt64, salt: UInt64) -> [UInt8] {
        var writer = RecordWriter()
        writer.fixed(salt)
        writer.fixed(number)
        writer.fixed(UInt32(content.count))
        writer.fixed(CRC32C.of(content, after: CRC32C.of(writer.bytes)))
        writer.raw(content)
        return writer.bytes
    }

    /// The result of reading a file.
    struct Content {
        let header: Header
        var frameCount: UInt64 = 0
        /// The end of the last complete frame.
        var end: Int
        /// The size of the file.
        let size: Int
    }

    /// Passes the contents of all complete frames with their offsets. One frame at a time is in memory.
    ///
    /// - Parameters:
    ///   - didRead: Called with the header.
    ///   - body: Called for each frame.
    /// - Returns: `nil` if the file ends within its header.
    /// - Throws: `StoreError` if the file is damaged, `SystemError`, or any error of the functions.
    static func read(
        _ file: DiskFile, path: String, header didRead: (Header) throws -> Void,
        frame body: (ArraySlice<UInt8>, _ offset: Int) throws -> Void
    ) throws -> Content? {
        do {
            var window = try FileWindow(file)
            guard let (header, start) = try header(Array(try window.read(0..<min(maxHeader, window.size)))) else {
                guard window.size < maxHeader else { throw RecordError("the header is damaged", at: 0) }
                return nil
            }
            try didRead(header)
            var content = Content(header: header, end: start, size: window.size)
            while let (frame, offset) = try frame(content.frameCount, at: content.end, &window, salt: header.salt) {
                try body(frame, offset)
                content.frameCount += 1
                content.end = offset + frame.count
            }
            try requireNoLater(content, &window)
            return content
        } catch let error as RecordError {
            throw StoreError(path, error)
        }
    }

    /// The size of the longest header in bytes. Messages limit the length of a partition's name.
    static let maxHeader = 16 << 10

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
        guard try reader.fixed(UInt32.self) == CRC32C.of(bytes[..<end]) else {
            throw RecordError("the header is damaged", at: 0)
        }
    }

    /// Returns the range of the content of the frame at an offset, or `nil` if the frame isn't complete. Verifies the
    /// content only if it's requested, so that a reader can skip frames.
    static func range(
        ofFrame number: UInt64, at offset: Int, in bytes: ArraySlice<UInt8>, salt: UInt64, verifying: Bool = true
    ) -> Range<Int>? {
        guard offset + frameHead <= bytes.endIndex,
            let (count, checksum) = contentHead(bytes[offset..<offset + frameHead], number, salt: salt)
        else { return nil }
        let range = offset + frameHead..<offset + frameHead + count
        guard range.upperBound <= bytes.endIndex else { return nil }
        guard verifying else { return range }
        let found = CRC32C.of(bytes[range], after: CRC32C.of(bytes[offset..<offset + frameHead - 4]))
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

    /// Returns the content of the frame at an offset and its own offset, or `nil` if the frame isn't complete.
    private static func frame(
        _ number: UInt64, at offset: Int, _ window: inout FileWindow, salt: UInt64
    ) throws -> (ArraySlice<UInt8>, Int)? {
        guard offset + frameHead <= window.size else { return nil }
        let head = try window.read(offset..<offset + frameHead)
        guard let (count, _) = contentHead(head, number, salt: salt), count <= window.size - offset - frameHead else {
            return nil
        }
        let frame = try window.read(offset..<offset + frameHead + count)
        return range(ofFrame: number, at: frame.startIndex, in: frame, salt: salt).map {
            (frame[$0], offset + frameHead)
        }
    }

    /// Returns the size and the checksum of a frame's content, or `nil` if the bytes aren't the head of the frame.
    private static func contentHead(
        _ head: ArraySlice<UInt8>, _ number: UInt64, salt: UInt64
    ) -> (count: Int, checksum: UInt32)? {
        var reader = RecordReader(head)
        guard (try? reader.fixed(UInt64.self)) == salt, (try? reader.fixed(UInt64.self)) == number,
            let count = try? reader.fixed(UInt32.self), let checksum = try? reader.fixed(UInt32.self)
        else { return nil }
        return (Int(count), checksum)
    }

    private static func isLaterFrame(at offset: Int, _ content: Content, _ window: inout FileWindow) throws -> Bool {
        var reader = RecordReader(try window.read(offset + 8..<offset + 16))
        guard let number = try? reader.fixed(UInt64.self), number > content.frameCount else { return false }
        return try frame(number, at: offset, &window, salt: content.header.salt) != nil
    }

    private static func requireNoLater(_ content: Content, _ window: inout FileWindow) throws {
        let first = UInt8(truncatingIfNeeded: content.header.salt)
        var offset = content.end + 1
        while offset + frameHead <= window.size {
            // A frame can begin at each byte of the piece.
            let piece = try window.read(offset..<min(offset + pieceSize, window.size))
            for index in piece.indices where piece[index] == first {
                let start = offset + index - piece.startIndex
                guard start + frameHead <= window.size, try isLaterFrame(at: start, content, &window) else { continue }
                throw RecordError("frame \(content.frameCount) is not whole, though one follows it", at: content.end)
            }
            offset += piece.count
        }
    }

    private static let pieceSize = 64 << 10
}

extension DatabaseFile {
    func append(_ bytes: [UInt8], at offset: Int) throws {
        try bytes.withUnsafeBytes { try write($0, at: offset) }
    }
}
