// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The free blocks of a base version, divided into those that its successor may overwrite and those that readers need.
///
/// A block may be overwritten if no reachable version uses a byte of it. Free lists record when a block was freed, but
/// not when it was allocated. An entry freed after the horizon is therefore searched in the lists of the reachable
/// versions before it, newest first, and divided if only a part of it was used (container 6.6). A block whose newest
/// user is version E gets E + 1 as the version that freed it, which is correct for every reachable version. Only E has
/// to be examined again while it's reachable. So a commit searches only the blocks freed since the last one, and those
/// released by the end of a reader.
struct FreeSpace {
    /// Sorted; adjacent blocks are merged.
    private(set) var reusable: [FreeBlock] = []
    /// Sorted. Each was freed later than the oldest reachable version.
    private(set) var held: [FreeList.Entry] = []

    /// `reachable` must ascend and end with the base version. `usedSpace` returns the space used by the version at an
    /// index.
    init(_ entries: [FreeList.Entry], reachable: [UInt64], usedSpace: (Int) -> UsedSpace) {
        var pieces: [FreeList.Entry] = []
        for entry in entries {
            FreeSpace.resolve(entry, reachable, usedSpace) { pieces.append($0) }
        }
        for entry in FreeList.merged(pieces) {
            if entry.freedBy == 0 { reusable.append(entry.block) } else { held.append(entry) }
        }
    }

    /// Excludes a reusable part from this commit, and from later ones while the base is needed, as if `version` had
    /// freed it. Returns false, without effect, unless the whole part is reusable.
    mutating func keep(_ part: FreeBlock, freedBy version: UInt64) -> Bool {
        let index = reusable.partitioningIndex { $0.end >= part.end }
        guard index < reusable.count, reusable[index].position <= part.position else { return false }
        let block = reusable[index]
        let rest = [
            FreeBlock(position: block.position, length: part.position - block.position),
            FreeBlock(position: part.end, length: block.end - part.end),
        ]
        reusable.replaceSubrange(index...index, with: rest.filter { $0.length > 0 })
        let place = held.partitioningIndex { $0.block.position > part.position }
        held.insert(FreeList.Entry(block: part, freedBy: version), at: place)
        return true
    }

    /// Throws if nodes that a commit frees share bytes with each other or with a free block. Then the file is damaged,
    /// and the commit would overwrite nodes of its base. The nodes must be sorted by position.
    func requireDisjoint(from freed: [FreeBlock]) throws {
        var end: Ref = 0
        for node in freed {
            let block = reusable.partitioningIndex { $0.end > node.position }
            let entry = held.partitioningIndex { $0.block.end > node.position }
            guard node.position >= end, block == reusable.count || reusable[block].position >= node.end,
                entry == held.count || held[entry].block.position >= node.end
            else { throw FreeList.sharedNodes(at: node.position) }
            end = node.end
        }
    }

    var reusableByteCount: Ref { reusable.reduce(0) { $0 + $1.length } }
    var heldByteCount: Ref { held.reduce(0) { $0 + $1.block.length } }

    private static func resolve(
        _ entry: FreeList.Entry, _ reachable: [UInt64], _ usedSpace: (Int) -> UsedSpace,
        _ result: (FreeList.Entry) -> Void
    ) {
        var index = reachable.last(before: entry.freedBy)
        var open = [entry.block]
        while let user = index, !open.isEmpty {
            if open.count == 1, open[0] == entry.block, reachable[user] + 1 == entry.freedBy {
                return result(entry)
            }
            var unused: [FreeBlock] = []
            for block in open {
                let split = usedSpace(user).split(block)
                for block in split.used { result(FreeList.Entry(block: block, freedBy: reachable[user] + 1)) }
                unused += split.unused
            }
            open = unused
            index = user > 0 ? user - 1 : nil
        }
        for block in open { result(FreeList.Entry(block: block, freedBy: 0)) }
    }
}

extension [UInt64] {
    /// The index of the greatest element below `bound`. The array must ascend.
    func last(before bound: UInt64) -> Int? {
        let index = partitioningIndex { $0 >= bound }
        return index > 0 ? index - 1 : nil
    }
}
