// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport
import Testing

@testable import RealmStorage

/// Strings created from the bytes of an element compared with Swift's own initialiser.
struct SmallStringTests {
    /// Checks elements with the format's padding, and with others, which hostile files may have.
    private func check(_ text: [UInt8], padding: UInt8) {
        for width in [1, 2, 4, 8, 16, 32, 64] where width > text.count {
            let element = text + Array(repeating: padding, count: width - text.count)
            let expected = String(decoding: text, as: UTF8.self)
            for isKnown in [true, false] where !isKnown || SmallString.isKnown {
                let made = element.withUnsafeBytes {
                    SmallString.make($0.baseAddress!, count: text.count, width: width, isKnown: isKnown)
                }
                #expect(made == expected && made.hashValue == expected.hashValue)
                #expect(made.utf8.elementsEqual(expected.utf8) && made.count == expected.count)
                #expect(made + "x" == expected + "x" && made < expected + "\u{1}")
            }
        }
    }

    @Test func everyLength() {
        for count in 0...40 {
            for padding: UInt8 in [0, 0x41, 0xFF] {
                check((0..<count).map { UInt8(0x20 + ($0 * 7 + count) % 0x5F) }, padding: padding)
            }
        }
    }

    @Test func otherBytes() {
        for count in 1...15 {
            for place in 0..<count {
                for byte: UInt8 in [0, 0x7F, 0x80, 0xC3, 0xFF] {
                    var text = Array("abcdefghijklmno".utf8.prefix(count))
                    text[place] = byte
                    check(text, padding: 0)
                }
            }
        }
        for text in ["é", "naïve", "日本語", "👩‍👩‍👧", "e\u{301}tude", "Ünïcödë"] { check(Array(text.utf8), padding: 0) }
    }

    @Test func rowsOfALeaf() throws {
        let scratch = try ScratchStore()
        let texts = (0...15).map { String("abcdefghijklmno".prefix($0)) } + ["é", "b"]
        let elements = texts.flatMap { text -> [UInt8] in
            Array(text.utf8) + Array(repeating: 0, count: 15 - text.utf8.count) + [UInt8(15 - text.utf8.count)]
        }
        let null = Array(repeating: UInt8(0), count: 15) + [16]
        let bytes = elements + null + elements
        let ref = try bytes.withUnsafeBytes {
            try scratch.store.create(bytes: $0, flags: NodeHeader.Flags.bytes, width: 16, count: bytes.count / 16)
        }
        let leaf = try scratch.space.node(ref)
        func made(_ rows: Range<Int>) -> [String] {
            [String](unsafeUninitializedCapacity: rows.count) { buffer, count in
                count = buffer.baseAddress.map { SmallString.make(rows, of: leaf, to: $0) } ?? 0
            }
        }
        guard SmallString.isKnown else { return }
        #expect(made(0..<16) == Array(texts[..<16]) && made(3..<18) == Array(texts[3..<16]))
        #expect(made(17..<20) == ["b"] && made(18..<19) == [] && made(16..<17) == [] && made(5..<5) == [])
        #expect(made(0..<38) == [] && made(36..<37) == ["b"] && made(30..<37) == Array(texts[11..<16]))
    }

    /// The fast path is available on the tested systems.
    @Test func theLayoutIsSupported() {
        #if (arch(x86_64) || arch(arm64)) && (os(Linux) || os(macOS))
            #expect(SmallString.isKnown)
        #endif
    }
}
