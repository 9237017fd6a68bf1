// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// A record of a commit, stored next to its base version, that makes the commit durable with one sync.
///
/// The record is in free space directly after the top array of the base, so a reader of that version finds it without
/// any field of the format. It contains the following version and the blocks that the commit wrote, with a checksum of
/// them. The data and the record are made durable together. Then the header is written, which the next sync makes
/// durable, and the commit returns. If the header is lost in a crash, an opening that finds a valid record completes
/// the commit (`Database.rollForward`). A record is ignored if it's torn, if its data are incomplete, or if it belongs
/// to another version that was at the same position.
///
/// Requires a file that writes only the changed bytes, so an encrypted file has no records.
struct CommitRecord: Equatable {
    /// The version that precedes the commit, and a checksum of its top array.
    let base: VersionName
    let baseSum: Checksum
    let made: VersionName
    let written: WrittenBlocks

    struct VersionName: Equatable {
        let version: UInt64
        let topRef: Ref
    }

    private static let magic: UInt64 = 0x3143_6D75_6E67_6552  // "RegnumC1"
    private static let fieldCount = 8
    private static let wordCount = fieldCount + 2 * WrittenBlocks.maxCount + 1
    static let byteCount = 8 * wordCount

    /// Returns the block for the record of a commit. `top` is the top array of its base.
    static func place(behind top: Node) -> FreeBlock {
        FreeBlock(position: top.ref + Ref(top.header.byteCount), length: Ref(byteCount))
    }

    var bytes: [UInt8] {
        var words: [UInt64] = []
        words.reserveCapacity(CommitRecord.wordCount)
        words += [
            CommitRecord.magic, base.version, UInt64(base.topRef), baseSum.value, made.version, UInt64(made.topRef),
            UInt64(written.blocks.count), written.sum.value,
        ]
        for block in written.blocks {
            words.append(UInt64(block.position))
            words.append(UInt64(block.length))
        }
        while words.count < CommitRecord.wordCount - 1 { words.append(0) }
        words.append(CommitRecord.sum(of: words))
        for index in words.indices { words[index] = words[index].littleEndian }
        return unsafe words.withUnsafeBytes { unsafe Array($0) }
    }

    private static func sum(of words: [UInt64]) -> UInt64 {
        var sum = Checksum()
        unsafe words.withUnsafeBytes { unsafe sum.add($0) }
        return sum.value
    }

    /// Returns nil unless the bytes are a complete record of a commit on `base`. Doesn't check that the commit's data
    /// are complete.
    private init?(_ bytes: ArraySlice<UInt8>, on base: VersionName, _ baseSum: Checksum) {
        guard bytes.count == CommitRecord.byteCount else { return nil }
        let bytes = Array(bytes)
        let words = (0..<CommitRecord.wordCount).map { FileHeader.number(bytes, 8 * $0) }
        guard words[0] == CommitRecord.magic, words[1] == base.version, words[2] == UInt64(base.topRef),
            words[3] == baseSum.value, words[CommitRecord.wordCount - 1] == CommitRecord.sum(of: words.dropLast()),
            words[4] > base.version, words[6] <= UInt64(WrittenBlocks.maxCount)
        else { return nil }
        self.base = base
        self.baseSum = baseSum
        made = VersionName(version: words[4], topRef: Ref(words[5]))
        let blocks = (0..<Int(words[6])).map { index in
            let word = CommitRecord.fieldCount + 2 * index
            return FreeBlock(position: Ref(words[word]), length: Ref(words[word + 1]))
        }
        written = WrittenBlocks(blocks: blocks, sum: Checksum(value: words[7]))
    }

    init(base: VersionName, baseSum: Checksum, made: VersionName, written: WrittenBlocks) {
        (self.base, self.baseSum, self.made, self.written) = (base, baseSum, made, written)
    }

    /// Returns the record of a commit on `base` whose data are complete, or nil.
    static func find(
        after base: VersionName, in file: any DatabaseFile, size: Int
    ) throws -> CommitRecord? {
        guard base.topRef != 0, base.topRef < Ref(size) else { return nil }
        let longest = TopArray.maxByteCount + byteCount
        let bytes = try file.bytes(min(longest, size - Int(base.topRef)), at: Int(base.topRef))
        let top = try TopArray.header(bytes, base.topRef).byteCount
        guard top + byteCount <= bytes.count, FileHeader.number(bytes, top) == magic else { return nil }
        var baseSum = Checksum()
        unsafe bytes[..<top].withUnsafeBytes { unsafe baseSum.add($0) }
        guard let record = CommitRecord(bytes[top..<top + byteCount], on: base, baseSum),
            try record.written.areWhole(in: file, size: size),
            let made = try? TopArray(file, record.made.topRef, fileSize: size),
            made.version == record.made.version
        else { return nil }
        return record
    }
}
