// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import HTTPServing

/// A secret of 128 random bits that grants a browser access to a server.
package struct ServerKey: Sendable {
    package let text: String

    package init() {
        var random = SystemRandomNumberGenerator()
        let digits = [random.next(), random.next()].map { (part: UInt64) in
            let text = String(part, radix: 16)
            return String(repeating: "0", count: 16 - text.count) + text
        }
        text = digits.joined()
    }

    /// The time doesn't depend on the key.
    package func matches(_ other: String) -> Bool { isSameSecret(Array(text.utf8), Array(other.utf8)) }
}
