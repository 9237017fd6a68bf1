// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

package struct SpaceUse: Sendable {
    package let fileByteCount: Int
    /// The size covered by the newest version's nodes and free blocks (container 1.7).
    package let logicalByteCount: Int
    /// Includes the header.
    package let usedByteCount: Int
    package let reusableByteCount: Int
    /// The bytes that the newest version doesn't need, by the version whose readers prevent their reuse.
    ///
    /// A free block is attributed to the newest version with readers that is older than the version that freed the
    /// block. If older versions use it too, it's attributed to them after the readers of that version have finished.
    /// Blocks freed by the last commit count as held until the next commit checks them.
    package let heldByteCounts: [UInt64: Int]

    package var freeByteCount: Int { logicalByteCount - usedByteCount }

    /// `versions` are all versions that can be read, in any order.
    package init(_ newest: Snapshot, fileByteCount: Int, versions: some Sequence<UInt64>) throws {
        self.fileByteCount = fileByteCount
        logicalByteCount = Int(newest.space.fileEnd)
        let reachable = (versions + [newest.version]).sorted()
        var (free, reusable) = (0, 0)
        var held: [UInt64: Int] = [:]
        for entry in try newest.freeList().entries {
            let count = Int(entry.block.length)
            free += count
            if let holder = reachable.last(before: entry.freedBy) {
                held[reachable[holder], default: 0] += count
            } else {
                reusable += count
            }
        }
        usedByteCount = max(0, logicalByteCount - free)
        (reusableByteCount, heldByteCounts) = (reusable, held)
    }
}

extension Database {
    /// Callable from any thread; doesn't wait for other threads or processes.
    package func spaceUse() throws -> SpaceUse {
        try storageErrors {
            let newest = try snapshot(label: "space use")
            return try SpaceUse(newest, fileByteCount: try file.size(), versions: try reachable.map(\.version))
        }
    }
}
