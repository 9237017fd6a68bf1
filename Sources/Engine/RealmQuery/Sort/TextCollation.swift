// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// An order of strings other than that of their bytes (content 8.2), which indexes and sets use.
package struct TextCollation: Sendable, Equatable {
    package let name: String
    let method: Method

    enum Method: Sendable {
        case keys(@Sendable (String) -> [UInt8])
        /// A value below zero, zero or above if the first string precedes, equals or follows the second.
        case comparison(@Sendable (String, String) -> Int)
    }

    package init(_ name: String, comparing comparison: @escaping @Sendable (String, String) -> Int) {
        self.name = name
        method = .comparison(comparison)
    }

    private init(_ name: String, _ method: Method) {
        self.name = name
        self.method = method
    }

    /// The natural order. Case matters only between strings that are otherwise equal, and digits are compared as
    /// numbers, so that "track 9" precedes "Track 10".
    package static let natural = TextCollation("natural", .keys(naturalKey))

    package static func == (a: TextCollation, b: TextCollation) -> Bool { a.name == b.name }

    /// Returns the folded string with the length of each number before its digits, followed by the string itself, so
    /// that only equal strings tie.
    private static func naturalKey(_ text: String) -> [UInt8] {
        var key: [UInt8] = []
        key.reserveCapacity(2 * text.utf8.count + 8)
        var number: [UInt8] = []
        for scalar in text.unicodeScalars {
            if scalar.isASCII {
                let byte = UInt8(truncatingIfNeeded: scalar.value)
                if digits.contains(byte) {
                    number.append(byte)
                    continue
                }
                append(&number, to: &key)
                key.append(capitals.contains(byte) ? byte | 0x20 : byte)
            } else {
                append(&number, to: &key)
                key.append(contentsOf: scalar.properties.lowercaseMapping.utf8)
            }
        }
        append(&number, to: &key)
        key.append(0)
        key.append(contentsOf: text.utf8)
        return key
    }

    private static let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    private static let capitals = UInt8(ascii: "A")...UInt8(ascii: "Z")

    /// Appends a number: a digit, so that it sorts like one in other text, the number of further significant digits,
    /// and these.
    private static func append(_ number: inout [UInt8], to key: inout [UInt8]) {
        guard !number.isEmpty else { return }
        let significant = number.drop { $0 == digits.lowerBound }
        key.append(digits.lowerBound)
        if significant.count < 255 {
            key.append(UInt8(significant.count))
        } else {
            key.append(255)
            for shift in stride(from: 56, through: 0, by: -8) {
                key.append(UInt8(truncatingIfNeeded: significant.count >> shift))
            }
        }
        key.append(contentsOf: significant)
        number.removeAll(keepingCapacity: true)
    }
}
