// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A token of App Services, with the claims that a client reads (§1.5). Only the server verifies its signature.
package struct Token: Hashable, Sendable {
    package let text: String
    package let claims: JSON
    /// Seconds since 1970.
    package let expiresAt: Int64
    package let issuedAt: Int64

    package var userData: JSON? { claims["user_data"] }

    /// Returns nil unless the text is a JWT: three parts, of which the second is JSON with the times of expiry and
    /// issue.
    package init?(_ text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, parts.allSatisfy({ !$0.isEmpty }), let bytes = Base64.bytes(parts[1]),
            let claims = try? JSON(parsing: bytes), let expiresAt: Int64 = claims["exp"]?.integer(),
            let issuedAt: Int64 = claims["iat"]?.integer()
        else { return nil }
        self.text = text
        self.claims = claims
        self.expiresAt = expiresAt
        self.issuedAt = issuedAt
    }
}
