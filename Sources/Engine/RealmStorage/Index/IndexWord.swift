// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A word of a word index, and the positions at which it may be stored (content 9.5).
struct IndexWord: IndexChunks {
    let bytes: [UInt8]?
    private let data: IndexData

    init(_ bytes: [UInt8]?) {
        self.bytes = bytes
        data = bytes.map { IndexData(stringBytes: $0) } ?? .none
    }

    func chunk(at offset: Int) -> Int32 { data.chunk(at: offset) }

    var count: Int { bytes?.count ?? 0 }

    /// Whether the chunk at `offset` completes the word. A literal or list there may be the word's own.
    func ends(at offset: Int) -> Bool { offset + 4 >= count || offset == FileFormat.lastIndexOffset }

    /// Whether the word may be stored at the position of another one that ends within its last chunk.
    ///
    /// A literal or list doesn't identify its word among those with the same path: "abcX" may be that word or "abc".
    /// When a longer word needs the position, the entry moves to the position of the shorter one.
    var mayBeMisplaced: Bool {
        guard let bytes, !bytes.isEmpty, bytes.count & 3 == 0 else { return false }
        return bytes.last == 0 || bytes.suffix(4).contains(UInt8(IndexChunk.terminator))
    }

    var unterminated: PathChunks {
        PathChunks(path: stride(from: 0, to: count, by: 4).map { data.chunk(at: $0) })
    }

    /// Returns the other words that may share a literal or list with this one. The entry is at `offset` of the path of
    /// `chunks`.
    func twins(on chunks: some IndexChunks, at offset: Int) -> [[UInt8]?] {
        var path: [UInt8] = []
        for offset in stride(from: 0, through: offset, by: 4) {
            let chunk = UInt32(bitPattern: chunks.chunk(at: offset))
            path += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: chunk >> $0) }
        }
        var words: [[UInt8]?] = [path]
        if let last = path.lastIndex(where: { $0 != 0 }) {
            // A shorter word ends before the X, if only zeros follow it.
            if path[last] == UInt8(IndexChunk.terminator) { words.append(Array(path[..<last])) }
        } else {
            words.append(nil)
        }
        // An entry that was moved down along zero chunks may still belong to the word that ended above them.
        while path.count > 4, path.suffix(4) == [0, 0, 0, 0] {
            path.removeLast(4)
            words.append(path)
        }
        return words.filter { $0 != bytes }
    }

    /// Whether an entry at the end of `path` may belong to a word that is shorter than the path.
    static func isAmbiguous(_ path: [UInt8]) -> Bool {
        let last = path.last { $0 != 0 }
        return last == nil || last == UInt8(IndexChunk.terminator)
    }
}
