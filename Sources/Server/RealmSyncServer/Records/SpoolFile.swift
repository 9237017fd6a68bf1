// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// A file without a name for bytes that are needed later and would take much memory. The system removes it with the
/// process, so nothing in it is durable.
///
/// Unchecked `Sendable`: `lock` guards the mutable state.
final class SpoolFile: @unchecked Sendable {
    static let blockSize = 32 << 10

    private let folder: String
    /// Blocks are released on any thread.
    private let lock = Lock()
    private var file: DiskFile?
    private var blockCount = 0
    private var freeBlocks: [Int] = []

    init(folder: String) { self.folder = folder }

    /// The size of the file in bytes. The file is removed when it contains no bytes that are in use.
    var size: Int { lock.locked { blockCount * SpoolFile.blockSize } }

    /// Writes bytes to the file.
    ///
    /// - Throws: `SystemError`. Then nothing is stored.
    func store(_ bytes: [UInt8]) throws -> SpooledBytes {
        let (file, blocks) = try allocate((bytes.count + SpoolFile.blockSize - 1) / SpoolFile.blockSize)
        // From here on, the blocks are released with the result.
        let stored = SpooledBytes(self, file, blocks, count: bytes.count)
        for (index, block) in blocks.enumerated() {
            let start = index * SpoolFile.blockSize
            let part = bytes[start..<min(start + SpoolFile.blockSize, bytes.count)]
            try file.append(Array(part), at: block * SpoolFile.blockSize)
        }
        return stored
    }

    private func allocate(_ count: Int) throws -> (DiskFile, [Int]) {
        var new: DiskFile?
        while true {
            if let allocated = allocate(count, new) { return allocated }
            new = try DiskFile.anonymous(in: folder)
        }
    }

    /// Returns `nil` if there is no file.
    private func allocate(_ count: Int, _ new: DiskFile?) -> (DiskFile, [Int])? {
        lock.locked { () -> (DiskFile, [Int])? in
            guard let file = file ?? new else { return nil }
            self.file = file
            let reused = freeBlocks.suffix(count)
            freeBlocks.removeLast(reused.count)
            let added = blockCount..<blockCount + count - reused.count
            blockCount = added.upperBound
            return (file, Array(reused) + Array(added))
        }
    }

    fileprivate func release(_ blocks: [Int]) {
        lock.locked {
            freeBlocks += blocks
            if freeBlocks.count == blockCount { (file, blockCount, freeBlocks) = (nil, 0, []) }
        }
    }
}

/// Bytes in memory or in a spool file.
enum KeptBytes: Sendable {
    case memory([UInt8])
    case spooled(SpooledBytes)
    /// A range of the spooled bytes, which several small parts share.
    case part(SpooledBytes, Range<Int>)

    var count: Int {
        switch self {
        case .memory(let bytes): bytes.count
        case .spooled(let spooled): spooled.count
        case .part(_, let range): range.count
        }
    }

    /// - Throws: `SystemError` if they can't be read.
    var bytes: [UInt8] {
        get throws {
            switch self {
            case .memory(let bytes): bytes
            case .spooled(let spooled): try spooled.bytes
            case .part(let spooled, let range): try spooled.bytes(in: range)
            }
        }
    }
}

/// Bytes in a spool file, whose space is released with the last reference.
final class SpooledBytes: Sendable {
    private let spool: SpoolFile
    private let file: DiskFile
    private let blocks: [Int]
    let count: Int

    fileprivate init(_ spool: SpoolFile, _ file: DiskFile, _ blocks: [Int], count: Int) {
        (self.spool, self.file, self.blocks, self.count) = (spool, file, blocks, count)
    }

    deinit { spool.release(blocks) }

    /// - Throws: `SystemError`.
    var bytes: [UInt8] { get throws { try bytes(in: 0..<count) } }

    /// - Throws: `SystemError`.
    func bytes(in range: Range<Int>) throws -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(range.count)
        while bytes.count < range.count {
            let (index, offset) = (range.lowerBound + bytes.count).quotientAndRemainder(
                dividingBy: SpoolFile.blockSize)
            let size = min(SpoolFile.blockSize - offset, range.count - bytes.count)
            bytes += try file.bytes(size, at: blocks[index] * SpoolFile.blockSize + offset)
        }
        return bytes
    }
}
