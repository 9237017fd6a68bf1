// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSystem
import Testing

@Suite struct StringValidatedUTF8Tests {
    @Test(arguments: ["", "plain", "é and 犬 and 🐕", "\u{FFFD}", "a\u{0}b"])
    func wellFormedBytesAreTheirString(_ text: String) {
        #expect(String(validatedUTF8: Array(text.utf8)) == text)
        #expect(String(validatedUTF8: text.utf8) == text)
    }

    @Test(
        arguments: [
            [0x80], [0xC3], [0xC3, 0x28], [0xC0, 0xAF], [0xE2, 0x82], [0xED, 0xA0, 0x80], [0xF5, 0x80, 0x80, 0x80],
            [0x61, 0xFF, 0x62], [0xEF, 0xBF, 0xBD, 0x80],
        ] as [[UInt8]])
    func malformedBytesAreNoString(_ bytes: [UInt8]) {
        #expect(String(validatedUTF8: bytes) == nil)
    }
}
