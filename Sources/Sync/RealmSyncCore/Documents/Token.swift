// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A token of App Services, as much of it as a client reads (§1.5). Whether its signature is right is for the server
/// to say.
package struct Token: Hashable, Sendable {
    package let text: String
    /// What it says.
    package let claims: JSON
    /// Seconds since 1970.
    package let expiresAt: Int64
    package let issuedAt: Int64

    /// The custom data of the user, if the token holds any.
    package var userData: JSON? { claims["user_data"] }

    /// Nil unless it is a JWT: three parts, the second of them JSON with the times of its end and of its issue.
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
