// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore
import RealmTestSupport
import SyncTestSupport
import Testing

/// Arbitrary bytes cause a changeset or an error, and never end the process.
@Suite struct HostileChangesetTests {
    private static let count = Settings.number("REGNUM_FUZZ_COUNT") ?? 300

    /// A decoded changeset can be encoded and decoded again.
    private func tryOut(_ bytes: [UInt8]) throws -> Bool {
        guard let changeset = try? Changeset(decoding: bytes) else { return false }
        try requireEqual(try Changeset(decoding: changeset.encoded()), changeset, "read, written and read")
        _ = changeset.description
        return true
    }

    @Test func randomBytes() throws {
        var generator = SeededGenerator(for: "random changesets")
        for _ in 0..<Self.count * 50 {
            let bytes = (0..<generator.below(40)).map { _ in
                // Small numbers are instructions, types, and indexes.
                generator.chance(60) ? UInt8(generator.below(16)) : UInt8(generator.below(256))
            }
            // The definition of two texts first, so that names can be resolved.
            _ = try withTrace(Hexadecimal.text(bytes)) { try tryOut([0x3F, 0, 1, 0x61, 0x3F, 1, 1, 0x62] + bytes) }
        }
    }

    @Test func mutatedChangesets() throws {
        var generator = SeededGenerator(for: "mutated changesets")
        let all = try SyncFixtures.documents("changesets/valid.jsonl").map { try $0.bytes("hex") }
        var read = 0
        for _ in 0..<Self.count * 20 {
            var bytes = generator.pick(all)
            for _ in 0...generator.below(3) where !bytes.isEmpty {
                let place = generator.below(bytes.count)
                switch generator.below(4) {
                case 0: bytes[place] = UInt8(generator.below(256))
                case 1: bytes[place] ^= 1 << UInt8(generator.below(8))
                case 2: bytes.remove(at: place)
                default: bytes.insert(UInt8(generator.below(256)), at: place)
                }
            }
            if try withTrace(Hexadecimal.text(bytes), { try tryOut(bytes) }) { read += 1 }
        }
        #expect(read > 0)
    }
}
