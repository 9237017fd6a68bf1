// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A word index: the objects of a table by the strings in one list, or by the tokens of one text (content 9.5).
///
/// The index contains complete words, so results aren't compared with the column. In the index of a list, the letter X
/// and zero bytes make some words indistinguishable, and entries may be stale (content 13.7). The caller must then
/// check the list of each object.
package struct FullTextIndex {
    package let space: NodeSpace
    package let root: Ref

    package init(_ space: NodeSpace, root: Ref) {
        self.space = space
        self.root = root
    }

    /// Keys are in ascending order; nil is the null element of a list.
    package func keys(containing word: [UInt8]?) throws -> [ObjectKey] {
        let word = IndexWord(word)
        let descent = IndexDescent(space: space, root: root)
        var result = try keys(word, descent.find(word))
        if word.mayBeMisplaced { result += try keys(word, descent.find(word.unterminated)) }
        return KeyOrder.ascending(result)
    }

    /// Keys are in ascending order. An empty prefix finds every object of the index.
    package func keys(withPrefix prefix: [UInt8]) throws -> [ObjectKey] {
        let data = IndexWord(prefix)
        let descent = IndexDescent(space: space, root: root)
        var level = root
        var offset = 0
        var steps = 0
        while offset + 4 <= prefix.count {
            guard let entry = try descent.entry(of: data.chunk(at: offset), below: level, &steps) else { return [] }
            offset += 4
            guard case .subIndex(let sub) = entry else {
                // The words of a literal or list end here.
                return offset == prefix.count ? KeyOrder.ascending(try entry.keys(in: space)) : []
            }
            try IndexDescent.requireNextLevel(offset - 4, at: sub)
            level = sub
        }
        let range = FullTextIndex.chunks(beginningWith: prefix[offset...])
        return KeyOrder.ascending(try IndexWalk.keys(space, level, at: offset, within: range))
    }

    package func allKeys() throws -> [ObjectKey] { try IndexWalk.keys(space, root) }

    private func keys(_ word: IndexWord, _ found: IndexDescent.Found?) throws -> [ObjectKey] {
        guard let found, word.ends(at: found.offset) else { return [] }
        return try found.entry.keys(in: space)
    }

    static func chunks(beginningWith bytes: ArraySlice<UInt8>) -> ClosedRange<Int32> {
        if bytes.isEmpty { return .min ... .max }
        let shift = UInt32(32 - 8 * bytes.count)
        let low = bytes.reduce(0) { $0 << 8 | UInt32($1) } << shift
        return Int32(bitPattern: low)...Int32(bitPattern: low | ((1 << shift) - 1))
    }
}
