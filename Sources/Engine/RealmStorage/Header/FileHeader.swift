// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// The first 24 bytes of the data space, which select the current snapshot (container 1).
package struct FileHeader: Equatable, Sendable {
    package var topRefs: (UInt64, UInt64)
    package var formats: (UInt8, UInt8)
    package var flags: UInt8

    package static func == (a: FileHeader, b: FileHeader) -> Bool {
        a.topRefs == b.topRefs && a.formats == b.formats && a.flags == b.flags
    }

    /// Whether both select the same slot with the same content. A commit may be changing the other slot.
    func names(_ other: FileHeader) -> Bool {
        guard flags == other.flags, format == other.format else { return false }
        return selected == 0 ? topRefs.0 == other.topRefs.0 : topRefs.1 == other.topRefs.1
    }

    /// The slot of the current snapshot: 0 or 1. Readers ignore the other one (R3).
    package var selected: Int { Int(flags & FileFormat.Header.selectBit) }
    package var isStreaming: Bool { selected == 0 && topRefs.0 == FileFormat.streamingMarker }
    package var format: UInt8 { selected == 0 ? formats.0 : formats.1 }

    /// Reads and validates the header (container 1.4, checks 1 to 3).
    package init(_ file: any DatabaseFile, size: Int) throws {
        guard size >= FileFormat.Header.byteCount else {
            throw StorageError(.invalidDatabase, "not a Realm file: it has only \(size) bytes")
        }
        let bytes = try file.bytes(FileFormat.Header.byteCount, at: 0)
        let mnemonic = FileFormat.Header.mnemonic
        guard Array(bytes[mnemonic..<mnemonic + 4]) == FileFormat.mnemonic else {
            throw StorageError(
                .invalidDatabase, "not a Realm file, or an encrypted one: it does not begin as a Realm file does")
        }
        guard size & 7 == 0 else { throw try FileHeader.oddSize(size, file) }
        topRefs = (FileHeader.number(bytes, 0), FileHeader.number(bytes, 8))
        formats = (bytes[FileFormat.Header.formatVersion.0], bytes[FileFormat.Header.formatVersion.1])
        flags = bytes[FileFormat.Header.flags]
    }

    /// Returns the error for a size that no Realm file has. In a file transferred as text with converted line ends,
    /// every line feed follows a carriage return. In 64 KiB, that isn't a coincidence.
    private static func oddSize(_ size: Int, _ file: any DatabaseFile) throws -> StorageError {
        let bytes = try file.bytes(min(size, 1 << 16), at: 0)
        let feeds = bytes.indices.filter { bytes[$0] == 10 }
        if !feeds.isEmpty, feeds.allSatisfy({ $0 > 0 && bytes[$0 - 1] == 13 }) {
            return StorageError(
                .invalidDatabase,
                "a Realm file that was changed on its way, as if it were text: each line feed got a carriage return, "
                    + "which made it \(size) bytes long; copy the original again")
        }
        return StorageError(
            .invalidDatabase,
            "a Realm file that was cut short or changed on its way: its size, \(size), isn't a multiple of 8")
    }

    /// Returns a header that was current at one time, and a size that includes everything it refers to, while others
    /// may commit.
    ///
    /// A single read could combine the refs before a commit with the select bit after it; two equal reads can't.
    static func stable(_ file: any DatabaseFile) throws -> (header: FileHeader, size: Int) {
        var size = try file.size()
        var header = try FileHeader(file, size: size)
        for _ in 0..<100 {
            size = try file.size()
            let again = try FileHeader(file, size: size)
            if again == header { return (header, size) }
            header = again
        }
        throw StorageError(.fileAccess, "the header of the file changes all the time")
    }

    /// The current snapshot's top ref, validated (container 1.4, checks 4 to 6); 0 for an empty database.
    package func topRef(_ file: any DatabaseFile, size: Int) throws -> Ref {
        var top = selected == 0 ? topRefs.0 : topRefs.1
        if isStreaming {
            guard let end = try FileHeader.footerEnd(file, size: size) else { throw FileHeader.truncated }
            let footer = FileFormat.footerByteCount
            let bytes = try file.bytes(footer, at: end - footer)
            top = FileHeader.number(bytes, 0)
        }
        guard top & 7 == 0, top < UInt64(size) else {
            throw StorageError(.invalidDatabase, "a damaged Realm file: its header leads outside the file")
        }
        return Ref(top)
    }

    /// Returns the end of a streaming file's footer, which is the end of the file; nil if the footer is missing. An
    /// encrypted file may be two pages longer, if its extension was interrupted (`Database.prepareForWriting`).
    static func footerEnd(_ file: any DatabaseFile, size: Int) throws -> Int? {
        let ends = file.writeUnit > 8 ? [size, size - 2 * file.writeUnit] : [size]
        return try ends.first { try hasFooter(file, endingAt: $0) }
    }

    private static func hasFooter(_ file: any DatabaseFile, endingAt end: Int) throws -> Bool {
        guard end >= FileFormat.Header.byteCount + FileFormat.footerByteCount else { return false }
        do {
            return number(try file.bytes(8, at: end - 8), 0) == FileFormat.footerMagic
        } catch is StorageError {
            return false
        }
    }

    private static var truncated: StorageError {
        StorageError(.invalidDatabase, "a Realm file cut short: the footer is missing at its end")
    }

    static func number(_ bytes: [UInt8], _ offset: Int) -> UInt64 {
        (0..<8).reduce(0) { $0 | UInt64(bytes[offset + $1]) << UInt64(8 * $1) }
    }

    static func bytes(of number: UInt64) -> [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: number >> UInt64(8 * $0)) }
    }

    /// Makes the written data durable, and then durably selects `topRef` as the current snapshot (container 6.7, steps
    /// 3 to 5).
    ///
    /// In an encrypted file, the whole page changes at once, for readers and on disk.
    mutating func flip(to topRef: Ref, format: UInt8 = FileFormat.version, in file: any DatabaseFile) throws {
        if file.writeUnit > 8 {
            let next = selecting(topRef, format)
            try file.sync(then: next.bytes, at: 0)
            self = next
        } else {
            try write(in: file)
            try file.sync()
            try select(topRef, format, in: file)
            try file.sync()
        }
    }

    /// Selects `topRef` as the current snapshot. Its nodes must be durable. The next sync makes the selection durable
    /// too.
    ///
    /// A reader must never see a new select bit with an old ref, so the ref is written first. On disk, that write has
    /// no effect by itself, because the header was already durable. The second write is as atomic as a sector.
    mutating func select(_ topRef: Ref, _ format: UInt8 = FileFormat.version, in file: any DatabaseFile) throws {
        var next = selecting(topRef, format)
        next.flags = flags
        try next.write(in: file)
        next.flags ^= FileFormat.Header.selectBit
        try next.write(in: file)
        self = next
    }

    func selecting(_ topRef: Ref, _ format: UInt8 = FileFormat.version) -> FileHeader {
        var next = self
        if selected == 1 {
            (next.topRefs.0, next.formats.0) = (UInt64(topRef), format)
        } else {
            (next.topRefs.1, next.formats.1) = (UInt64(topRef), format)
        }
        next.flags ^= FileFormat.Header.selectBit
        return next
    }

    /// Writes the header unchanged, so the next sync makes it durable, whether or not the last one succeeded.
    func write(in file: any DatabaseFile) throws { try file.write(bytes, at: 0) }

    var bytes: [UInt8] {
        var bytes = FileHeader.new
        for offset in 0..<8 {
            bytes[FileFormat.Header.topRef.0 + offset] = UInt8(truncatingIfNeeded: topRefs.0 >> UInt64(8 * offset))
            bytes[FileFormat.Header.topRef.1 + offset] = UInt8(truncatingIfNeeded: topRefs.1 >> UInt64(8 * offset))
        }
        bytes[FileFormat.Header.formatVersion.0] = formats.0
        bytes[FileFormat.Header.formatVersion.1] = formats.1
        bytes[FileFormat.Header.flags] = flags
        return bytes
    }

    static let new = [UInt8](repeating: 0, count: FileFormat.Header.mnemonic) + FileFormat.mnemonic + [0, 0, 0, 0]
}

extension DatabaseFile {
    func write(_ bytes: [UInt8], at offset: Int) throws {
        unsafe try bytes.withUnsafeBytes { unsafe try write($0, at: offset) }
    }
}
