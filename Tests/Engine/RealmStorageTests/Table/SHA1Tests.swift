// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import Testing

/// The digests that name tombstones.
@Suite struct SHA1Tests {
    @Test func digestsMatchTheStandard() {
        func text(_ message: String) -> String {
            SHA1.digest(of: Array(message.utf8)).map { String($0, radix: 16) }.joined(separator: " ")
        }
        #expect(text("abc") == "a9 99 3e 36 47 6 81 6a ba 3e 25 71 78 50 c2 6c 9c d0 d8 9d")
        #expect(text("") == "da 39 a3 ee 5e 6b 4b d 32 55 bf ef 95 60 18 90 af d8 7 9")
        let million = SHA1.digest(of: Array(repeating: 0x61, count: 1_000_000))
        #expect(million.prefix(4) == [0x34, 0xAA, 0x97, 0x3C])
        #expect(SHA1.digest(of: Array(repeating: 0x61, count: 55)).prefix(2) == [0xC1, 0xC8])
        #expect(SHA1.digest(of: Array(repeating: 0x61, count: 56)).prefix(2) == [0xC2, 0xDB])
    }
}
