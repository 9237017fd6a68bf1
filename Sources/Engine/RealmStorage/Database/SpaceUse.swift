// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// What the bytes of a database file are there for.
package struct SpaceUse: Sendable {
    /// The size of the file.
    package let fileByteCount: Int
    /// What the newest version's nodes and free blocks cover (container 1.7).
    package let logicalByteCount: Int
    /// Bytes of the header and the newest version's nodes.
    package let usedByteCount: Int
    /// Bytes that the next commit may overwrite.
    package let reusableByteCount: Int
    /// Bytes that the newest version does not need, by the version whose readers hold them back.
    ///
    /// A free block is held by the newest version that is still read and that is older than the one that freed it. If
    /// older versions use it too, it becomes theirs when the readers of that one end. What the last commit freed counts
    /// as held until the next one looks it up.
    package let heldByteCounts: [UInt64: Int]

    /// Bytes that the newest version does not need.
    package var freeByteCount: Int { logicalByteCount - usedByteCount }

    /// `versions` are all that may be read, in any order.
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
    /// What the file's bytes are there for now. From any thread; does not wait for other threads or processes.
    package func spaceUse() throws -> SpaceUse {
        try storageErrors {
            let newest = try snapshot(label: "space use")
            return try SpaceUse(newest, fileByteCount: try file.size(), versions: try reachable.map(\.version))
        }
    }
}
