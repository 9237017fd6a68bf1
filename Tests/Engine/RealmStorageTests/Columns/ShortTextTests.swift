// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmStorage

@Suite struct ShortTextTests {
    @Test func comparesAsBytesDo() throws {
        var generator = SeededGenerator(for: "short texts")
        let scratch = try ScratchStore()
        for width in [1, 2, 4, 8, 16] {
            let texts: [[UInt8]?] = (0..<60).map { _ in
                generator.chance(10) ? nil : ShortTextTests.text(below: width, &generator)
            }
            var ref = try ColumnLeafEditor(scratch.store, .string).create(count: 0, default: .null)
            // The longest text gives the elements their width.
            let longest = [UInt8](repeating: 1, count: width - 1)
            for text in texts + [longest] {
                let value: StoredValue = text.map { .string(String(decoding: $0, as: UTF8.self)) } ?? .null
                try ColumnLeafEditor(scratch.store, .string).insert(
                    &ref, at: ColumnLeaf(scratch.space, ref, .string).count, value)
            }
            let node = try scratch.space.node(ref)
            #expect(node.width == width && ShortText.makeUp(node))
            for (row, text) in texts.enumerated() {
                let element = try ShortText(node, row)
                let sought = ShortTextTests.text(below: 20, &generator)
                for sought in [sought, (text ?? []) + [0], text ?? [], Array((text ?? []).dropLast())] {
                    let key = sought.withUnsafeBytes { ShortText($0) }
                    let order = text.map { ByteOrder.compare($0, sought) } ?? -1
                    #expect(element.isBelow(key) == (order < 0), "\(text ?? []) and \(sought)")
                    #expect(key.isBelow(element) == (order > 0), "\(text ?? []) and \(sought)")
                    #expect((element == key) == (order == 0), "\(text ?? []) and \(sought)")
                }
            }
        }
    }

    @Test func elementsOfAllWidths() {
        for width in [0, 1, 2, 4, 8, 16] {
            let null = ShortText.null.withElement(width: width) { Array($0) }
            #expect(null == Array(repeating: 0, count: max(width - 1, 0)) + (width > 0 ? [UInt8(width)] : []))
            for count in 0..<max(width, 1) where width > 0 {
                let text = (0..<count).map { UInt8(0xE0 + $0) }
                let element = text.withUnsafeBytes { ShortText($0).withElement(width: width) { Array($0) } }
                let padding = width - 1 - count
                #expect(element == text + Array(repeating: 0, count: padding) + [UInt8(padding)])
            }
        }
        for count in 0..<20 {
            let text = (0..<count).map { UInt8(0xE0 + $0) }
            let short = text.withUnsafeBytes { ShortText($0) }
            let padded = text + Array(repeating: 0, count: 16)
            for first in 0..<8 {
                #expect(short.first(first) == ShortTextTests.number(padded.prefix(first)))
                #expect(short.word(behind: first) == ShortTextTests.number(padded.dropFirst(first).prefix(8)))
            }
        }
    }

    private static func number(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

    /// Few different bytes, so that texts often have a common prefix.
    private static func text(below count: Int, _ generator: inout SeededGenerator) -> [UInt8] {
        (0..<generator.below(count)).map { _ in [0, 1, 0x61, 0x7F][generator.below(4)] }
    }

    @Test func impossiblePaddingThrows() throws {
        let scratch = try ScratchStore()
        let bytes: [UInt8] = [0x61, 0, 0, 5]
        let ref = try bytes.withUnsafeBytes {
            try scratch.store.create(bytes: $0, flags: NodeHeader.Flags.bytes, width: 4, count: 1)
        }
        let node = try scratch.space.node(ref)
        #expect(throws: StorageError.self) { try ShortText(node, 0) }
        #expect(throws: StorageError.self) { try ShortText(node, 1) }
    }

    @Test func prefixesOfAllLengths() {
        for count in 0..<140 {
            for length in 0...count {
                #expect(SortedSearch.prefix(of: count) { $0 < length } == length)
            }
        }
    }

    /// Prefetching fetches the data of the second of two steps.
    @Test func prefixesWithFetching() {
        for count in 0..<260 {
            for length in 0...count {
                var fetched: Set<Int> = []
                var looked: [Int] = []
                let found = SortedSearch.prefix(of: count, fetching: { fetched.insert($0) }) {
                    looked.append($0)
                    return $0 < length
                }
                #expect(found == length)
                #expect(count < 48 || fetched.isSuperset(of: looked[3..<6]), "\(looked) of \(count)")
                #expect(fetched.allSatisfy { 0..<count ~= $0 })
            }
        }
    }
}
