// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem

/// A cache of the leaves of a dictionary's keys and values. It finds a key without a descent through both trees, and
/// without waiting for the header of any node.
///
/// Each cached leaf has the words of fifteen keys. So few keys are between two of these that all are prefetched,
/// together with their values. An entry is valid until anything in the dictionary changes, which `FenceKeyIndex`
/// counts: a leaf is cached on its second lookup between changes. Only leaves of short keys are cached.
@safe
final class DictionaryLeafCache {
    private let memory: ZeroedMemory
    private let leaves: UnsafeMutablePointer<Leaf>
    private let words: UnsafeMutablePointer<UInt64>

    /// All zeros if empty.
    @unsafe private struct Leaf {
        var changeCount: UInt64
        /// The payload of the keys; nil after a single lookup.
        var keys: UnsafeRawPointer?
        var values: UnsafeRawPointer?
        var descriptors: UnsafeRawPointer?
        var keysHeader: NodeHeader
        var valuesHeader: NodeHeader
        var descriptorsHeader: NodeHeader
        /// The distance from a key's row to the row of its value.
        var shift: Int32
    }

    private static let wordCount = 15

    init(leafCount: Int) {
        let leavesSize = unsafe leafCount * MemoryLayout<Leaf>.stride
        let wordCount = leafCount * DictionaryLeafCache.wordCount
        memory = ZeroedMemory(byteCount: leavesSize + wordCount * MemoryLayout<UInt64>.stride)
        unsafe leaves = unsafe memory.base.bindMemory(to: Leaf.self, capacity: leafCount)
        unsafe words = unsafe (memory.base + leavesSize).bindMemory(to: UInt64.self, capacity: wordCount)
    }

    /// The key must be either in this leaf or absent. Nil if the leaf isn't cached. `word` is that of the key.
    func entry(
        of key: TextLookup, _ word: UInt64, in number: Int, _ changeCount: UInt64, _ space: NodeSpace
    ) throws -> LookupResult? {
        let leaf = unsafe leaves + number
        guard unsafe leaf.pointee.changeCount == changeCount, let keysPayload = unsafe leaf.pointee.keys,
            let valuesPayload = unsafe leaf.pointee.values, let payload = unsafe leaf.pointee.descriptors
        else { return nil }
        let keys = unsafe Node(header: leaf.pointee.keysHeader, payload: keysPayload, in: space)
        let descriptors = unsafe Node(header: leaf.pointee.descriptorsHeader, payload: payload, in: space)
        let shift = unsafe Int(leaf.pointee.shift)
        let rows = rows(around: word, in: number, of: keys.count)
        keys.prefetch(rows: rows.lowerBound, rows.count)
        descriptors.prefetch(rows: rows.lowerBound + shift, rows.count)
        let (row, isFound) = try key.place(in: keys, rows)
        guard isFound else { return .absent }
        guard 0..<descriptors.count ~= row + shift else { return nil }
        let root = unsafe Node(header: leaf.pointee.valuesHeader, payload: valuesPayload, in: space)
        return .present(MixedLeaf(space, root, descriptors), row: row + shift)
    }

    private func rows(around word: UInt64, in number: Int, of count: Int) -> Range<Int> {
        let words = unsafe self.words + number &* DictionaryLeafCache.wordCount
        let below = SortedSearch.prefix(of: DictionaryLeafCache.wordCount) { unsafe words[$0] < word }
        var notAbove = below
        while notAbove < DictionaryLeafCache.wordCount, unsafe words[notAbove] == word { notAbove += 1 }
        let start = below == 0 ? 0 : DictionaryLeafCache.row(below - 1, of: count) + 1
        let end = notAbove == DictionaryLeafCache.wordCount ? count : DictionaryLeafCache.row(notAbove, of: count)
        // In a damaged leaf, keys can be in any order.
        return start..<max(start, end)
    }

    private static func row(_ place: Int, of count: Int) -> Int { ((place + 1) * count) / (wordCount + 1) }

    /// Counts a lookup that found a key, and caches the key's leaf on the second one. `word` returns the word of the
    /// key in a row.
    func note(
        _ place: LeafPosition, _ changeCount: UInt64, _ values: MixedLeaf, _ row: Int, _ word: (Int) throws -> UInt64
    ) rethrows {
        let leaf = unsafe leaves + place.number
        guard unsafe leaf.pointee.changeCount == changeCount else {
            unsafe leaf.pointee.changeCount = changeCount
            unsafe leaf.pointee.keys = nil
            return
        }
        guard ShortText.makeUp(place.leaf), let shift = Int32(exactly: row - place.row) else { return }
        for index in 0..<DictionaryLeafCache.wordCount {
            let word = try word(DictionaryLeafCache.row(index, of: place.count))
            unsafe words[place.number * DictionaryLeafCache.wordCount + index] = word
        }
        unsafe leaf.pointee = unsafe Leaf(
            changeCount: changeCount, keys: place.leaf.payload, values: values.root.payload,
            descriptors: values.descriptors.payload, keysHeader: place.leaf.header, valuesHeader: values.root.header,
            descriptorsHeader: values.descriptors.header, shift: shift)
    }
}

enum LookupResult {
    case absent
    case present(MixedLeaf, row: Int)
}

extension Node {
    /// Prefetches rows, up to the number that is worth prefetching.
    @inline(__always)
    fileprivate func prefetch(rows start: Int, _ count: Int) {
        var offset = header.likelyOffset(of: start)
        let end = min(header.likelyOffset(of: start &+ count), offset &+ 1024)
        while offset < end {
            prefetch(offset)
            offset &+= 64
        }
        prefetch(end)
    }
}
