// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import JWTKit
    import RealmSyncCore

    /// Signs the server's own tokens (HS256). It doesn't interpret their claims.
    struct TokenSigner: Sendable {
        private let keys: JWTKeyCollection
        /// In bytes. Tokens are sent in URLs and headers.
        static let longestToken = 16 << 10

        init(_ key: SigningKey) async {
            let plain = DefaultJWTSerializer(jsonEncoder: ClaimsEncoder())
            keys = await JWTKeyCollection()
                .add(hmac: HMACKey(from: key.bytes), digestAlgorithm: .sha256, serializer: plain)
        }

        func sign(_ claims: JSON) async throws -> String {
            try await keys.sign(Claims(text: claims.description))
        }

        /// - Throws: `TokenError.malformed` or `.forged`.
        func claims(of token: String) async throws(TokenError) -> JSON {
            guard token.utf8.count <= TokenSigner.longestToken, let read = Token(token) else { throw .malformed }
            do { _ = try await keys.verify(token, as: Claims.self) } catch { throw .forged }
            return read.claims
        }
    }

    /// Text, because our own JSON encoder and parser handle the text that is signed and verified.
    struct Claims: JWTPayload {
        var text = ""

        init(text: String) { self.text = text }

        /// Only the signature matters here. `Token` parses the claims.
        init(from decoder: any Decoder) throws {}

        func encode(to encoder: any Encoder) throws {}

        func verify(using algorithm: some JWTAlgorithm) async throws {}
    }

    struct ClaimsEncoder: JWTJSONEncoder {
        func encode<Value: Encodable>(_ value: Value) throws -> Data {
            if let claims = value as? Claims { return Data(claims.text.utf8) }
            return try JSONEncoder().encode(value)
        }
    }
#endif
