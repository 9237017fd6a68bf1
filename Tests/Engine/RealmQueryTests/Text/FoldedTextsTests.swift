// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Testing

@testable import RealmQuery

/// A comparison with many texts compared with one for each text, under all options.
@Suite struct FoldedTextsTests {
    private static let options: [TextOptions] = [
        [.caseInsensitive], [.diacriticInsensitive], [.caseInsensitive, .diacriticInsensitive],
        [.caseInsensitive, .queryLanguage],
    ]

    @Test(arguments: options) func everyCharacterOfASCII(options: TextOptions) {
        let characters = (0..<0x80).map { "a" + String(Unicode.Scalar(UInt8($0))) + "Z" }
        for wanted in characters {
            let one = TextMatcher(.equal, wanted, options)
            let many = TextMatcher(oneOf: [wanted, "another"], options)
            for text in characters { #expect(many.matches(text) == one.matches(text), "\(wanted), \(text)") }
        }
    }

    @Test(arguments: options) func longTextsAndOtherLetters(options: TextOptions) {
        let long = String(repeating: "long ", count: 60)
        let texts = [
            "", "Ärger", "ärger", "arger", "ARGER", "ЖУК", "жук", long, long.uppercased(), long + "é", "a\u{301}",
        ]
        for wanted in texts {
            let one = TextMatcher(.equal, wanted, options)
            let many = TextMatcher(oneOf: [wanted, "another"], options)
            for text in texts { #expect(many.matches(text) == one.matches(text), "\(wanted), \(text)") }
        }
    }
}
