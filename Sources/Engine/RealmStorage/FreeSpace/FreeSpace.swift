// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The free blocks of a base version, divided into what its successor may overwrite and what readers hold back.
///
/// A block may be overwritten if no reachable version uses a byte of it. Free lists record when a block was freed, but
/// not when it was allocated, so an entry freed after the horizon is looked up in the lists of the reachable versions
/// before it, newest first, and cut where only a part of it was used (container 6.6). A block that version E is the
/// newest to use gets E + 1 as the version that freed it. That holds for every reachable version; and because only E
/// has to be examined while it is reachable, a commit looks up only the blocks freed since the last one, and those
/// released by the end of a reader.
struct FreeSpace {
    /// Sorted, adjacent blocks merged.
    private(set) var reusable: [FreeBlock] = []
    /// Sorted; each freed later than the oldest reachable version.
    private(set) var held: [FreeList.Entry] = []

    /// `reachable` ascends and ends with the base version; `usedSpace` returns the space that one of them uses.
    init(_ entries: [FreeList.Entry], reachable: [UInt64], usedSpace: (Int) -> UsedSpace) {
        var pieces: [FreeList.Entry] = []
        for entry in entries {
            FreeSpace.resolve(entry, reachable, usedSpace) { pieces.append($0) }
        }
        for entry in FreeList.merged(pieces) {
            if entry.freedBy == 0 { reusable.append(entry.block) } else { held.append(entry) }
        }
    }

    /// Keeps a part of what may be overwritten out of the way of this commit, and of those after it as long as the base
    /// is needed: as if `version` had freed it. Returns false, having done nothing, if not all of it may be
    /// overwritten.
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

    /// Throws if nodes that a commit frees, sorted by position, share bytes with each other or with a free block: the
    /// file is damaged, and the commit would overwrite nodes of its base.
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
    /// The index of the greatest element below `bound`, of an ascending array.
    func last(before bound: UInt64) -> Int? {
        let index = partitioningIndex { $0 >= bound }
        return index > 0 ? index - 1 : nil
    }
}
