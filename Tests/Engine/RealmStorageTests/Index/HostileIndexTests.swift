// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Testing

@testable import RealmStorage

/// Damaged indexes cause errors or wrong results, but no traps and no endless loops (container R23).
struct HostileIndexTests {
    @Test(arguments: [3, 1000]) func damagedBytesNeverTrap(_ capacity: Int) throws {
        let seed = randomSeed("damagedBytesNeverTrap(\(capacity))")
        var random = SplitMix(state: seed)
        var errors = 0
        for _ in 0..<20 {
            let harness = try IndexStore(capacity: capacity)
            let root = try HostileIndexTests.smallIndex(harness, &random)
            for _ in 0..<40 {
                let offset = Int.random(in: 24..<Int(harness.fileEnd), using: &random)
                // Prefers headers and refs.
                let byte = [UInt8.random(in: 0...255, using: &random), 0, 0xFF, 0xE0, 0x60].randomElement(
                    using: &random)!
                try harness.overwrite(offset, with: byte)
                harness.begin()
                errors += HostileIndexTests.useEverything(harness, root, &random)
            }
        }
        #expect(errors > 100, "the damage was not noticed at all")
    }

    @Test func cyclesEnd() throws {
        let harness = try IndexStore(capacity: 1000)
        defer { withExtendedLifetime(harness) {} }
        let store = harness.store
        let chunks: [Int32] = [0, 0x5800_0000]
        // A sub-index that contains itself, under every chunk of null.
        var node = try SearchIndexEditor(store).createNode(keys: chunks, elements: [1, 3], isInner: false)
        try store.set(&node, 1, Int64.max - 1)
        try store.set(&node, 1, Int64(node))
        try store.set(&node, 2, Int64(node))
        var branch = try SearchIndexEditor(store).createNode(keys: chunks, elements: [1, 3], isInner: true)
        try store.set(&branch, 1, Int64.max - 1)
        try store.set(&branch, 1, Int64(branch))
        try store.set(&branch, 2, Int64(branch))
        for root in [node, branch] {
            let index = SearchIndex(store.space, root: root, isMixed: false)
            #expect(throws: StorageError.self) { try index.first(equalTo: .null) { _ in nil } }
            #expect(throws: StorageError.self) { try index.allKeys() }
            #expect(throws: StorageError.self) { try IndexFirsts(index) }
            #expect(throws: StorageError.self) { try PrefixPlaces(index, [0]).keys() }
            #expect(throws: StorageError.self) { try PrefixPlaces(index, [0]).count(limit: .max) }
            #expect(throws: StorageError.self) { try FullTextIndex(store.space, root: root).keys(withPrefix: []) }
            #expect(throws: StorageError.self) {
                var root = root
                try SearchIndexEditor(store).insert(&root, .null, ObjectKey(1)) { _ in nil }
            }
            #expect(throws: StorageError.self) {
                var root = root
                try SearchIndexEditor(store).erase(&root, .null, ObjectKey(1)) { _ in nil }
            }
            #expect(throws: StorageError.self) { try SearchIndexEditor(store).free(root) }
        }
    }

    private static func smallIndex(_ harness: IndexStore, _ random: inout SplitMix) throws -> Ref {
        var root = try SearchIndexEditor(harness.store).create()
        var values: [ObjectKey: StoredValue] = [:]
        for key in 0..<Int64(30) {
            let value = ValueKind.mixed.random(&random)
            try SearchIndexEditor(harness.store).insert(&root, value, ObjectKey(key)) { values[$0] }
            values[ObjectKey(key)] = value
        }
        return try harness.commit(root)
    }

    private static func useEverything(_ harness: IndexStore, _ root: Ref, _ random: inout SplitMix) -> Int {
        let store = harness.store
        let value = ValueKind.mixed.random(&random)
        let key = ObjectKey(Int64.random(in: 0..<40, using: &random))
        let valueOf: (ObjectKey) -> StoredValue? = { $0.rawValue % 5 == 0 ? nil : $0.rawValue % 2 == 0 ? .null : value }
        let values = SearchIndex(store.space, root: root, isMixed: false)
        let words = FullTextIndex(store.space, root: root)
        let prefix = Array((IndexData(value).bytes + [0]).prefix(5))
        var changed = root
        let calls: [() throws -> Void] = [
            { _ = try values.keys(equalTo: value, valueOf: valueOf) },
            { _ = try values.first(equalTo: value, valueOf: valueOf) },
            { _ = try values.count(equalTo: value, valueOf: valueOf) },
            { _ = try values.allKeys() },
            { _ = try IndexFirsts(values) },
            { _ = try PrefixPlaces(values, prefix).keys() },
            { _ = try PrefixPlaces(values, prefix).count(limit: 30) },
            { _ = try words.keys(containing: IndexData(value).bytes) },
            { _ = try words.keys(withPrefix: prefix) },
            { try SearchIndexEditor(store).insert(&changed, value, key, valueOf: valueOf) },
            { try SearchIndexEditor(store).erase(&changed, value, key, valueOf: valueOf) },
            { try SearchIndexEditor(store).insert(&changed, word: Array(IndexData(value).bytes.prefix(200)), key) },
            { try SearchIndexEditor(store).erase(&changed, word: IndexData(value).bytes, key) },
            { try SearchIndexEditor(store).free(changed) },
        ]
        return calls.count { call in
            do {
                try call()
                return false
            } catch { return true }
        }
    }
}
