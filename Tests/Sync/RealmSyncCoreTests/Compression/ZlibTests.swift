// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSyncCore
import RealmTestSupport
import Testing

@Suite struct ZlibTests {
    @Test(arguments: [0, 1, 100, 5000, 1_000_000]) func deflatedBytesInflateToTheInput(_ count: Int) throws {
        let zlib = try Zlib.load()
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* $0 >> 7) }
        let stream = zlib.deflated(bytes)
        #expect(try zlib.inflated(stream[...], count: count) == bytes)
        #expect(throws: Zlib.Failure.corrupt) { try zlib.inflated(stream[...], count: count + 1) }
        #expect(throws: Zlib.Failure.corrupt) { try zlib.inflated(stream.dropLast(), count: count) }
        if count > 1 { #expect(throws: Zlib.Failure.corrupt) { try zlib.inflated(stream[...], count: count - 1) } }
    }

    @Test func malformedStreamsAreRejected() throws {
        let zlib = try Zlib.load()
        var generator = SeededGenerator(for: "zlib streams")
        for _ in 0..<1000 {
            let bytes = (0..<generator.below(100)).map { _ in UInt8(generator.below(256)) }
            #expect(throws: Zlib.Failure.corrupt) { try zlib.inflated(bytes[...], count: 1 + generator.below(1000)) }
        }
        #expect(throws: Zlib.Failure.corrupt) { try zlib.inflated([0x78, 1], count: .max) }
        #expect(throws: Zlib.Failure.corrupt) { try zlib.inflated([], count: -1) }
    }
}
