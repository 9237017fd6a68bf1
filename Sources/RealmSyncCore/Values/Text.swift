// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A text of a changeset: the name of a class or a property, a key, a value.
///
/// Two of them are equal if their bytes are, where two of Swift's strings are if their characters are: each end has to
/// see the same names, and stores what it was sent.
package struct Text: Hashable, Sendable {
    package let string: String

    package init(_ string: String) { self.string = string }

    package var isEmpty: Bool { string.isEmpty }

    package static func == (a: Text, b: Text) -> Bool { ByteOrder.compare(a.string, b.string) == 0 }

    /// What has the same bytes has the same characters, and so the same hash.
    package func hash(into hasher: inout Hasher) { hasher.combine(string) }
}

extension Text: ExpressibleByStringLiteral {
    package init(stringLiteral value: String) { string = value }
}

extension Text: Comparable {
    package static func < (a: Text, b: Text) -> Bool { ByteOrder.compare(a.string, b.string) < 0 }
}

extension Text: CustomStringConvertible {
    package var description: String { string }
}
