// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmStorage
import Testing

@Suite struct Base64Tests {
    @Test(arguments: [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg==")])
    func theExamplesOfTheStandard(_ text: String, _ encoded: String) {
        #expect(Base64.text(Array(text.utf8)) == encoded)
        #expect(Base64.bytes(encoded) == Array(text.utf8))
        #expect(Base64.bytes(encoded.filter { $0 != "=" }) == Array(text.utf8))
    }

    @Test func bytesSurviveTheText() {
        for count in 0..<10 {
            let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 &* 91 &+ 200) }
            #expect(Base64.bytes(Base64.text(bytes)) == bytes)
        }
    }

    @Test func bothAlphabets() {
        #expect(Base64.bytes("+/8=") == [0xFB, 0xFF])
        #expect(Base64.bytes("-_8") == [0xFB, 0xFF])
    }

    @Test(arguments: ["A", "A===", "====", "AA=A", "A A=", "é"]) func malformedTextIsRejected(_ text: String) {
        #expect(Base64.bytes(text) == nil)
    }
}
