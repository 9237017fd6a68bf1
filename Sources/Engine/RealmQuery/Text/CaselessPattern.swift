// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A pattern that is searched in strings ignoring the case of all Unicode letters. Created once and matched against
/// many strings.
struct CaselessPattern: Sendable {
    private let operation: TextPattern.Operation
    private let pattern: [Unicode.Scalar]

    init(_ operation: TextPattern.Operation, _ pattern: String) {
        self.operation = operation
        self.pattern = CaselessPattern.folded(pattern)
    }

    /// Whether the text has a letter with other forms that a `TextPattern`, which supports ASCII and Latin-1, doesn't
    /// cover.
    static func isNeeded(for text: String) -> Bool {
        text.unicodeScalars.contains { scalar in
            switch scalar.value {
            // µ, Å, ß, å and ÿ have another form beyond Latin-1.
            case 0xB5, 0xC5, 0xDF, 0xE5, 0xFF: true
            case 0x100...: folded(scalar) != scalar || scalar.properties.changesWhenUppercased
            default: false
            }
        }
    }

    func matches(_ text: String) -> Bool { operation.holds(CaselessPattern.folded(text), pattern) }

    static func folded(_ text: String) -> [Unicode.Scalar] { text.unicodeScalars.map(folded) }

    /// Unicode's simple case folding: the lower case of the upper case, if both are single characters. A character that
    /// would become an ASCII letter is unchanged, because ASCII letters equal only each other.
    private static func folded(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
        if scalar.isASCII { return "A"..."Z" ~= scalar ? Unicode.Scalar(UInt8(scalar.value) | 0x20) : scalar }
        let upper = only(scalar.properties.uppercaseMapping) ?? scalar
        let lower = only(upper.properties.lowercaseMapping) ?? upper
        return lower.isASCII ? scalar : lower
    }

    private static func only(_ mapping: String) -> Unicode.Scalar? {
        let scalars = mapping.unicodeScalars
        return scalars.count == 1 ? scalars.first : nil
    }
}

extension TextPattern.Operation {
    /// Requires a folded text and a folded pattern.
    func holds(_ text: [Unicode.Scalar], _ pattern: [Unicode.Scalar]) -> Bool {
        switch self {
        case .equal: return text == pattern
        case .beginsWith: return text.starts(with: pattern)
        case .endsWith: return text.reversed().starts(with: pattern.reversed())
        case .contains:
            let surplus = text.count - pattern.count
            return surplus >= 0 && (0...surplus).contains { text[$0...].starts(with: pattern) }
        case .like:
            return TextPattern.isLike(
                pattern, any: "*", one: "?", count: text.count, symbol: { text[$0] }, length: { _ in 1 })
        }
    }
}
