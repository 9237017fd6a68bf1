// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The bytes that a reachable version uses: all below its logical size that aren't in its own free lists.
struct UsedSpace: Sendable {
    private let free: [FreeBlock]
    private let logicalSize: Ref

    /// Represents a version whose free lists are unknown, so it counts as a user of all space.
    static let everything = UsedSpace(free: [], logicalSize: .max)

    init(free: [FreeBlock], logicalSize: Ref) {
        self.free = free
        self.logicalSize = logicalSize
    }

    /// Reads the free lists of a version. `space` may be any space over the same file.
    init(of record: VersionRecord, in space: NodeSpace) throws {
        logicalSize = Ref(record.logicalSize)
        guard record.topRef != 0 else {
            free = []
            return
        }
        let own = try space.version(endingAt: logicalSize)
        let top = try TopArray(own, record.topRef, fileSize: record.logicalSize)
        free = try FreeList(top, in: own).entries.map(\.block)
    }

    /// Splits `block` into the parts that this version uses and the others, both in the order of the file.
    func split(_ block: FreeBlock) -> (used: [FreeBlock], unused: [FreeBlock]) {
        var used: [FreeBlock] = []
        var unused: [FreeBlock] = []
        var position = block.position
        var index = free.partitioningIndex { $0.end > position }
        while position < block.end {
            let next = index < free.count ? free[index] : FreeBlock(position: logicalSize, length: .max - logicalSize)
            let start = max(min(next.position, block.end, logicalSize), position)
            if start > position { used.append(FreeBlock(position: position, length: start - position)) }
            // No byte from the logical size on is used, regardless of the lists.
            let end = start >= logicalSize ? block.end : min(next.end, block.end)
            if end > start { unused.append(FreeBlock(position: start, length: end - start)) }
            position = end
            index += 1
        }
        return (used, unused)
    }
}
