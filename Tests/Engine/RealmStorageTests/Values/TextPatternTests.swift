// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Testing

@testable import RealmStorage

@Suite struct TextPatternTests {
    private func like(_ text: String, _ pattern: String, ignoringCase: Bool = false) -> Bool {
        TextPattern(.like, pattern, ignoringCase: ignoringCase).matches(text)
    }

    @Test func caseOfEachCharacter() {
        for code in UInt32(1)...0x24F {
            let scalar = Unicode.Scalar(code)!
            let upper: UInt32? =
                switch code {
                case 0x61...0x7A, 0xE0...0xF6, 0xF8...0xFE: code - 0x20
                default: nil
                }
            let pattern = TextPattern(.equal, String(scalar), ignoringCase: true)
            for other in UInt32(1)...0x24F {
                let equal = pattern.matches(String(Unicode.Scalar(other)!))
                let otherIsUpper = upper == other
                let otherIsLower =
                    other >= 0x20 && [0x41...0x5A, 0xC0...0xD6, 0xD8...0xDE].contains { $0.contains(code) }
                    && other == code + 0x20
                #expect(equal == (code == other || otherIsUpper || otherIsLower), "\(code) and \(other)")
            }
        }
    }

    @Test func placesInText() {
        #expect(TextPattern(.beginsWith, "ÄB", ignoringCase: true).matches("äbc"))
        #expect(!TextPattern(.beginsWith, "ÄB").matches("äbc"))
        #expect(TextPattern(.endsWith, "BC", ignoringCase: true).matches("äbc"))
        #expect(!TextPattern(.endsWith, "äbcd").matches("bcd"))
        #expect(TextPattern(.contains, "É", ignoringCase: true).matches("caféX"))
        #expect(!TextPattern(.contains, "É").matches("caféX"))
        #expect(TextPattern(.equal, "Straße", ignoringCase: true).matches("sTRAßE"))
        #expect(!TextPattern(.equal, "straße", ignoringCase: true).matches("strasse"))
        for operation in [.beginsWith, .endsWith, .contains] as [TextPattern.Operation] {
            #expect(TextPattern(operation, "").matches("") && TextPattern(operation, "").matches("a"))
            #expect(!TextPattern(operation, "a").matches(""))
        }
        #expect(TextPattern(.equal, "").matches("") && !TextPattern(.equal, "").matches("a"))
    }

    @Test func wildcards() {
        #expect(like("", "") && like("", "*") && !like("", "?") && !like("a", ""))
        #expect(like("abc", "a*c") && like("abc", "*") && like("abc", "a?c") && !like("abc", "a?"))
        #expect(like("aXbXc", "a*X?") && like("mississippi", "*is*ip*") && !like("mississippi", "*is*ipx"))
        #expect(like("é", "?") && like("日本", "??") && like("😀", "?") && !like("日本", "?"))
        #expect(like("éa", "*a") && like("ÉA", "?a", ignoringCase: true) && !like("ÉA", "?a"))
        #expect(like("a*b", "a*b") && like("CAFÉ", "caf*é", ignoringCase: true))
    }

    @Test func randomTexts() {
        var random = ValueRandom()
        let letters: [Unicode.Scalar] = ["a", "A", "b", "é", "É", "×", "÷", "日"]
        func text(_ alphabet: [Unicode.Scalar], _ length: Int) -> [Unicode.Scalar] {
            (0..<Int.random(in: 0...length, using: &random)).map { _ in alphabet.randomElement(using: &random)! }
        }
        for _ in 0..<20_000 {
            let (subject, plain) = (text(letters, 7), text(letters, 3))
            let pattern = text(letters + ["*", "?", "*"], 5)
            for ignoringCase in [false, true] {
                let (folded, part) = (fold(subject, ignoringCase), fold(plain, ignoringCase))
                func matches(_ operation: TextPattern.Operation, _ pattern: [Unicode.Scalar]) -> Bool {
                    TextPattern(operation, string(pattern), ignoringCase: ignoringCase).matches(string(subject))
                }
                #expect(matches(.equal, plain) == (folded == part))
                #expect(matches(.beginsWith, plain) == folded.starts(with: part))
                #expect(matches(.endsWith, plain) == folded.reversed().starts(with: part.reversed()))
                #expect(matches(.contains, plain) == contains(folded, part), "\(subject) \(plain)")
                let isLike = model(folded[...], fold(pattern, ignoringCase)[...])
                #expect(matches(.like, pattern) == isLike, "\(subject) \(pattern)")
            }
        }
    }

    private func string(_ scalars: [Unicode.Scalar]) -> String { String(String.UnicodeScalarView(scalars)) }

    private func fold(_ text: [Unicode.Scalar], _ ignoringCase: Bool) -> [Unicode.Scalar] {
        ignoringCase ? text.map { $0 == "A" ? "a" : $0 == "É" ? "é" : $0 } : text
    }

    private func contains(_ text: [Unicode.Scalar], _ part: [Unicode.Scalar]) -> Bool {
        text.indices.contains { text[$0...].starts(with: part) } || part.isEmpty
    }

    private func model(_ text: ArraySlice<Unicode.Scalar>, _ pattern: ArraySlice<Unicode.Scalar>) -> Bool {
        guard let symbol = pattern.first else { return text.isEmpty }
        if symbol == "*" {
            return (text.startIndex...text.endIndex).contains { model(text[$0...], pattern.dropFirst()) }
        }
        guard let first = text.first, symbol == "?" || symbol == first else { return false }
        return model(text.dropFirst(), pattern.dropFirst())
    }
}
