// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Testing

@testable import RealmStorage

/// Batches of many objects among single entries (content 9.4, 9.5).
struct IndexBatchTests {
    @Test(arguments: ValueKind.allCases.filter { $0 != .mixed }, [3, 5, 1000])
    func valuesAsIfOneByOne(_ kind: ValueKind, _ capacity: Int) throws {
        let seed = randomSeed("valuesAsIfOneByOne(\(kind), \(capacity))")
        var random = SplitMix(state: seed)
        let index = try ValueIndexModel(capacity: capacity, isMixed: false)
        for round in 0..<25 {
            try index.insertMany(Int.random(in: 0...[1, 3, 40, 200].randomElement(using: &random)!, using: &random)) {
                kind.random(&random)
            } key: {
                index.anyFreeKey(&random)
            }
            try index.check()
            for _ in 0..<5 { try index.insert(kind.random(&random), index.anyFreeKey(&random)) }
            try index.checkFind(kind.random(&random))
            #expect(try index.harness.lostBlocks(index.root) == [], "seed \(seed) round \(round)")
            if round % 3 == 1 { index.root = try index.harness.commit(index.root) }
            let percent = [3, 30, 90].randomElement(using: &random)!
            let chosen = index.values.keys.sorted().filter { _ in Int.random(in: 0..<100, using: &random) < percent }
            #expect(try index.erase(chosen) == 0, "seed \(seed)")
            try index.check()
        }
    }

    /// The index files strings of NULs that exceed the last level among the nulls, after all of them.
    @Test func nullsBesideLongNULs() throws {
        let seed = randomSeed("nullsBesideLongNULs")
        var random = SplitMix(state: seed)
        let index = try ValueIndexModel(capacity: 4, isMixed: false)
        for _ in 0..<30 {
            for _ in 0..<Int.random(in: 0...2, using: &random) {
                let text = String(repeating: "\0", count: .random(in: 200...208, using: &random))
                try index.insert(.string(text), index.freeKey(&random))
            }
            try index.insertMany(Int.random(in: 0...6, using: &random)) {
                .null
            } key: {
                index.freeKey(&random)
            }
            try index.check()
            try index.checkFind(.null)
            let chosen = index.values.keys.sorted().filter { _ in Int.random(in: 0..<100, using: &random) < 10 }
            _ = try index.erase(chosen)
            try index.check()
            #expect(try index.harness.lostBlocks(index.root) == [], "seed \(seed)")
        }
    }

    /// Entries in ascending order leave full nodes; evenly spread ones split many nodes at once.
    @Test func thousands() throws {
        var random = SplitMix(state: randomSeed())
        let index = try ValueIndexModel(capacity: 1000, isMixed: false)
        var next: Int64 = 0
        for count in [1, 5000, 20, 3000, 12_000] {
            try index.insertMany(count) {
                .timestamp(Timestamp(seconds: next << 40, nanoseconds: 0))
            } key: {
                next += 1
                return next
            }
            try index.check()
            index.root = try index.harness.commit(index.root)
        }
        try index.insertMany(9000) {
            .timestamp(Timestamp(seconds: .random(in: 0...(.max / 2), using: &random), nanoseconds: 0))
        } key: {
            index.anyFreeKey(&random)
        }
        // Many equal entries make a list that is a tree of few or many leaves.
        for count in [700, 2000, 10, 50, 3000] {
            try index.insertMany(count) {
                .timestamp(Timestamp(seconds: 0, nanoseconds: 7))
            } key: {
                index.anyFreeKey(&random)
            }
            try index.check()
        }
        #expect(try index.erase(Array(index.values.keys)) == 0)
        try index.check()
    }

    @Test(arguments: [3, 6, 1000]) func wordsAsIfOneByOne(_ capacity: Int) throws {
        let seed = randomSeed("wordsAsIfOneByOne(\(capacity))")
        var random = SplitMix(state: seed)
        let index = try WordIndexModel(harness: IndexStore(capacity: capacity))
        for round in 0..<60 {
            var postings = PostingLists()
            for _ in 0..<[1, 4, 60].randomElement(using: &random)! {
                let key = ObjectKey(Int64.random(in: 0..<500, using: &random))
                guard index.words[key] == nil else { continue }
                for _ in 0..<Int.random(in: 0..<12, using: &random) {
                    let word = IndexBatchTests.token(&random)
                    postings.add(word, key)
                    index.words[key, default: []].insert(word)
                }
            }
            #expect(postings.count >= 0)
            try SearchIndexEditor(index.harness.store).insert(&index.root, postings.batch())
            try index.check()
            try index.checkFind(IndexBatchTests.token(&random))
            try index.checkPrefix(Array(IndexBatchTests.token(&random).prefix(3)))
            for key in index.words.keys.sorted() where Int.random(in: 0..<4, using: &random) == 0 {
                for word in index.words[key] ?? [] { try index.erase(word, key.rawValue) }
                index.words[key] = nil
            }
            #expect(try index.harness.lostBlocks(index.root) == [], "seed \(seed) round \(round)")
            if round % 4 == 3 { index.root = try index.harness.commit(index.root) }
        }
    }

    /// Returns a token as a tokenizer makes it: no upper-case letters, at most 64 bytes, perhaps empty.
    private static func token(_ random: inout SplitMix) -> [UInt8] {
        let length = [0, 1, 2, 3, 4, 4, 5, 7, 8, 8, 9, 12, 62, 63, 64].randomElement(using: &random)!
        let common = length > 60 ? length - 2 : 0
        return Array(repeating: 0x70, count: common)
            + (0..<length - common).map { _ in [0x61, 0x61, 0x62, 0x78, 0xC3].randomElement(using: &random)! }
    }

    /// Damage aborts a batch, and the index can't be used afterwards.
    @Test func damageIsKept() throws {
        let harness = try IndexStore(capacity: 3)
        var root = try harness.store.create([1, 2], flags: NodeHeader.Flags.hasRefs)
        let pending = IndexWriteBuffer(store: harness.store)
        pending.add(IndexedObject(ObjectKey(1), IndexData(.int(1))))
        for _ in 0..<2 {
            #expect(throws: StorageError.self) { try pending.flush(&root) { _ -> IndexData? in nil } }
        }
    }
}

extension ValueIndexModel {
    func anyFreeKey(_ random: inout SplitMix) -> Int64 {
        while true {
            let key = Int64.random(in: 0...(1 << Int64.random(in: 8...40, using: &random)), using: &random)
            if values[ObjectKey(key)] == nil { return key }
        }
    }

    func insertMany(_ count: Int, value: () -> StoredValue, key: () -> Int64) throws {
        var objects: [IndexedObject] = []
        for _ in 0..<count {
            let (value, key) = (value(), key())
            let data = IndexData(value)
            guard data.count <= IndexBatch.maximumDataCount else {
                try insert(value, key)
                continue
            }
            objects.append(IndexedObject(ObjectKey(key), data))
            values[ObjectKey(key)] = value
        }
        let batch = IndexBatch(objects) { self.values[$0].map { IndexData($0) } }
        try SearchIndexEditor(harness.store).insert(&root, batch)
    }
}
