// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A text to look for in strings without regard to accents, made once and matched against many.
///
/// Case, if it does not count either, is that of all of Unicode, other than in a `TextPattern`.
struct DiacriticPattern: Sendable {
    private let operation: TextPattern.Operation
    private let ignoringCase: Bool
    private let pattern: [Unicode.Scalar]

    init(_ operation: TextPattern.Operation, _ pattern: String, ignoringCase: Bool) {
        self.operation = operation
        self.ignoringCase = ignoringCase
        self.pattern = DiacriticPattern.folded(pattern, ignoringCase: ignoringCase)
    }

    func matches(_ text: String) -> Bool {
        let text = DiacriticPattern.folded(text, ignoringCase: ignoringCase)
        switch operation {
        case .equal: return text == pattern
        case .beginsWith: return text.starts(with: pattern)
        case .endsWith: return text.reversed().starts(with: pattern.reversed())
        case .contains:
            let surplus = text.count - pattern.count
            return surplus >= 0 && (0...surplus).contains { text[$0...].starts(with: pattern) }
        case .like: return false
        }
    }

    static func folded(_ text: String, ignoringCase: Bool) -> [Unicode.Scalar] {
        var result: [Unicode.Scalar] = []
        for scalar in text.unicodeScalars {
            guard let base = Accents.base(of: scalar) else { continue }
            if !ignoringCase {
                result.append(base)
            } else if base.isASCII {
                result.append("A"..."Z" ~= base ? Unicode.Scalar(UInt8(base.value) | 0x20) : base)
            } else {
                appendFolded(base, to: &result)
            }
        }
        return result
    }

    /// The lower case of the upper case, in which a letter's forms agree: both small sigmas of Greek, ß and ss.
    private static func appendFolded(_ scalar: Unicode.Scalar, to result: inout [Unicode.Scalar]) {
        for upper in scalar.properties.uppercaseMapping.unicodeScalars {
            for lower in upper.properties.lowercaseMapping.unicodeScalars {
                if let base = Accents.base(of: lower) { result.append(base) }
            }
        }
    }
}

/// A text to look for, with regard to what the options behind an operator say.
enum TextMatcher: Sendable {
    case plain(TextPattern)
    case withoutAccents(DiacriticPattern)
    case oneOf(FoldedTexts)

    init(_ operation: TextPattern.Operation, _ text: String, _ options: TextOptions) {
        let ignoringCase = options.contains(.caseInsensitive)
        self =
            options.contains(.diacriticInsensitive)
            ? .withoutAccents(DiacriticPattern(operation, text, ignoringCase: ignoringCase))
            : .plain(TextPattern(operation, text, ignoringCase: ignoringCase))
    }

    /// Equality with one of several texts.
    init(oneOf texts: [String], _ options: TextOptions) {
        self = texts.count == 1 ? TextMatcher(.equal, texts[0], options) : .oneOf(FoldedTexts(texts, options))
    }

    func matches(_ text: String) -> Bool {
        switch self {
        case .plain(let pattern): return pattern.matches(text)
        case .withoutAccents(let pattern): return pattern.matches(text)
        case .oneOf(let texts):
            var text = text
            return text.withUTF8 { unsafe texts.contains(UnsafeRawBufferPointer($0)) }
        }
    }

    /// Matches the bytes of a string where they lie.
    func matches(utf8 bytes: UnsafeRawBufferPointer) -> Bool {
        switch self {
        case .plain(let pattern): unsafe pattern.matches(utf8: bytes)
        case .withoutAccents(let pattern): unsafe pattern.matches(String(decoding: bytes, as: UTF8.self))
        case .oneOf(let texts): unsafe texts.contains(bytes)
        }
    }
}
