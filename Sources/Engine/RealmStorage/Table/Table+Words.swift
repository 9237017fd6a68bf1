// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Searches of word indexes: full text, and lists of strings (content 9.5, 9.6).
extension Table {
    package func objects(_ column: ColumnKey, matching query: FullTextQuery) throws -> [ObjectKey] {
        let index = try wordIndex(column, isFullText: true)
        func keys(_ word: FullTextQuery.Word) throws -> [ObjectKey] {
            word.isPrefix ? try index.keys(withPrefix: word.token) : try index.keys(containing: word.token)
        }
        var result: [ObjectKey]
        if let first = query.included.first {
            result = try keys(first)
            for word in query.included.dropFirst() where !result.isEmpty {
                result = Table.common(result, try keys(word))
            }
        } else {
            result = try allKeys()
        }
        for word in query.excluded where !result.isEmpty {
            result = Table.filter(result, presentIn: try keys(word), false)
        }
        return result
    }

    /// Returns the keys that are in both lists, which must ascend. Lists of similar lengths are compared in blocks. A
    /// branch for each key would be mispredicted half of the time.
    static func common(_ a: [ObjectKey], _ b: [ObjectKey]) -> [ObjectKey] {
        let (short, long) = a.count <= b.count ? (a, b) : (b, a)
        guard long.count / 8 < short.count else { return filter(short, presentIn: long, true) }
        var result: [ObjectKey] = []
        unsafe short.withUnsafeBytes { short in
            unsafe long.withUnsafeBytes { long in
                var (i, j) = unsafe commonBlocks(short, long, &result)
                while i < short.count, j < long.count {
                    let left = unsafe short.load(fromByteOffset: i, as: ObjectKey.self)
                    let right = unsafe long.load(fromByteOffset: j, as: ObjectKey.self)
                    if left == right { result.append(left) }
                    i &+= left <= right ? 8 : 0
                    j &+= right <= left ? 8 : 0
                }
            }
        }
        return result
    }

    /// Compares blocks of four keys with each other while both lists have one, and advances the block that ends first.
    /// Returns the offsets reached, in bytes.
    private static func commonBlocks(
        _ a: UnsafeRawBufferPointer, _ b: UnsafeRawBufferPointer, _ result: inout [ObjectKey]
    ) -> (Int, Int) {
        typealias Block = SIMD4<Int64>
        var (i, j) = (0, 0)
        while i &+ 32 <= a.count, j &+ 32 <= b.count {
            let left = unsafe a.loadUnaligned(fromByteOffset: i, as: Block.self)
            let right = unsafe b.loadUnaligned(fromByteOffset: j, as: Block.self)
            let isFound =
                (left .== Block(repeating: right[0])) .| (left .== Block(repeating: right[1]))
                .| (left .== Block(repeating: right[2])) .| (left .== Block(repeating: right[3]))
            if any(isFound) {
                for place in 0..<4 where isFound[place] { result.append(ObjectKey(left[place])) }
            }
            i &+= left[3] <= right[3] ? 32 : 0
            j &+= right[3] <= left[3] ? 32 : 0
        }
        return (i, j)
    }

    static func filter(_ keys: [ObjectKey], presentIn others: [ObjectKey], _ isPresent: Bool) -> [ObjectKey] {
        var place = 0
        return keys.filter { key in
            if place < others.count, others[place] < key {
                var leap = 1
                while place + leap < others.count, others[place + leap] < key {
                    place += leap
                    leap *= 2
                }
                while leap > 1 {
                    leap /= 2
                    if place + leap < others.count, others[place + leap] < key { place += leap }
                }
                place += 1
            }
            return (place < others.count && others[place] == key) == isPresent
        }
    }

    /// Returns the objects whose list of strings, an indexed column, contains `value`, in ascending order. Reads the
    /// lists themselves, because the index can't distinguish some words from others and may have stale entries
    /// (content 9.5, 13.7).
    package func objects(_ column: ColumnKey, containing value: StoredValue) throws -> [ObjectKey] {
        let info = try require(column)
        let word = ListWord.storedBytes(of: value)
        guard word != nil || value == .null else { return [] }
        return try wordIndex(column, isFullText: false).keys(containing: word).filter { key in
            guard let position = try find(key) else { return false }
            return try list(info, at: position).values().contains(value)
        }
    }

    private func wordIndex(_ key: ColumnKey, isFullText: Bool) throws -> FullTextIndex {
        let column = try require(key)
        guard hasIndex(key), isFullText ? column.isFullTextIndexed : key.isList else {
            throw StorageError.absent("'\(column.name)' has no index of its words")
        }
        return FullTextIndex(space, root: try indexRoot(column.leafIndex))
    }
}
