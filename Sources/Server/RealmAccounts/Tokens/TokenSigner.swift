// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import JWTKit
    import RealmSyncCore

    /// Signs the server's own tokens (HS256) and verifies them. What they say is for others to judge.
    struct TokenSigner: Sendable {
        private let keys: JWTKeyCollection
        /// Tokens travel in URLs and headers.
        static let longestToken = 16 << 10

        init(_ key: SigningKey) async {
            let plain = DefaultJWTSerializer(jsonEncoder: ClaimsEncoder())
            keys = await JWTKeyCollection()
                .add(hmac: HMACKey(from: key.bytes), digestAlgorithm: .sha256, serializer: plain)
        }

        func sign(_ claims: JSON) async throws -> String {
            try await keys.sign(Claims(text: claims.description))
        }

        /// What a token says whose signature is ours.
        func claims(of token: String) async throws(TokenError) -> JSON {
            guard token.utf8.count <= TokenSigner.longestToken, let read = Token(token) else { throw .malformed }
            do { _ = try await keys.verify(token, as: Claims.self) } catch { throw .forged }
            return read.claims
        }
    }

    /// The claims as text: what is signed is written, and what was verified is read, by our own JSON.
    struct Claims: JWTPayload {
        var text = ""

        init(text: String) { self.text = text }

        /// Only the signature counts; the text of the token is read by `Token`.
        init(from decoder: any Decoder) throws {}

        func encode(to encoder: any Encoder) throws {}

        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    /// Writes claims as their text is, and headers as usual.
    struct ClaimsEncoder: JWTJSONEncoder {
        func encode<Value: Encodable>(_ value: Value) throws -> Data {
            if let claims = value as? Claims { return Data(claims.text.utf8) }
            return try JSONEncoder().encode(value)
        }
    }
#endif
