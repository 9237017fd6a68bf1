// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A text used as a name: of a class, a property, a partition, a user, an app, a file, or a key.
///
/// Two values are equal if their UTF-8 bytes are equal. Two Swift strings are equal if their characters are, so a
/// dictionary of strings treats "é" and "e" with a combining accent as one key. Files, changesets, folders and rules
/// compare bytes. All code that decides by a name uses this type as its key, or `String.isIdentical(to:)`.
package struct ByteText: Sendable {
    package let string: String

    package init(_ string: String) { self.string = string }

    package var isEmpty: Bool { string.isEmpty }
}

extension ByteText: Hashable {
    package static func == (a: ByteText, b: ByteText) -> Bool { a.string.isIdentical(to: b.string) }

    /// Hashes the bytes. A string hashes its characters, so an attacker could create many names with the same hash.
    package func hash(into hasher: inout Hasher) {
        let isHashed: Void? = unsafe string.utf8.withContiguousStorageIfAvailable { bytes in
            unsafe hasher.combine(bytes: UnsafeRawBufferPointer(bytes))
        }
        if isHashed == nil { for byte in string.utf8 { hasher.combine(byte) } }
        hasher.combine(0xFF as UInt8)
    }
}

extension ByteText: Comparable {
    package static func < (a: ByteText, b: ByteText) -> Bool { ByteOrder.compare(a.string, b.string) < 0 }
}

extension ByteText: ExpressibleByStringLiteral {
    package init(stringLiteral value: String) { string = value }
}

extension ByteText: CustomStringConvertible {
    package var description: String { string }
}

extension String {
    /// Whether both have the same UTF-8. `==` compares characters, which can have several encodings.
    package func isIdentical(to other: String) -> Bool {
        utf8.count == other.utf8.count && ByteOrder.compare(self, other) == 0
    }
}
