// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The entries of strings with a given prefix in the index of a string column.
///
/// Chunks are four bytes of the text, so these strings are adjacent.
package struct PrefixPlaces {
    /// Whether the entries contain no other strings. They may contain others if a literal or list is above the end of
    /// its path. They also may if the prefix could be a shorter string with the bytes that follow it in its last chunk.
    package let isExact: Bool
    private let space: NodeSpace
    private let place: Place

    private enum Place {
        case nowhere
        case entry(IndexEntry)
        /// Some of the chunks at an offset, in the level with this root.
        case level(Ref, at: Int, ClosedRange<Int32>)
    }

    /// `prefix` must not be empty. `index` must not be that of a Mixed column.
    init(_ index: SearchIndex, _ prefix: [UInt8]) throws {
        precondition(!index.isMixed && !prefix.isEmpty)
        space = index.space
        let descent = IndexDescent(space: space, root: index.root)
        let data = IndexData(stringBytes: prefix)
        let isPlain = !IndexWord.isAmbiguous(prefix)
        var (level, offset, steps) = (index.root, 0, 0)
        while offset + 4 <= prefix.count {
            guard let entry = try descent.entry(of: data.chunk(at: offset), below: level, &steps) else {
                (place, isExact) = (.nowhere, true)
                return
            }
            guard case .subIndex(let sub) = entry else {
                (place, isExact) = (.entry(entry), isPlain && offset + 4 == prefix.count)
                return
            }
            try IndexDescent.requireNextLevel(offset, at: sub)
            level = sub
            offset += 4
        }
        (place, isExact) = (.level(level, at: offset, FullTextIndex.chunks(beginningWith: prefix[offset...])), isPlain)
    }

    package func count(limit: Int) throws -> Int? {
        var rest = limit
        func take(_ entry: IndexEntry) throws -> Bool {
            let count = try entry.count(in: space)
            guard count <= rest else { return false }
            rest -= count
            return true
        }
        var isComplete = true
        switch place {
        case .nowhere: break
        case .entry(let entry): isComplete = try take(entry)
        case .level(let ref, let offset, let range):
            var walk = IndexWalk(space)
            isComplete = try walk.visit(ref, at: offset, within: range) { entry, _ in try take(entry) }
        }
        return isComplete ? limit - rest : nil
    }

    /// Keys are in ascending order.
    package func keys() throws -> [ObjectKey] {
        switch place {
        case .nowhere: []
        case .entry(let entry): KeyOrder.ascending(try entry.keys(in: space))
        case .level(let ref, let offset, let range):
            KeyOrder.ascending(try IndexWalk.keys(space, ref, at: offset, within: range))
        }
    }
}
