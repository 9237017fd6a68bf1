// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Testing

@testable import RealmStorage

struct NodeHeaderTests {
    @Test func possibleHeadersAreThoseThatFit() {
        for top in 0...UInt32(0xFF) {
            for count in [0, 1, 2, 3, 7, 8, 9, 15, 16, 17, 63, 64, 65, 127, 128, 1000, 0xFF_FFFE, 0xFF_FFFF] {
                let header = NodeHeader(bits: top << 24 | UInt32(count))
                let size = Ref(header.byteCount)
                #expect(header.isPossible(in: size) == header.hasPossibleScheme)
                #expect(header.isPossible(in: size + 1) == header.hasPossibleScheme)
                #expect(!header.isPossible(in: size - 1))
            }
        }
    }
}
