// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A pattern that is searched in strings ignoring accents. Created once and matched against many strings.
///
/// If case is ignored too, it is that of all of Unicode, unlike in a `TextPattern`.
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
        operation.holds(DiacriticPattern.folded(text, ignoringCase: ignoringCase), pattern)
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

    /// Appends the lower case of the upper case, in which all forms of a letter agree: both small sigmas of Greek, and
    /// ß and ss.
    private static func appendFolded(_ scalar: Unicode.Scalar, to result: inout [Unicode.Scalar]) {
        for upper in scalar.properties.uppercaseMapping.unicodeScalars {
            for lower in upper.properties.lowercaseMapping.unicodeScalars {
                if let base = Accents.base(of: lower) { result.append(base) }
            }
        }
    }
}
