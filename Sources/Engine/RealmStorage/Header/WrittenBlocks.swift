// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// The parts of the file that a commit has written, with a checksum of their contents.
struct WrittenBlocks: Equatable {
    private(set) var blocks: [FreeBlock] = []
    private(set) var sum = Checksum()
    /// Whether the blocks exceed the capacity of a record, or the amount that an opening should read.
    private(set) var isTooMuch = false

    static let maxCount = 11
    /// The maximum number of bytes. For larger commits the second sync takes a small part of the time.
    static let maxBytes: Ref = 1 << 18

    init() {}

    init(blocks: [FreeBlock], sum: Checksum) { (self.blocks, self.sum) = (blocks, sum) }

    private var byteCount: Ref { blocks.reduce(0) { $0 + $1.length } }

    mutating func add(_ bytes: [UInt8], at position: Ref) {
        guard !isTooMuch else { return }
        let block = FreeBlock(position: position, length: Ref(bytes.count))
        isTooMuch = blocks.count == WrittenBlocks.maxCount || byteCount + block.length > WrittenBlocks.maxBytes
        guard !isTooMuch else { return }
        if blocks.isEmpty { blocks.reserveCapacity(WrittenBlocks.maxCount) }
        blocks.append(block)
        unsafe bytes.withUnsafeBytes { unsafe sum.add($0) }
    }

    func areWhole(in file: any DatabaseFile, size: Int) throws -> Bool {
        var byteCount: Ref = 0
        for block in blocks {
            byteCount += min(block.length, WrittenBlocks.maxBytes + 1)
            guard block.position <= Ref(size), block.length <= Ref(size) - block.position, block.length & 7 == 0,
                byteCount <= WrittenBlocks.maxBytes
            else { return false }
        }
        var found = Checksum()
        for block in blocks {
            let bytes = try file.bytes(Int(block.length), at: Int(block.position))
            unsafe bytes.withUnsafeBytes { unsafe found.add($0) }
        }
        return found == sum
    }

    /// Writes the contents of the blocks again, because after a failed sync they may exist only in the system's memory.
    func writeAgain(in file: any DatabaseFile) throws {
        for block in blocks {
            try file.write(try file.bytes(Int(block.length), at: Int(block.position)), at: Int(block.position))
        }
    }
}
