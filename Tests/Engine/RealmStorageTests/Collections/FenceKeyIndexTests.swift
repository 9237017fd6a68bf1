// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import TestTraits
import Testing

@testable import RealmStorage

@Suite(.scope(TestCleanup.perform)) struct FenceKeyIndexTests {
    /// Lookups by fence keys, which each change updates. The trees grow and shrink at all indexes, beyond the levels
    /// that have fence keys, and are committed.
    @Test(arguments: [3, 4, 12, 24], [LeafKind.int, .key, .string])
    func placesAmongChanges(_ capacity: Int, _ kind: LeafKind) throws {
        var generator = SeededGenerator(for: "fenceIndex of \(kind), capacity \(capacity)")
        let scratch = try ScratchStore(treeCapacity: capacity)
        let fenceIndex = FenceKeyIndex()
        var root = try BPlusTreeEditor(scratch.store, kind).create()
        var (model, guidedCount): ([Int64], Int) = ([], 0)
        let rounds = Settings.isContinuousIntegration ? 3000 : 1500
        for round in 0..<rounds {
            let isOrdered = round / 200 % 3 == 2
            let number = isOrdered ? (model.last ?? 0) + 1 : Int64(generator.below(1200))
            let index = FenceKeyIndexTests.index(of: number, in: model)
            let isFound = index < model.count && model[index] == number
            let value = FenceKeyIndexTests.value(number, kind)
            let tree = try BPlusTree(scratch.space, root, kind)
            let place = try tree.place(of: value, by: fenceIndex)
            let slow = try tree.place(of: value, .plain)
            try require(slow.index == index && slow.isFound == isFound, "\(number) in \(model)")
            if let place {
                guidedCount += 1
                try require(place.index == index && place.isFound == isFound, "\(number) in \(model), guided")
            }
            let isShrinking = round / 100 % 4 == 3
            if isFound, let place, isShrinking || generator.chance(50) {
                try BPlusTreeEditor(scratch.store, kind).erase(&root, at: place, of: model.count, by: fenceIndex)
                model.remove(at: index)
            } else if !isFound, let place {
                try BPlusTreeEditor(scratch.store, kind).insert(
                    &root, value, at: place, of: model.count, by: fenceIndex)
                model.insert(number, at: index)
            } else if !isFound || isShrinking {
                fenceIndex.forget()
                if isFound {
                    try BPlusTreeEditor(scratch.store, kind).erase(&root, at: index)
                    model.remove(at: index)
                } else {
                    try BPlusTreeEditor(scratch.store, kind).insert(&root, at: index, value)
                    model.insert(number, at: index)
                }
            }
            if generator.chance(1) {
                fenceIndex.forget()
                try scratch.commit(&root)
            }
            if generator.chance(5) {
                let expected = model.map { FenceKeyIndexTests.value($0, kind) }
                try requireEqual(try BPlusTree(scratch.space, root, kind).values(), expected, "the elements")
                try BPlusTreeVerifier.verify(scratch.space, root, kind, capacity: capacity)
            }
        }
        #expect(guidedCount > (capacity == 24 ? rounds - 100 : 0))
    }

    /// The index of the first number that isn't smaller.
    private static func index(of number: Int64, in model: [Int64]) -> Int {
        var (low, high) = (0, model.count)
        while low < high {
            let middle = (low + high) / 2
            if model[middle] < number { low = middle + 1 } else { high = middle }
        }
        return low
    }

    /// Numbers as values in the same order. Texts begin alike, some are too long for short leaves, and some share a
    /// part of eight bytes.
    private static func value(_ number: Int64, _ kind: LeafKind) -> StoredValue {
        switch kind {
        case .int: return .int((number - 500) << 20)
        case .key: return .link(ObjectKey(number * 3))
        default:
            let digits = "\(10_000 + number)"
            return .string(
                "name: " + digits.prefix(2) + "        " + digits.dropFirst(2) + (number % 7 == 0 ? "x" : ""))
        }
    }

    @Test func isBuiltAfterEnoughSearches() throws {
        let scratch = try ScratchStore()
        var root = try BPlusTreeEditor(scratch.store, .int).create()
        let count = 20_000
        for number in 0..<count {
            try BPlusTreeEditor(scratch.store, .int).insert(&root, at: number, .int(Int64(number * 2)))
        }
        try scratch.commit(&root)
        let tree = try BPlusTree(scratch.space, root, .int)
        let fenceIndex = FenceKeyIndex()
        var firstGuided: Int?
        for number in 0..<count {
            guard let place = try tree.place(of: .int(Int64(number)), by: fenceIndex) else { continue }
            firstGuided = firstGuided ?? number
            try require(place.index == (number + 1) / 2 && place.isFound == (number % 2 == 0), "\(number)")
        }
        #expect(firstGuided == count >> 12)
    }

    @Test(arguments: [3, 24, 100], KeyStyle.allCases)
    func entriesAmongChanges(_ capacity: Int, _ style: KeyStyle) throws {
        var generator = SeededGenerator(for: "entries with \(style) keys, capacity \(capacity)")
        let scratch = try ScratchStore(treeCapacity: capacity)
        let fenceIndex = FenceKeyIndex()
        var root = try DictionaryEditor(scratch.store).create(.string)
        var model: [String: StoredValue] = [:]
        for round in 0..<300 {
            for _ in 0..<(round % 30 == 0 ? 120 : generator.below(3)) {
                let key = style.key(generator.below(900))
                let value: StoredValue = generator.chance(5) ? .string(key) : .int(Int64(generator.below(500)))
                let change = generator.chance(round % 60 < 30 ? 80 : 30) ? value : nil
                try set(change, key, isThere: model[key] != nil, scratch.store, &root, fenceIndex)
                model[key] = change
            }
            if generator.chance(10) {
                fenceIndex.forget()
                try scratch.commit(&root)
            }
            let dictionary = try DictionaryTree(scratch.space, root)
            try requireEqual(dictionary.count, model.count, "the number of entries")
            let keys = (0..<12).map { _ in style.key(generator.below(900)) } + ["", "zz", "key-", "x0000000"]
            for _ in 0..<3 {
                for key in keys {
                    let entry = try dictionary.entry(of: key, by: fenceIndex)
                    let value = try entry.map { try $0.values.value(at: $0.row) }
                    try requireEqual(value, model[key], "the value of '\(key)'")
                    try requireEqual(try dictionary.find(key), model[key], "the value of '\(key)' without a fenceIndex")
                }
            }
        }
    }

    @Test(arguments: [9, 13, 30]) func entriesAmongAppendedOnes(_ count: Int) throws {
        for (first, second) in (0...count).flatMap({ first in (0...count).map { (first, $0) } }) {
            let scratch = try ScratchStore(treeCapacity: 3)
            let fenceIndex = FenceKeyIndex()
            var root = try DictionaryEditor(scratch.store).create(.string)
            var model: [String: StoredValue] = [:]
            for number in 0..<count {
                let key = "\(200 + number)"
                model[key] = .int(Int64(number))
                try DictionaryEditor(scratch.store).insert(
                    &root, .string, at: number, key: .string(key), value: .int(Int64(number)))
            }
            for (place, end) in [(first, "a"), (second, "b")] {
                let key = "\(199 + place)\(end)"
                model[key] = .bool(true)
                try set(.bool(true), key, isThere: false, scratch.store, &root, fenceIndex)
            }
            let entries = try DictionaryTree(scratch.space, root).entries()
            let expected = model.sorted { $0.key < $1.key }
            try requireEqual(entries.map(\.key), expected.map { .string($0.key) }, "the keys, \(first) and \(second)")
            try requireEqual(entries.map(\.value), expected.map(\.value), "the values, \(first) and \(second)")
        }
    }

    private func set(
        _ value: StoredValue?, _ key: String, isThere: Bool, _ store: NodeStore, _ root: inout Ref,
        _ fenceIndex: FenceKeyIndex
    ) throws {
        let dictionary = try DictionaryTree(store.space, root)
        let count = dictionary.count
        guard let keys = dictionary.keys, let place = try keys.place(of: .string(key), by: fenceIndex) else {
            fenceIndex.forget()
            let index = try dictionary.place(of: key).index
            if isThere { try DictionaryEditor(store).erase(&root, .string, at: index) }
            guard let value else { return }
            return try DictionaryEditor(store).insert(&root, .string, at: index, key: .string(key), value: value)
        }
        try requireEqual(place.isFound, isThere, "whether '\(key)' is there")
        fenceIndex.elementsChanged()
        switch value {
        case nil: if isThere { try DictionaryEditor(store).erase(&root, .string, at: place, of: count, by: fenceIndex) }
        case let value? where isThere:
            try DictionaryEditor(store).changeValues(&root) {
                try BPlusTreeEditor(store, .mixed).set(&$0, at: place.index, value)
            }
        case let value?:
            try DictionaryEditor(store).insert(
                &root, .string, at: place, of: count, by: fenceIndex, key: .string(key), value: value)
        }
    }

    @Test func entriesInATransaction() throws {
        var generator = SeededGenerator(for: "entries in a transaction")
        let bench = try CollectionFixture()
        let path = CollectionPath(bench.column("int dictionary"), of: bench.object, in: bench.table)
        var (model, guidedCount): ([String: StoredValue], Int) = ([:], 0)
        try bench.test.write { transaction in
            transaction.store.treeCapacity = 24
            for _ in 0..<1500 {
                let key = "key-\(generator.below(400))"
                let value: StoredValue = .int(Int64(generator.below(1000)) << Int64(generator.below(30)))
                if generator.chance(20) {
                    try transaction.dictionary(at: path).erase(key)
                    model[key] = nil
                } else {
                    try transaction.dictionary(at: path).set(value, forKey: key)
                    model[key] = value
                }
                guard let (dictionary, fenceIndex) = try transaction.dictionary(at: path).changedLast() else {
                    continue
                }
                guidedCount += 1
                for key in [key, key, key, "key-1", "key-1", "key-1"] {
                    try requireEqual(try dictionary.find(key, by: fenceIndex), model[key], "the value of '\(key)'")
                }
            }
        }
        #expect(guidedCount > 1000)
    }

    @Test func ranks() {
        var generator = SeededGenerator(for: "ranks of texts")
        func text(below count: Int) -> [UInt8] {
            (0..<generator.below(count)).map { _ in [0, 1, 0x61, 0xFF][generator.below(4)] }
        }
        for _ in 0..<20_000 {
            let prefix = text(below: 11)
            let text = generator.chance(60) ? prefix + text(below: 12) : text(below: 20)
            let rank = text.withUnsafeBytes { TextLookup($0).rank(behind: CommonPrefix(prefix)) }
            let padded = text.dropFirst(prefix.count) + Array(repeating: 0, count: 8)
            let order = ByteOrder.compare(Array(text.prefix(prefix.count)), prefix)
            switch rank {
            case .below: #expect(order < 0, "\(text) behind \(prefix)")
            case .above: #expect(order > 0, "\(text) behind \(prefix)")
            case .word(let word, let isWhole):
                let expected = padded.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
                #expect(order == 0 && !isWhole && word == expected, "\(text) behind \(prefix)")
            }
        }
    }

    #if DEBUG
        @Test func staleFenceKeysStopADebugBuild() async {
            await #expect(processExitsWith: .failure, observing: .errorText) {
                let scratch = try ScratchStore(treeCapacity: 4)
                let editor = BPlusTreeEditor(scratch.store, .int)
                var root = try editor.create()
                for index in 0..<20 { try editor.insert(&root, at: index, .int(Int64(index * 10))) }
                try editor.erase(&root, at: 8)
                let fenceIndex = FenceKeyIndex()
                _ = try BPlusTree(scratch.space, root, .int).place(of: .int(190), by: fenceIndex)
                try editor.insert(&root, at: 8, .int(75))
                _ = try BPlusTree(scratch.space, root, .int).place(of: .int(75), by: fenceIndex)
            }.expectText("does not lead to")
        }
    #endif
}

enum KeyStyle: CaseIterable {
    /// Short keys with a common prefix, short or longer than a `ShortText` compares at once.
    case short, withLongPrefix
    /// Keys whose first bytes after the common prefix are equal.
    case alike
    /// Some are too long for a leaf of the short form.
    case long

    func key(_ number: Int) -> String {
        switch self {
        case .short: "key-\(number)"
        case .withLongPrefix: "a prefix: \(number)"
        case .alike: number < 100 ? "x\(number)" : "x00000000\(number)"
        case .long: "key-\(number)" + (number % 7 == 0 ? " and much behind that" : "")
        }
    }
}
