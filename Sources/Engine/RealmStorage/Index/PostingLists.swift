// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Words of full texts with the objects that contain them, to be inserted into an index.
///
/// Every word is stored once, in one array of bytes that is indexed by a custom hash table, so an occurrence needs no
/// allocation.
struct PostingLists {
    private struct Word {
        /// The first eight bytes, which are all of most words: usually a single comparison decides whether words are
        /// equal.
        let head: UInt64
        let bytes: Range<Int>
        var lastKey: ObjectKey
        var count = 1
    }

    private struct Occurrence {
        let word: Int32
        let key: ObjectKey
    }

    private var bytes: [UInt8] = []
    private var words: [Word] = []
    private var occurrences: [Occurrence] = []
    /// The numbers of words, or -1 for empty slots. There are at least twice as many slots as words.
    private var slots: [Int32] = Array(repeating: -1, count: 64)
    /// Random, so that the author of a file, who chooses the words, can't provoke hash collisions.
    private let seed = UInt64.random(in: 0...(.max))

    var count: Int { occurrences.count }

    /// All words of an object must be added consecutively.
    mutating func add(_ word: some RandomAccessCollection<UInt8>, _ key: ObjectKey) {
        let head = PostingLists.head(word)
        var slot = hash(head, word) & (slots.count - 1)
        while slots[slot] >= 0 {
            let number = Int(slots[slot])
            if words[number].head == head, matches(number, word) { return add(number, key) }
            slot = (slot + 1) & (slots.count - 1)
        }
        slots[slot] = Int32(words.count)
        occurrences.append(Occurrence(word: Int32(words.count), key: key))
        bytes += word
        words.append(Word(head: head, bytes: bytes.count - word.count..<bytes.count, lastKey: key))
        if words.count * 2 > slots.count { grow() }
    }

    private mutating func add(_ number: Int, _ key: ObjectKey) {
        guard words[number].lastKey != key else { return }
        words[number].lastKey = key
        words[number].count += 1
        occurrences.append(Occurrence(word: Int32(number), key: key))
    }

    /// Whether the word is equal, given that its head is.
    private func matches(_ number: Int, _ word: some RandomAccessCollection<UInt8>) -> Bool {
        let range = words[number].bytes
        guard range.count == word.count else { return false }
        return word.count <= 8 || bytes[range].dropFirst(8).elementsEqual(word.dropFirst(8))
    }

    private static func head(_ word: some Collection<UInt8>) -> UInt64 {
        word.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    private func hash(_ head: UInt64, _ word: some Collection<UInt8>) -> Int {
        func mixed(_ hash: UInt64) -> UInt64 {
            let product = hash.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
            return product.high ^ product.low
        }
        let hash = word.dropFirst(8).reduce(mixed(seed ^ head)) { mixed($0 ^ UInt64($1)) }
        return Int(truncatingIfNeeded: hash)
    }

    private mutating func grow() {
        slots = Array(repeating: -1, count: slots.count * 2)
        for (number, word) in words.enumerated() {
            var slot = hash(word.head, bytes[word.bytes]) & (slots.count - 1)
            while slots[slot] >= 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = Int32(number)
        }
    }

    func batch() -> IndexBatch {
        let data = words.map { IndexData(stringBytes: bytes[$0.bytes]) }
        let order = words.indices.sorted { IndexData.precedes(data[$0], data[$1]) }
        var runs: [IndexBatch.Run] = []
        var places = [Int](repeating: 0, count: words.count)
        var end = 0
        for number in order {
            places[number] = end
            runs.append(IndexBatch.Run(data: data[number], keys: end..<end + words[number].count))
            end += words[number].count
        }
        var keys = [ObjectKey](repeating: ObjectKey(0), count: occurrences.count)
        for occurrence in occurrences {
            keys[places[Int(occurrence.word)]] = occurrence.key
            places[Int(occurrence.word)] += 1
        }
        for run in runs where !zip(keys[run.keys], keys[run.keys].dropFirst()).allSatisfy({ $0 < $1 }) {
            keys.replaceSubrange(run.keys, with: keys[run.keys].sorted())
        }
        return IndexBatch(runs: runs, keys: keys, dataOf: nil)
    }
}
