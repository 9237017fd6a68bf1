// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSync
import RealmTestSupport
import Testing

/// Changesets that builds for Apple's platforms have compressed, each kind of block as a small writer of its own makes
/// it.
@Suite struct LZFSETests {
    private func sum(_ bytes: [UInt8]) -> [UInt8] {
        var (a, b) = (1, 0)
        for byte in bytes {
            a = (a + Int(byte)) % 65521
            b = (b + a) % 65521
        }
        return [b >> 8, b & 255, a >> 8, a & 255].map { UInt8($0) }
    }

    private func stored(_ stream: [UInt8], _ text: [UInt8]) -> [UInt8] {
        [0x24] + LZFSEWriter.bytes(UInt64(text.count), 4) + stream + sum(text)
    }

    private func verify(_ writer: LZFSEWriter, _ text: [UInt8]) throws {
        var writer = writer
        writer.end()
        let stored = stored(writer.stream, text)
        try requireEqual(try CompressedChangeset.decoded(stored), text, "the text")
        let swapped = stored.dropLast(4) + stored.suffix(4).reversed()
        try requireEqual(try CompressedChangeset.decoded(Array(swapped)), text, "the text")
    }

    private func triples(
        _ generator: inout SeededGenerator, _ count: Int, after before: Int = 0
    ) -> [LZFSEWriter.Triple] {
        var size = before
        return (0..<count).map { index in
            let length = index == 0 ? 3 : generator.below(generator.chance(10) ? 300 : 12)
            let literals = (0..<length).map { _ in UInt8(generator.below(generator.chance(5) ? 256 : 20)) }
            size += length
            let match = generator.below(generator.chance(10) ? 2000 : 20)
            let distance = 1 + generator.below(min(size, 200_000))
            size += match
            return LZFSEWriter.Triple(literals: literals, match: match, distance: distance)
        }
    }

    @Test func plainBlocks() throws {
        var writer = LZFSEWriter()
        writer.addPlain(Array("abc".utf8))
        writer.addPlain([])
        writer.addPlain(Array("def".utf8))
        try verify(writer, Array("abcdef".utf8))
    }

    /// Each operation of the blocks for little data.
    @Test func simpleBlocks() throws {
        let letters = Array("abcdefghijklmnopqrstuvwxyz".utf8)
        let long = Array(repeating: UInt8(ascii: "x"), count: 16 + 5)
        let cases: [([UInt8], LZFSEWriter.Triple)] = [
            // Few literals, many literals.
            ([0xE3] + letters.prefix(3), .init(literals: Array(letters.prefix(3)), match: 0, distance: 1)),
            ([0xE0, 5] + long, .init(literals: long, match: 0, distance: 1)),
            // Two literals, and a distance of fourteen and of eleven bits.
            ([0xA0 | 2 << 3, 0x15, 0] + Array("yz".utf8), .init(literals: Array("yz".utf8), match: 4, distance: 5)),
            ([2 << 6 | 3 << 3, 5] + Array("yz".utf8), .init(literals: Array("yz".utf8), match: 6, distance: 5)),
            // The distance before.
            ([1 << 6 | 2 << 3 | 6, 0x71], .init(literals: [0x71], match: 5, distance: 5)),
            ([0xF4], .init(literals: [], match: 4, distance: 5)),
            ([0xF0, 9], .init(literals: [], match: 25, distance: 5)),
            // Nothing.
            ([0x0E, 0x16], .init(literals: [], match: 0, distance: 1)),
            // A distance of sixteen bits.
            ([1 << 3 | 7, 20, 0], .init(literals: [], match: 4, distance: 20)),
            ([3 << 6 | 7, 2, 0] + letters.prefix(3), .init(literals: Array(letters.prefix(3)), match: 3, distance: 2)),
            ([0xA0 | 7, 0xFF, 0], .init(literals: [], match: 34, distance: 0x3F)),
        ]
        let text = LZFSEWriter.text(cases.map(\.1))
        var writer = LZFSEWriter()
        writer.addSimple(cases.flatMap(\.0), size: text.count)
        try verify(writer, text)
    }

    @Test(arguments: [false, true]) func entropyBlocks(_ isWide: Bool) throws {
        var generator = SeededGenerator(for: "entropyBlocks")
        for _ in 0..<20 {
            var writer = LZFSEWriter()
            var text: [UInt8] = []
            for _ in 0...generator.below(3) {
                let triples = triples(&generator, 1 + generator.below(300), after: text.count)
                let part = LZFSEWriter.text(triples, after: text)
                try writer.addEntropy(triples, size: part.count, isWide: isWide)
                text += part
            }
            try verify(writer, text)
        }
    }

    /// One symbol alone takes no bits.
    @Test func oneSymbol() throws {
        var writer = LZFSEWriter()
        let triples = [LZFSEWriter.Triple(literals: [7, 7, 7, 7], match: 10, distance: 3)]
        try writer.addEntropy(triples, size: 14)
        try verify(writer, LZFSEWriter.text(triples))
    }

    @Test func blocksOfAllKindsFollowEachOther() throws {
        var generator = SeededGenerator(for: "blocksOfAllKindsFollowEachOther")
        var writer = LZFSEWriter()
        var text = Array("plain".utf8)
        writer.addPlain(text)
        writer.addSimple([3 << 3, 5], size: 6)
        text += LZFSEWriter.text([.init(literals: [], match: 6, distance: 5)], after: text)
        let triples = triples(&generator, 100, after: text.count)
        let part = LZFSEWriter.text(triples, after: text)
        try writer.addEntropy(triples, size: part.count)
        text += part
        try verify(writer, text)
    }

    // MARK: Hostile bytes

    private func isRefused(_ bytes: [UInt8]) -> Bool {
        do {
            _ = try CompressedChangeset.decoded(bytes)
            return false
        } catch let error as StorageError {
            return error.code == .invalidDatabase
        } catch {
            return false
        }
    }

    @Test func damageIsAnError() throws {
        var generator = SeededGenerator(for: "damageIsAnError")
        var writer = LZFSEWriter()
        let triples = triples(&generator, 60)
        var text = LZFSEWriter.text(triples)
        try writer.addEntropy(triples, size: text.count)
        try writer.addEntropy(triples, size: text.count, isWide: true)
        text += text
        writer.addSimple([3 << 3, 5], size: 6)
        text += LZFSEWriter.text([.init(literals: [], match: 6, distance: 5)], after: text)
        writer.end()
        let whole = stored(writer.stream, text)
        #expect(!isRefused(whole))
        for count in 1..<whole.count { try require(isRefused(Array(whole.prefix(count))), "cut at \(count)") }
        for _ in 0..<3000 {
            var bytes = whole
            for _ in 0...generator.below(3) {
                bytes[generator.below(bytes.count)] = UInt8(generator.below(256))
            }
            // Bytes that mean nothing may have changed.
            if !isRefused(bytes) { try requireEqual(try CompressedChangeset.decoded(bytes), text) }
        }
        for _ in 0..<2000 {
            let noise = (0..<generator.below(200)).map { _ in UInt8(generator.below(256)) }
            let kind = generator.pick(["bvx-", "bvxn", "bvx1", "bvx2"])
            try require(isRefused([0x24, 200, 0, 0, 0] + Array(kind.utf8) + noise), "\(kind) \(noise)")
        }
    }

    @Test func whatStandsForTooMuchIsRefused() {
        #expect(isRefused([0x28] + Array(repeating: 0xFF, count: 7) + [0x7F] + Array("bvx$".utf8) + [0, 0, 0, 1]))
        #expect(isRefused([0x21, 5] + Array("bvx-".utf8) + [0xFF, 0xFF, 0xFF, 0xFF, 1]))
    }
}
