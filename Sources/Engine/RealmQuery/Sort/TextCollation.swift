// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// An order of texts other than that of their bytes (content 8.2), which is what indexes and sets use.
package struct TextCollation: Sendable, Equatable {
    /// Identifies the collation.
    package let name: String
    let method: Method

    enum Method: Sendable {
        /// Texts come in the order of the bytes that are made of each.
        case keys(@Sendable (String) -> [UInt8])
        /// Below zero, zero or above if the first text is before, equal to or behind the second.
        case comparison(@Sendable (String, String) -> Int)
    }

    /// A collation that knows nothing of a text but how it compares with another one.
    package init(_ name: String, comparing comparison: @escaping @Sendable (String, String) -> Int) {
        self.name = name
        method = .comparison(comparison)
    }

    private init(_ name: String, _ method: Method) {
        self.name = name
        self.method = method
    }

    /// As people count: case matters only between texts that are equal without it, and digits count as the number
    /// that they write, so that "track 9" comes before "Track 10".
    package static let natural = TextCollation("natural", .keys(naturalKey))

    package static func == (a: TextCollation, b: TextCollation) -> Bool { a.name == b.name }

    /// The folded text with numbers by length before digits, then the text itself, so that only equal texts tie.
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

    /// A number stands where its first digit would among other text: a digit, how many more significant ones there
    /// are, and these.
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
