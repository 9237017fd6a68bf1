// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Testing

@testable import RealmStorage

/// Value indexes compared with a dictionary (content 9.4).
struct ValueIndexTests {
    @Test func emptyIndexFindsNothing() throws {
        let index = try ValueIndexModel(capacity: 1000)
        try index.check()
        #expect(try index.reader.keys(equalTo: .int(1)) { _ in nil } == [])
        let root = try index.harness.store.node(index.root)
        #expect(root.header.flags == 0x60 && root.count == 1)
    }

    /// Paths of content 14.5: as short as the other objects allow.
    @Test func aLiteralIsStoredAtTheFirstFreeChunk() throws {
        let index = try ValueIndexModel(capacity: 1000)
        try index.insert(.double(3.75), 5)
        try index.insert(.float(2.75), 6)
        #expect(try index.paths() == [[0], [0x3040]])
        try index.insert(.int(0), 7)
        #expect(try index.paths() == [[0, 0], [0, 0xE40], [0x3040]])
        try index.insert(.null, 8)
        #expect(try index.paths() == [[0, 0, 0], [0, 0, 0x5800_0000], [0, 0xE40], [0x3040]])
    }

    static let smallSets: [[StoredValue]] = [
        [.int(7), .int(-1), .int(7 << 32), .int(7)],
        [.null, .string(""), .string("X"), .string("\0\0\0\0")],
        [.string("abc"), .string("abcX"), .string("abcXdef"), .string("abcd")],
        [.string(text(200, "a")), .string(text(200, "b")), .string(text(204, "a")), .string(text(300, "c"))],
        [.string(text(204, "d")), .string(text(204, "c")), .string(text(204, "b")), .string(text(204, "c"))],
        [.int(1), .bool(true), .double(1), .float(1)],
        [.string("X"), .binary([0x58]), .null, .string("X")],
        [.int(1), .int(2), .int(3), .int(4), .int(5)],
    ]

    private static func text(_ count: Int, _ end: String) -> String { String(repeating: "p", count: count) + end }

    @Test(arguments: smallSets) func everyOrderOfInsertionAndDeletion(_ values: [StoredValue]) throws {
        let harness = try IndexStore(capacity: 3)
        for insertions in permutations(Array(values.indices)) {
            for erasures in permutations(Array(values.indices)) where erasures.count < 5 || erasures[0] == insertions[1]
            {
                let index = try ValueIndexModel(harness: harness, isMixed: true)
                for position in insertions {
                    try index.insert(values[position], Int64(position))
                    try index.check()
                }
                for value in values { try index.checkFind(value) }
                for position in erasures {
                    try index.erase(Int64(position))
                    try index.check()
                }
                try SearchIndexEditor(index.harness.store).free(index.root)
            }
        }
    }

    @Test(arguments: ValueKind.allCases) func randomChanges(_ kind: ValueKind) throws {
        let seed = randomSeed("randomChanges(\(kind))")
        var random = SplitMix(state: seed)
        for capacity in [3, 4, 1000] {
            let index = try ValueIndexModel(capacity: capacity, isMixed: kind == .mixed)
            for step in 0..<600 {
                let grows = index.values.count < (step / 200 % 2 == 0 ? 120 : 10)
                let known = index.values.keys.sorted()
                if known.isEmpty || Int.random(in: 0..<10, using: &random) < (grows ? 7 : 3) {
                    let value = kind.random(&random)
                    try index.insert(value, index.freeKey(&random))
                    try index.checkFind(value)
                } else {
                    let key = known.randomElement(using: &random)!
                    let value = index.values[key]!
                    try index.erase(key.rawValue)
                    try index.checkFind(value)
                }
                if step % 13 == 0 { try index.checkFind(kind.random(&random)) }
                if step % 10 == 0 || index.values.count < 20 { try index.check() }
                if step % 100 == 99 {
                    try index.check()
                    #expect(try index.harness.lostBlocks(index.root) == [], "seed \(seed) step \(step)")
                    index.root = try index.harness.commit(index.root)
                }
            }
            try SearchIndexEditor(index.harness.store).free(index.root)
            #expect(try index.harness.lostBlocks(nil) == [])
        }
    }

    @Test(arguments: ValueKind.allCases) func manyAtOnce(_ kind: ValueKind) throws {
        let seed = randomSeed("manyAtOnce(\(kind))")
        var random = SplitMix(state: seed)
        for capacity in [3, 4, 1000] {
            for round in 0..<12 {
                let index = try ValueIndexModel(capacity: capacity, isMixed: kind == .mixed)
                for _ in 0..<Int.random(in: 0..<150, using: &random) {
                    try index.insert(kind.random(&random), index.freeKey(&random))
                }
                if round % 2 == 0 { index.root = try index.harness.commit(index.root) }
                while !index.values.isEmpty {
                    let percent = [3, 30, 70, 100].randomElement(using: &random)!
                    let chosen = index.values.keys.sorted().filter { _ in
                        Int.random(in: 0..<100, using: &random) < percent
                    }
                    let absent = try index.erase(chosen.shuffled(using: &random))
                    #expect(absent == 0, "seed \(seed)")
                    try index.check()
                    #expect(try index.harness.lostBlocks(index.root) == [], "seed \(seed) round \(round)")
                    index.root = try index.harness.commit(index.root)
                }
                #expect(try index.harness.store.node(index.root).header.flags == 0x60)
            }
        }
    }

    @Test func thousandsAtOnce() throws {
        var random = SplitMix(state: randomSeed())
        let index = try ValueIndexModel(capacity: 1000, isMixed: false)
        for key in 0..<Int64(2500) { try index.insert(.int(4), key) }
        for key in 2500..<Int64(6000) { try index.insert(.int(key), key) }
        index.root = try index.harness.commit(index.root)
        for _ in 0..<4 {
            let chosen = index.values.keys.filter { _ in Bool.random(using: &random) }
            #expect(try index.erase(chosen) == 0)
            try index.check()
            #expect(try index.harness.lostBlocks(index.root) == [])
        }
        #expect(try index.erase(Array(index.values.keys)) == 0)
        try index.check()
    }

    /// Objects filed under another value, or nowhere, are returned and change nothing.
    @Test func objectsFiledElsewhereAreReturned() throws {
        let index = try ValueIndexModel(capacity: 3)
        for key in 0..<Int64(30) { try index.insert(.int(key % 7), key) }
        let wrong = (0..<Int64(12)).map { IndexedObject(ObjectKey($0), IndexData(.int(($0 + 1) % 9))) }
        let absent = try SearchIndexEditor(index.harness.store).erase(
            &index.root, wrong + [IndexedObject(ObjectKey(99), .none)])
        #expect(Set(absent) == Set((0..<12).map { ObjectKey($0) } + [ObjectKey(99)]))
        try index.check()
    }

    @Test func thousandsOfEqualValues() throws {
        for value in [StoredValue.null, .string("same"), .string(String(repeating: "l", count: 300)), .int(4)] {
            let index = try ValueIndexModel(capacity: 1000, isMixed: false)
            var keys = Array(0..<Int64(2500))
            keys.append(contentsOf: (0..<500).map { $0 * 7 + 100_000 })
            for key in keys.reversed() { try index.insert(value, key) }
            try index.insert(.string("other"), 1_000_000)
            try index.check()
            try index.checkFind(value)
            for key in keys where key % 3 != 1 { try index.erase(key) }
            try index.check()
            try index.checkFind(value)
            index.root = try index.harness.commit(index.root)
            for key in keys where key % 3 == 1 { try index.erase(key) }
            try index.check()
            #expect(try index.harness.lostBlocks(index.root) == [])
        }
    }

    @Test func thousandsOfDifferentValues() throws {
        var random = SplitMix(state: randomSeed())
        let index = try ValueIndexModel(capacity: 1000, isMixed: false)
        for key in 0..<Int64(5000) { try index.insert(.int(key), key) }
        for key in 5000..<Int64(8000) { try index.insert(.int(.random(in: .min ... .max, using: &random)), key) }
        try index.check()
        for (key, value) in index.values where key.rawValue % 20 == 0 { try index.checkFind(value) }
        for key in Array(index.values.keys) { try index.erase(key.rawValue) }
        try index.check()
        #expect(try index.harness.store.node(index.root).header.flags == 0x60)
    }

    /// Content 13.18: an object filed under a former link is found as null, and can be removed.
    @Test func misfiledObjectsAreFoundAndRemoved() throws {
        let index = try ValueIndexModel(capacity: 1000)
        let link = StoredValue.typedLink(ObjectLink(table: TableKey(3), object: ObjectKey(4)))
        try index.insert(link, 1)
        try index.insert(link, 2)
        try index.insert(.int(3), 3)
        index.values[ObjectKey(1)] = .null
        index.values[ObjectKey(2)] = nil
        #expect(try index.reader.keys(equalTo: .null) { index.values[$0] } == [ObjectKey(1)])
        #expect(try index.reader.first(equalTo: link) { index.values[$0] } == nil)
        #expect(try SearchIndexEditor(index.harness.store).erase(&index.root, .null, ObjectKey(1)) { index.values[$0] })
        #expect(
            try !SearchIndexEditor(index.harness.store).erase(&index.root, .null, ObjectKey(1)) { index.values[$0] })
        #expect(try index.reader.allKeys().sorted() == [ObjectKey(2), ObjectKey(3)])
    }

    /// Equal numbers with different index data (content 13.8).
    @Test func equalNumbersAreFoundInMixed() throws {
        let index = try ValueIndexModel(capacity: 4)
        let numbers: [StoredValue] = [
            .float(1.5), .double(1.5), .int(1 << 40), .double(0x1p40), .float(0x1p40), .int(7), .double(7), .float(7),
            .bool(true), .null,
        ]
        for (key, number) in numbers.enumerated() { try index.insert(number, Int64(key)) }
        for number in numbers { try index.checkFind(number) }
    }

    @Test func dirtyNodesAreRecycled() throws {
        let index = try ValueIndexModel(capacity: 3)
        var random = SplitMix(state: 1)
        let values = (0..<60).map { _ in ValueKind.allCases.randomElement(using: &random)!.random(&random) }
        var sizes: [Int] = []
        for _ in 0..<6 {
            for (key, value) in values.enumerated() { try index.insert(value, Int64(key)) }
            for key in values.indices { try index.erase(Int64(key)) }
            sizes.append(index.harness.store.slabByteCount)
        }
        #expect(Set(sizes.suffix(3)).count == 1, "\(sizes)")
    }

    @Test func insertingTwiceChangesNothing() throws {
        let index = try ValueIndexModel(capacity: 4)
        for _ in 0..<2 { try index.insert(.int(1), 1) }
        for _ in 0..<2 { try index.insert(.int(1), 2) }
        try index.check()
    }

    @Test func refusesNullKeys() throws {
        let index = try ValueIndexModel(capacity: 4)
        #expect(throws: StorageError.self) { try index.insert(.int(1), -1) }
    }
}
