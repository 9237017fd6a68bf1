// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The free blocks of a snapshot, as its top array lists them (container 6.1).
package struct FreeList: Sendable {
    package struct Entry: Hashable, Sendable {
        package var block: FreeBlock
        /// The version that freed the block: no snapshot from that version on uses it. 0 means free since long ago.
        package var freedBy: UInt64
    }

    package private(set) var entries: [Entry] = []

    init(_ entries: [Entry]) { self.entries = entries }

    /// Reads and validates the three arrays. A snapshot without them has no free blocks.
    ///
    /// In an `era` whose version numbers restarted with each session, a block may have been freed by a later version.
    /// It then counts as freed by the newest one.
    package init(_ top: TopArray, in space: NodeSpace, _ era: LegacyFormat? = nil) throws {
        typealias Slot = FileFormat.Top
        let refs = [try top.child(Slot.freePositions), try top.child(Slot.freeLengths)]
        guard refs[0] != 0, refs[1] != 0 else { return }
        let positions = try space.integers(refs[0])
        let lengths = try space.integers(refs[1])
        let versionsRef = try top.child(Slot.freeVersions)
        let versions = versionsRef == 0 ? nil : try space.integers(versionsRef)
        guard positions.count == lengths.count, versions.map({ $0.count == positions.count }) ?? true,
            positions.count <= top.logicalSize >> 3
        else {
            throw StorageError.corrupt("free lists of different lengths", at: refs[0])
        }
        var end: Int64 = Int64(FileFormat.Header.byteCount)
        entries.reserveCapacity(positions.count)
        for index in 0..<positions.count {
            let position = positions[index]
            let length = lengths[index]
            let stored = versions?[index] ?? 0
            let freedBy = era?.hasRowTables == true ? min(stored, Int64(clamping: top.version)) : stored
            guard position >= end, length > 0, (position | length) & 7 == 0, freedBy >= 0,
                UInt64(freedBy) <= top.version, length <= Int64(top.logicalSize) - position
            else { throw StorageError.corrupt("a free list that contradicts itself", at: refs[0]) }
            end = position + length
            let block = FreeBlock(position: Ref(position), length: Ref(length))
            entries.append(Entry(block: block, freedBy: UInt64(freedBy)))
        }
    }

    package var byteCount: Int { entries.reduce(0) { $0 + Int($1.block.length) } }

    /// Throws if entries share bytes. They must be sorted.
    static func requireDisjoint(_ entries: [Entry]) throws {
        for index in entries.indices.dropFirst() where entries[index].block.position < entries[index - 1].block.end {
            throw sharedNodes(at: entries[index].block.position)
        }
    }

    /// In a damaged file, two refs may lead to one node, which is freed for both, or a node may be in free space.
    static func sharedNodes(at ref: Ref) -> any Error {
        StorageError.corrupt("nodes that are used more than once; the file is damaged", at: ref)
    }

    /// Returns the entries sorted by position. Adjacent blocks freed by the same version are merged (container 6.3).
    static func merged(_ entries: [Entry]) -> [Entry] {
        var result: [Entry] = []
        result.reserveCapacity(entries.count)
        for entry in entries.sorted(by: { $0.block.position < $1.block.position }) {
            if let last = result.last, last.freedBy == entry.freedBy, last.block.end == entry.block.position {
                result[result.count - 1].block.length += entry.block.length
            } else {
                result.append(entry)
            }
        }
        return result
    }
}
