// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A text to search for, according to the options after an operator.
enum TextMatcher: Sendable {
    case plain(TextPattern)
    case withoutAccents(DiacriticPattern)
    case caseless(CaselessPattern)
    case oneOf(FoldedTexts)

    init(_ operation: TextPattern.Operation, _ text: String, _ options: TextOptions) {
        let ignoringCase = options.contains(.caseInsensitive)
        self =
            if options.contains(.diacriticInsensitive) {
                .withoutAccents(DiacriticPattern(operation, text, ignoringCase: ignoringCase))
            } else if options.foldsAllCases, CaselessPattern.isNeeded(for: text) {
                .caseless(CaselessPattern(operation, text))
            } else {
                .plain(TextPattern(operation, text, ignoringCase: ignoringCase))
            }
    }

    init(oneOf texts: [String], _ options: TextOptions) {
        self = texts.count == 1 ? TextMatcher(.equal, texts[0], options) : .oneOf(FoldedTexts(texts, options))
    }

    func matches(_ text: String) -> Bool {
        switch self {
        case .plain(let pattern): return pattern.matches(text)
        case .withoutAccents(let pattern): return pattern.matches(text)
        case .caseless(let pattern): return pattern.matches(text)
        case .oneOf(let texts):
            var text = text
            return text.withUTF8 { unsafe texts.contains(UnsafeRawBufferPointer($0)) }
        }
    }

    func matches(utf8 bytes: UnsafeRawBufferPointer) -> Bool {
        switch self {
        case .plain(let pattern): unsafe pattern.matches(utf8: bytes)
        case .withoutAccents(let pattern): unsafe pattern.matches(String(decoding: bytes, as: UTF8.self))
        case .caseless(let pattern): unsafe pattern.matches(String(decoding: bytes, as: UTF8.self))
        case .oneOf(let texts): unsafe texts.contains(bytes)
        }
    }
}

extension TextOptions {
    /// Whether case is ignored for all Unicode letters. In Realm Query Language it is ignored for ASCII and Latin-1
    /// only.
    var foldsAllCases: Bool { contains(.caseInsensitive) && !contains(.queryLanguage) }
}
