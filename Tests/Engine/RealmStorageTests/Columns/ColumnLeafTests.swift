// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmStorage

/// Typed reads, forms that only other writers produce, limits, and rejected input.
struct ColumnLeafTests {
    let scratch: ScratchStore
    var store: NodeStore { scratch.store }

    init() throws { scratch = try ScratchStore() }

    private func leaf(_ kind: LeafKind, _ values: [StoredValue]) throws -> ColumnLeaf {
        var ref = try ColumnLeafEditor(store, kind).create(count: 0, default: .null)
        for (row, value) in values.enumerated() { try ColumnLeafEditor(store, kind).insert(&ref, at: row, value) }
        return try ColumnLeaf(scratch.space, ref, kind)
    }

    @Test func typedReads() throws {
        #expect(try leaf(.int, [.int(-7)]).int(at: 0) == -7)
        #expect(try leaf(.optionalInt, [.int(-7), .null]).optionalInt(at: 0) == -7)
        #expect(try leaf(.optionalInt, [.int(-7), .null]).optionalInt(at: 1) == nil)
        #expect(try leaf(.float, [.float(0.5)]).float(at: 0) == 0.5)
        #expect(try leaf(.double, [.null, .double(0.5)]).double(at: 1) == 0.5)
        #expect(try leaf(.link, [.link(ObjectKey(4))]).ref(at: 0) == 5)
        #expect(try leaf(.key, [.link(ObjectKey(-4))]).ref(at: 0) == -4)
        #expect(try leaf(.backlink, [.link(ObjectKey(4))]).ref(at: 0) == 9)
        let strings = try leaf(.string, [.string("a\0b"), .null])
        #expect(try strings.withStringBytes(at: 0) { $0.map(Array.init) } == [97, 0, 98])
        #expect(try strings.withStringBytes(at: 1) { $0 == nil })
        #expect(throws: StorageError.self) { try strings.withStringBytes(at: 2) { $0 == nil } }
        #expect(throws: StorageError.self) { try leaf(.int, []).int(at: 0) }
        #expect(throws: StorageError.self) { try leaf(.double, []).double(at: -1) }
    }

    @Test func typedLinks() throws {
        let ref = try store.create([8, 1, 0, 5, 8, -3])
        let leaf = try ColumnLeaf(scratch.space, ref, .typedLink)
        #expect(leaf.count == 3)
        #expect(try leaf.value(at: 0) == .typedLink(ObjectLink(table: TableKey(7), object: ObjectKey(0))))
        #expect(try leaf.isNull(at: 1))
        #expect(try leaf.typedLink(at: 2)?.object == ObjectKey(-4))
    }

    @Test func enumeratedStrings() throws {
        var keys = try ColumnLeafEditor(store, .string).create(count: 0, default: .null)
        let texts: [StoredValue] = [
            .string("red"), .null, .string(""), .string("red"), .string(String(repeating: "x", count: 70)),
        ]
        var ref = try ColumnLeafEditor(store, .enumeratedString(keys: keys)).create(count: 0, default: .int(0))
        for (row, text) in texts.enumerated() {
            let index = try BytesLeafEditor(store, .string).index(of: text, keys: &keys)
            try ColumnLeafEditor(store, .enumeratedString(keys: keys)).insert(&ref, at: row, .int(index))
        }
        let leaf = try ColumnLeaf(scratch.space, ref, .enumeratedString(keys: keys))
        for (row, text) in texts.enumerated() {
            #expect(try leaf.value(at: row) == text)
            #expect(try leaf.isNull(at: row) == text.isNull)
        }
        #expect(try ColumnLeaf(scratch.space, keys, .string).count == 4)
        try ColumnLeafEditor(store, .enumeratedString(keys: keys)).set(&ref, at: 0, .int(4))
        let bad = try ColumnLeaf(scratch.space, ref, .enumeratedString(keys: keys))
        #expect(throws: StorageError.self) { try bad.string(at: 0) }
    }

    /// Older files have Mixed arrays of four slots, and too short arrays of collection keys. A writer corrects both
    /// (content 13.3, 13.4).
    @Test(arguments: [[Int64](), [0], [0, 0, 9, 9, 9]]) func mixedIsRepaired(keys: [Int64]) throws {
        var slots = try [store.create([0x101, 0x201, 0x301]), 0, 0, 0].map { Int64($0) }
        if !keys.isEmpty { slots += [0, Int64(try store.create(keys))] }
        var ref = try store.create(slots, flags: NodeHeader.Flags.hasRefs)
        #expect(try ColumnLeaf(scratch.space, ref, .mixed).value(at: 2) == .int(3))
        let tree = try store.create()
        try ColumnLeafEditor(store, .mixed).set(&ref, at: 1, .list(tree, key: 77))
        let leaf = try ColumnLeaf(scratch.space, ref, .mixed)
        #expect(leaf.node.count == 6)
        #expect(try scratch.space.node(leaf.node.child(5)).elements().prefix(2) == [0, 77])
        #expect(try scratch.space.node(leaf.node.child(5)).count == 3)
        #expect(try leaf.mixed.row(ofKey: 77) == 1)
        #expect(try leaf.value(at: 1) == .list(tree, key: 77))
    }

    @Test func suffixesOfMixed() throws {
        var generator = SeededGenerator(for: "suffixes of Mixed")
        for round in 0..<40 {
            let values: [StoredValue] = (0..<30).map { row in
                switch generator.below(4) {
                case 0: .null
                case 1: .bool(generator.chance(50))
                case 2 where round % 2 == 0 && row > 20: .string("text \(row)")
                default: .int(Int64(truncatingIfNeeded: generator.next()) >> (8 + generator.below(7) * 8))
                }
            }
            var ref = try ColumnLeafEditor(store, .mixed).create(count: 0, default: .null)
            for (row, value) in values.enumerated() { try ColumnLeafEditor(store, .mixed).insert(&ref, at: row, value) }
            let row = generator.below(values.count + 1)
            var suffix = try ColumnLeafEditor(store, .mixed).moveSuffix(&ref, from: row)
            try ColumnLeafEditor(store, .mixed).insert(&suffix, at: 0, .double(0.5))
            try ColumnLeafEditor(store, .mixed).insert(&ref, at: row, .string("end"))
            let (first, second) = (values[..<row] + [.string("end")], [.double(0.5)] + values[row...])
            for (ref, values) in [(ref, Array(first)), (suffix, Array(second))] {
                try LeafVerifier(space: scratch.space).verify(ref, .mixed, count: values.count)
                let leaf = try ColumnLeaf(scratch.space, ref, .mixed)
                #expect(try values.indices.map { try leaf.value(at: $0) } == values)
            }
        }
    }

    /// Bare links in Mixed are read and moved, but not rewritten.
    @Test func bareLinksInMixed() throws {
        let slots = try [store.create([0x2D]), store.create([5]), 0, 0].map { Int64($0) }
        var ref = try store.create(slots, flags: NodeHeader.Flags.hasRefs)
        let moved = try ColumnLeafEditor(store, .mixed).moveSuffix(&ref, from: 0)
        #expect(try ColumnLeaf(scratch.space, moved, .mixed).value(at: 0) == .link(ObjectKey(5)))
        #expect(throws: StorageError.self) {
            try ColumnLeafEditor(store, .mixed).insert(&ref, at: 0, .link(ObjectKey(1)))
        }
    }

    /// Values in several blobs, which the reference writes and reads as null (content 13.12).
    @Test func oversizedValues() throws {
        let parts: [Int64] = try [[1, 2], [3]].map { (bytes: [UInt8]) in
            Int64(try bytes.withUnsafeBytes { try store.create(bytes: $0) })
        }
        let split = try store.create(parts, flags: BigFlags.leaf)
        let root = try store.create([Int64(split), 0], flags: BigFlags.leaf)
        let moved = try scratch.commit([root])[root]!
        let binaries = try ColumnLeaf(scratch.space, moved, .binary)
        #expect(try binaries.binary(at: 0) == [1, 2, 3])
        #expect(try binaries.withStringBytes(at: 0) { $0.map(Array.init) } == [1, 2, 3])
        #expect(try !binaries.isNull(at: 0) && binaries.isNull(at: 1))
        #expect(try ColumnLeaf(scratch.space, moved, .string).string(at: 0) == nil)
        var ref = moved
        try ColumnLeafEditor(store, .binary).erase(&ref, at: 0)
        #expect(store.freed.count == 4)
    }

    private enum BigFlags { static let leaf: UInt8 = 0x60 }

    /// Short forms of 32 bytes store names. A column leaf of this form is read, and written in the next form.
    @Test func wideShortForm() throws {
        let element = Array("seventeen letters".utf8) + Array(repeating: 0, count: 14) + [14]
        var ref = try element.withUnsafeBytes {
            try store.create(bytes: $0, flags: NodeHeader.Flags.bytes, width: 32, count: 1)
        }
        #expect(try ColumnLeaf(scratch.space, ref, .string).string(at: 0) == "seventeen letters")
        try ColumnLeafEditor(store, .string).insert(&ref, at: 1, .string("x"))
        let leaf = try ColumnLeaf(scratch.space, ref, .string)
        #expect(leaf.node.header.flags == 0x40)
        #expect(try leaf.string(at: 0) == "seventeen letters" && leaf.string(at: 1) == "x")
    }

    @Test func limits() throws {
        let longest = [UInt8](repeating: 65, count: 16_777_200)
        let text = String(decoding: longest.dropLast(), as: UTF8.self)
        for (kind, fits, tooLong) in [
            (LeafKind.string, StoredValue.string(text), StoredValue.string(text + "A")),
            (.binary, .binary(longest), .binary(longest + [65])),
            (.mixed, .binary(longest.dropLast()), .binary(longest)),
        ] {
            var ref = try ColumnLeafEditor(store, kind).create(count: 0, default: .null)
            try ColumnLeafEditor(store, kind).insert(&ref, at: 0, fits)
            let before = ref
            let error = #expect(throws: StorageError.self) {
                try ColumnLeafEditor(store, kind).insert(&ref, at: 1, tooLong)
            }
            #expect(error?.code == .limitExceeded && error?.message.hasSuffix("too big") == true)
            #expect(throws: StorageError.self) { try ColumnLeafEditor(store, kind).set(&ref, at: 0, tooLong) }
            #expect(ref == before)
            let leaf = try ColumnLeaf(scratch.space, ref, kind)
            #expect(try leaf.count == 1 && leaf.value(at: 0) == fits)
        }
    }

    @Test(arguments: LeafSample.allCases) func wrongValuesAreRefused(sample: LeafSample) throws {
        let wrong: [StoredValue]
        switch sample {
        case .int, .key: wrong = [.null, .string("x"), .link(.null)]
        case .mixed:
            wrong = [
                .link(ObjectKey(3)), .list(0, key: 0), .dictionary(0, key: 1 << 40),
                .timestamp(Timestamp(seconds: 1, nanoseconds: -1)),
            ]
        case .timestamp: wrong = [.int(3), .timestamp(Timestamp(seconds: 1, nanoseconds: 1_000_000_000))]
        case .link: wrong = [.int(3), .link(ObjectKey(.max))]
        default: wrong = [.typedLink(ObjectLink(table: TableKey(1), object: ObjectKey(1)))]
        }
        var ref = try ColumnLeafEditor(store, sample.kind).create(
            count: 0, default: sample.isNullable ? .null : .int(0))
        for value in wrong {
            let before = ref
            let error = #expect(throws: StorageError.self) {
                try ColumnLeafEditor(store, sample.kind).insert(&ref, at: 0, value)
            }
            #expect(error?.code == .invalidArgument && ref == before)
            #expect(try ColumnLeaf(scratch.space, ref, sample.kind).count == 0)
        }
    }

    @Test func kindsOfColumns() throws {
        func key(_ type: UInt8, _ attributes: ColumnAttributes) -> ColumnKey {
            ColumnKey(UInt64(type) << 16 | UInt64(attributes.rawValue) << 22)
        }
        #expect(try LeafKind(column: key(0, []), enumKeys: 0) == .int)
        #expect(try LeafKind(column: key(0, .nullable), enumKeys: 0) == .optionalInt)
        #expect(try LeafKind(column: key(12, .nullable), enumKeys: 0) == .link)
        #expect(try LeafKind(column: key(14, []), enumKeys: 0) == .backlink)
        #expect(try LeafKind(column: key(12, .list), enumKeys: 0) == .collection)
        #expect(try LeafKind(column: key(2, []), enumKeys: 64) == .enumeratedString(keys: 64))
        #expect(LeafKind(elementsOf: key(12, .list)) == .key)
        #expect(LeafKind(elementsOf: key(0, [.set, .nullable])) == .optionalInt)
        #expect(LeafKind(elementsOf: key(0, .dictionary)) == .mixed)
        for impossible in [key(3, []), key(13, .list), key(19, []), key(14, .list), key(63, [])] {
            #expect(throws: StorageError.self) { try LeafKind(column: impossible, enumKeys: 0) }
        }
        #expect(throws: StorageError.self) { try LeafKind(column: key(0, []), enumKeys: 64) }
    }
}
