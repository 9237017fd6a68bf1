// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage
import TestTraits
import Testing

@testable import RealmQuery

/// Case-insensitive texts: all letters, the letters that Realm Query Language folds, and many texts at once.
@Suite struct CaselessPatternTests {
    @Test(
        .behaviour("R33"),
        arguments: [
            ("ŁÓDŹ", "łódź", true), ("Ωmega", "ωMEGA", true), ("ЖУК", "жук", true), ("Šč", "šČ", true),
            ("ÿ", "Ÿ", true),
            ("Å", "\u{212B}", true), ("ß", "\u{1E9E}", true), ("ẞ", "ß", true), ("ǅ", "ǆ", true), ("日本", "日本", true),
            ("İ", "i", false), ("ı", "I", false), ("ß", "SS", false), ("k", "\u{212A}", false), ("\u{17F}", "S", false),
            ("ł", "l", false),
        ])
    func lettersOfAllScripts(_ text: String, _ other: String, _ isEqual: Bool) {
        #expect(TextMatcher(.equal, text, .caseInsensitive).matches(other) == isEqual)
        #expect(TextMatcher(.equal, other, .caseInsensitive).matches(text) == isEqual)
        #expect(TextMatcher(.equal, text, .caseInsensitive).matches(text))
        for (operation, longer) in [
            (TextPattern.Operation.beginsWith, other + "x"), (.endsWith, "x" + other), (.contains, "x\(other)x"),
        ] {
            #expect(TextMatcher(operation, text, .caseInsensitive).matches(longer) == isEqual, "\(operation)")
        }
    }

    @Test(.behaviour("R33")) func patterns() {
        let matcher = TextMatcher(.like, "Ł*?Ź", .caseInsensitive)
        #expect(matcher.matches("łódź") && matcher.matches("ŁŁŹ") && !matcher.matches("łź") && !matcher.matches("lódź"))
    }

    @Test func realmQueryLanguageFoldsLatin1() {
        let options: TextOptions = [.caseInsensitive, .queryLanguage]
        #expect(TextMatcher(.equal, "É", options).matches("é") && !TextMatcher(.equal, "Ж", options).matches("ж"))
        #expect(!TextMatcher(.equal, "Ł", options).matches("ł"))
    }

    @Test(.behaviour("R36")) func manyTexts() throws {
        let database = try Database.inMemory(in: NSTemporaryDirectory())
        let write = try database.beginWrite()
        let table = try write.schema.addTable("class_Row")
        let text = try write.schema.addColumn("text", .string, .nullable, to: table)
        let mixed = try write.schema.addColumn("mixed", .mixed, .nullable, to: table)
        for number in 0..<500 {
            let value = StoredValue.string("ŁÉx\(number)")
            _ = try write.createObject(in: table, [text: value, mixed: value])
        }
        try write.commit()
        let snapshot = try database.snapshot(label: "texts")
        let wanted = (0..<10_000).map { StoredValue.string("łéX\($0 * 2)") } + [.null]
        for name in ["text", "mixed"] {
            let sought: [(TextOptions, Int)] = [
                (.caseInsensitive, 250), ([.caseInsensitive, .queryLanguage], 0), (.diacriticInsensitive, 0),
                ([.caseInsensitive, .diacriticInsensitive], 250), ([], 0),
            ]
            for (options, count) in sought {
                let comparison = Comparison(.path(PropertyPath(name)), .in, .values(wanted), options: options)
                #expect(
                    try Query.compile(.comparison(comparison), on: table, in: snapshot).count(in: snapshot) == count)
            }
        }
    }
}
