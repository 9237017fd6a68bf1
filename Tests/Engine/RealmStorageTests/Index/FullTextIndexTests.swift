// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Testing

@testable import RealmStorage

/// Word indexes compared with a dictionary of sets (content 9.5).
struct FullTextIndexTests {
    static let smallSets: [[[UInt8]?]] = [
        [bytes("abc"), bytes("abcX"), bytes("abcXdef")],
        [bytes("abcd"), bytes("abcdX\0\0\0"), bytes("abcdX\0\0\0more")],
        [bytes("aXbc"), bytes("aXbcdef"), bytes("a")],
        [nil, bytes("\0\0\0\0"), bytes("\0\0\0\0\0"), bytes("")],
        [bytes("ab"), bytes("abcd"), bytes("abcdefgh"), bytes("abcdef")],
        [bytes("abX\0"), bytes("ab"), bytes("abX\0\0\0\0\0"), bytes("abX\0\0\0\0\0z")],
        [long(200, 1), long(200, 2), long(197, 1), long(196, 1)],
        [bytes("a"), bytes("b"), bytes("c"), bytes("d")],
    ]

    private static func bytes(_ text: String) -> [UInt8] { Array(text.utf8) }

    private static func long(_ count: Int, _ last: UInt8) -> [UInt8] {
        Array(repeating: 0x70, count: count - 1) + [last]
    }

    @Test(arguments: smallSets) func everyOrderOfInsertionAndDeletion(_ words: [[UInt8]?]) throws {
        let harness = try IndexStore(capacity: 3)
        for insertions in permutations(Array(words.indices)) {
            for erasures in permutations(Array(words.indices)) where erasures.count < 4 || erasures[0] == insertions[1]
            {
                let index = try WordIndexModel(harness: harness)
                for position in insertions {
                    for key in [5, 2] as [Int64] { try index.insert(words[position], key) }
                    try index.check()
                }
                for word in words { try index.checkFind(word) }
                for position in erasures {
                    for key in [2, 5] as [Int64] { try index.erase(words[position], key) }
                    try index.check()
                }
                #expect(try FullTextIndex(harness.space, root: index.root).allKeys() == [])
                try SearchIndexEditor(harness.store).free(index.root)
            }
        }
    }

    /// Each word is in one object, so that most entries are literals.
    @Test(arguments: smallSets) func everyOrderForDifferentObjects(_ words: [[UInt8]?]) throws {
        let harness = try IndexStore(capacity: 4)
        for order in permutations(Array(words.indices)) {
            let index = try WordIndexModel(harness: harness)
            for position in order {
                try index.insert(words[position], Int64(position))
                try index.check()
                for word in words { try index.checkFind(word) }
            }
            for position in order {
                try index.erase(words[position], Int64(position))
                try index.check()
                for word in words { try index.checkFind(word) }
            }
            try SearchIndexEditor(harness.store).free(index.root)
        }
    }

    @Test(arguments: [3, 1000]) func randomChanges(_ capacity: Int) throws {
        let seed = randomSeed("randomChanges(\(capacity))")
        var random = SplitMix(state: seed)
        let index = try WordIndexModel(harness: IndexStore(capacity: capacity))
        for step in 0..<1500 {
            let key = Int64.random(in: 0..<40, using: &random)
            let has = index.words[ObjectKey(key)] ?? []
            if has.isEmpty || Int.random(in: 0..<10, using: &random) < (step / 300 % 2 == 0 ? 7 : 3) {
                let word = WordIndexModel.randomWord(&random)
                if !has.contains(word) { try index.insert(word, key) }
                try index.checkFind(word)
            } else {
                let word = has.sorted { ($0 ?? []).lexicographicallyPrecedes($1 ?? []) }.randomElement(using: &random)!
                try index.erase(word, key)
                try index.checkFind(word)
            }
            if step % 10 == 0 { try index.check() }
            if step % 20 == 0 { try index.checkPrefix(Array((WordIndexModel.randomWord(&random) ?? []).prefix(9))) }
            if step % 100 == 99 {
                #expect(try index.harness.lostBlocks(index.root) == [], "seed \(seed) step \(step)")
                index.root = try index.harness.commit(index.root)
            }
        }
    }

    @Test func longWordsAreRefused() throws {
        let index = try WordIndexModel(harness: IndexStore(capacity: 1000))
        #expect(throws: StorageError.self) { try index.insert(Array(repeating: 0x61, count: 201), 1) }
    }

    /// Entries that the reference leaves behind (content 9.5, 13.7).
    @Test func misplacedAndRepeatedEntriesAreFoundAndRemoved() throws {
        let harness = try IndexStore(capacity: 1000)
        defer { withExtendedLifetime(harness) {} }
        let store = harness.store
        let chunk = IndexWord(Array("aXbc".utf8)).chunk(at: 0)
        let list = try store.create([1, 4, 4, 7])
        let sub = try SearchIndexEditor(store).createNode(
            keys: [0, IndexChunk.end], elements: [Int64(list), Tagged.encode(9)], isInner: false)
        var root = try SearchIndexEditor(store).createNode(keys: [chunk], elements: [Int64(sub)], isInner: false)
        let word = Array("aXbc".utf8)
        func keys() throws -> [Int64] {
            try FullTextIndex(store.space, root: root).keys(containing: word).map(\.rawValue)
        }
        #expect(try keys() == [1, 4, 7, 9])
        for (key, rest) in [(4, [1, 7, 9]), (9, [1, 7]), (1, [7]), (7, [])] as [(Int64, [Int64])] {
            #expect(try SearchIndexEditor(store).erase(&root, word: word, ObjectKey(key)))
            #expect(try keys() == rest)
        }
        #expect(try !SearchIndexEditor(store).erase(&root, word: word, ObjectKey(7)))
    }
}

final class WordIndexModel {
    let harness: IndexStore
    var root: Ref
    var words: [ObjectKey: Set<[UInt8]?>] = [:]
    private var lookalikes: [[UInt8]?: Set<[UInt8]?>] = [:]

    init(harness: IndexStore) throws {
        self.harness = harness
        root = try SearchIndexEditor(harness.store).create()
    }

    func insert(_ word: [UInt8]?, _ key: Int64) throws {
        try SearchIndexEditor(harness.store).insert(&root, word: word, ObjectKey(key))
        words[ObjectKey(key), default: []].insert(word)
    }

    func erase(_ word: [UInt8]?, _ key: Int64) throws {
        var rest = words[ObjectKey(key)]!
        rest.remove(word)
        words[ObjectKey(key)] = rest
        try SearchIndexEditor(harness.store).erase(&root, word: word, ObjectKey(key)) { rest.contains($0) }
    }

    func check() throws {
        try IndexVerifier(harness.space, root, capacity: harness.capacity).checkWords(words)
    }

    /// Similar words may add objects without the word, which callers filter.
    func checkFind(_ word: [UInt8]?) throws {
        let found = try FullTextIndex(harness.space, root: root).keys(containing: word)
        #expect(found == found.sorted() && Set(found).count == found.count)
        let expected = words.filter { $0.value.contains(word) }.keys.sorted()
        #expect(Set(expected).isSubset(of: found), "\(String(describing: word))")
        let lookalikes = lookalikes[word] ?? IndexWord(word).lookalikes
        self.lookalikes[word] = lookalikes
        #expect(found.allSatisfy { !words[$0, default: []].isDisjoint(with: lookalikes) })
    }

    func checkPrefix(_ prefix: [UInt8]) throws {
        let found = try FullTextIndex(harness.space, root: root).keys(withPrefix: prefix)
        let expected = words.filter { $0.value.contains { $0?.starts(with: prefix) ?? prefix.isEmpty } }.keys.sorted()
        #expect(Set(expected).isSubset(of: found), "\(prefix)")
        // Only an X makes a word look longer than it is.
        if !prefix.contains(0x58), !prefix.contains(0) { #expect(found == expected, "\(prefix)") }
    }

    static func randomWord(_ random: inout SplitMix) -> [UInt8]? {
        if Int.random(in: 0..<30, using: &random) == 0 { return nil }
        let length = [0, 1, 2, 3, 4, 4, 5, 7, 8, 8, 9, 12, 196, 199, 200].randomElement(using: &random)!
        let common = length > 100 ? length - 2 : 0
        let tail = (0..<length - common).map { _ in [0x61, 0x61, 0x62, 0x58, 0].randomElement(using: &random)! as UInt8
        }
        return Array(repeating: 0x70, count: common) + tail
    }
}

extension IndexWord {
    fileprivate var lookalikes: Set<[UInt8]?> {
        var result: Set<[UInt8]?> = [bytes]
        for offset in stride(from: max(count - 1, 0) & ~3, to: min(count + 16, 201), by: 4) {
            result.formUnion(twins(on: self, at: offset))
            if mayBeMisplaced { result.formUnion(twins(on: unterminated, at: offset)) }
        }
        return result
    }
}
