// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// An object with its value or word, to be inserted into or removed from an index.
protocol IndexItem: IndexChunks {
    var key: ObjectKey { get }

    /// Whether a literal or list with the item can be at `offset` of its path.
    func mayStand(at offset: Int) -> Bool

    /// Returns the chunk under which `entry` moves to the next level; nil if the item shares the entry. `entry` is a
    /// literal or list at `offset` of the item's path.
    func parting(from entry: IndexEntry, at offset: Int, in space: NodeSpace) throws -> Int32?

    /// Returns the index of the item's key in a list at `offset`, or its insertion index.
    func place(in list: IndexList, at offset: Int) throws -> Int
}

extension IndexItem {
    /// Returns the indexes of the item's key in a list.
    ///
    /// Lists of upgraded files may be out of order, and those of word indexes may repeat a key (content 13.5, 13.7).
    func places(in list: IndexList, at offset: Int) throws -> Range<Int> {
        let place = try place(in: list, at: offset)
        guard place < list.count, try list.key(at: place) == key else {
            return try list.index(of: key).map { $0..<$0 + 1 } ?? 0..<0
        }
        var end = place + 1
        while end < list.count, try list.key(at: end) == key { end += 1 }
        return place..<end
    }
}

/// An object under the value of its column (content 9.4).
struct ValueItem: IndexItem {
    let key: ObjectKey
    private let value: StoredValue
    private let data: IndexData
    private let isMixed: Bool
    private let valueOf: (ObjectKey) throws -> StoredValue?

    /// - Parameter valueOf: Returns nil for objects that don't exist.
    init(
        _ key: ObjectKey, _ value: StoredValue, isMixed: Bool, valueOf: @escaping (ObjectKey) throws -> StoredValue?
    ) {
        (self.key, self.value, data, self.isMixed, self.valueOf) = (key, value, IndexData(value), isMixed, valueOf)
    }

    func chunk(at offset: Int) -> Int32 { data.chunk(at: offset) }

    /// True at every offset, because a search compares with the column.
    func mayStand(at offset: Int) -> Bool { true }

    /// Above the last level only objects with identical index data share a list.
    func parting(from entry: IndexEntry, at offset: Int, in space: NodeSpace) throws -> Int32? {
        if offset == FileFormat.lastIndexOffset { return nil }
        let theirs = try entry.data(on: data, through: offset, in: space) { try data(of: $0) }
        guard let theirs, theirs != data else { return nil }
        return theirs.chunk(at: offset + 4)
    }

    /// Lists are ordered by value, then by key. If identical data imply equal values, the keys alone decide.
    func place(in list: IndexList, at offset: Int) throws -> Int {
        if !isMixed, offset < FileFormat.lastIndexOffset { return try list.partition { $0 < key } }
        return try list.partition { other in
            guard other != key, let theirs = try valueOf(other) else { return other < key }
            let order = StoredValue.compare(theirs, value)
            return order == 0 ? other < key : order < 0
        }
    }

    private func data(of other: ObjectKey) throws -> IndexData {
        other == key ? data : try valueOf(other).map { IndexData($0) } ?? .none
    }
}

extension IndexEntry {
    /// Returns the index data of a literal or list of a value index; nil for a sub-index. The entry is at `offset` of
    /// the path of `chunks`.
    func data(
        on chunks: some IndexChunks, through offset: Int, in space: NodeSpace,
        of dataOf: (ObjectKey) throws -> IndexData
    ) throws -> IndexData? {
        var result: IndexData?
        try forEachKey(in: space) { key in
            let data = try dataOf(key)
            // An object whose link was deleted is null, but its entry is still under the link (content 13.18).
            let isInPlace = stride(from: 0, through: offset, by: 4).allSatisfy {
                data.chunk(at: $0) == chunks.chunk(at: $0)
            }
            if result == nil || isInPlace { result = data }
            return !isInPlace
        }
        return result
    }
}

/// An object under one of its words (content 9.5).
struct WordItem: IndexItem {
    let key: ObjectKey
    let word: IndexWord

    func chunk(at offset: Int) -> Int32 { word.chunk(at: offset) }

    func mayStand(at offset: Int) -> Bool { word.ends(at: offset) }

    /// Words that end at `offset` share a list; a longer word moves the list down to the chunk that ends its words.
    func parting(from entry: IndexEntry, at offset: Int, in space: NodeSpace) throws -> Int32? {
        guard let bytes = word.bytes, !word.ends(at: offset) else { return nil }
        return IndexWord.isAmbiguous(Array(bytes[..<(offset + 4)])) ? IndexChunk.none : IndexChunk.end
    }

    func place(in list: IndexList, at offset: Int) throws -> Int { try list.partition { $0 < key } }
}

struct PlacedItem: IndexItem {
    let key: ObjectKey
    let chunks: PathChunks

    func chunk(at offset: Int) -> Int32 { chunks.chunk(at: offset) }

    func mayStand(at offset: Int) -> Bool { true }

    func parting(from entry: IndexEntry, at offset: Int, in space: NodeSpace) throws -> Int32? { nil }

    func place(in list: IndexList, at offset: Int) throws -> Int { try list.index(of: key) ?? list.count }
}
