// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Testing

@testable import RealmStorage

@Suite struct FullTextTokenizerTests {
    private func tokens(_ text: String) -> Set<String> {
        Set(FullTextTokenizer.tokens(of: text.utf8).map { String(decoding: $0, as: UTF8.self) })
    }

    @Test(arguments: [
        ("", []), (" \t\n", []), ("Hello, World", ["hello", "world"]), ("a-b_c'd", ["a", "b", "c", "d"]),
        ("x1 X1 42", ["x1", "42"]), ("Crème brûlée", ["creme", "brulee"]), ("Ångström", ["ångstrom"]),
        ("STRASSE straße", ["strasse", "straße"]), ("Ærø Ðórr Þór", ["ærø", "ðorr", "þor"]), ("Ýmir", ["ymir"]),
        ("ÿes", ["es"]), ("2×3÷4", ["234"]), ("×", [""]), ("× ÷ a", ["", "a"]), ("日本語abc語def", ["abc", "def"]),
        ("a\u{80}b", ["a", "b"]), ("aŁb", ["a", "b"]), ("a😀b", ["a", "b"]), ("a\u{301}b", ["a", "b"]),
    ])
    func table(_ text: String, _ expected: [String]) {
        #expect(tokens(text) == Set(expected))
    }

    @Test func foldingOfEachLetter() {
        let letters: [(ClosedRange<UInt32>, String)] = [
            (0xC0...0xC4, "a"), (0xC5...0xC5, "å"), (0xC6...0xC6, "æ"), (0xC7...0xC7, "c"), (0xC8...0xCB, "e"),
            (0xCC...0xCF, "i"), (0xD0...0xD0, "ð"), (0xD1...0xD1, "n"), (0xD2...0xD6, "o"), (0xD7...0xD7, ""),
            (0xD8...0xD8, "ø"), (0xD9...0xDC, "u"), (0xDD...0xDD, "y"), (0xDE...0xDE, "þ"),
        ]
        for (range, folded) in letters {
            for code in range {
                #expect(tokens(String(Unicode.Scalar(code)!)) == [folded])
                #expect(tokens(String(Unicode.Scalar(code + 0x20)!)) == [folded])
            }
        }
        #expect(tokens("ß") == ["ß"] && tokens("ÿ") == [])
    }

    /// Characters of any UTF-8 length.
    @Test func everyOtherCharacterSeparates() {
        for code in UInt32(0x80)...0x2FFF where !(0xC0...0xFE).contains(code) {
            guard let scalar = Unicode.Scalar(code) else { continue }
            #expect(tokens("a" + String(scalar) + "b") == ["a", "b"], "\(code)")
        }
        for code in UInt32(0)..<0x80 {
            let scalar = Unicode.Scalar(code)!
            let isWord = scalar.properties.isAlphabetic || scalar.properties.numericType != nil
            #expect(tokens(String(scalar)).count == (isWord ? 1 : 0), "\(code)")
        }
    }

    @Test func longTokensAreCut() {
        let text = String(repeating: "a", count: 63)
        #expect(tokens(text + "bcd e") == [text + "b", "e"])
        // The two-byte letter doesn't fit, but the next one does.
        #expect(tokens(text + "øb") == [text + "b"])
        #expect(tokens(String(text.dropLast()) + "øb") == [String(text.dropLast()) + "ø"])
        #expect(tokens(text + "aé!" + text + "a") == [text + "a"])
    }

    @Test func bytesThatAreNotText() {
        #expect(FullTextTokenizer.tokens(of: [0x61, 0xC3, 0x62]) == [[0x61], [0x62]])
        #expect(FullTextTokenizer.tokens(of: [0xC3]) == [])
        #expect(FullTextTokenizer.tokens(of: [0x61, 0x80, 0x62, 0xFF, 0x63]) == [[0x61], [0x62], [0x63]])
        #expect(FullTextTokenizer.tokens(of: [0xE2, 0x82, 0x61]) == [[0x61]])
    }
}
