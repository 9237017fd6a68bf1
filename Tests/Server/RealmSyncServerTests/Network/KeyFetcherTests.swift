// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Crypto
    import Foundation
    import NIOConcurrencyHelpers
    import RealmAccounts
    import RealmStorage
    import RealmSyncCore
    import RealmSyncServer
    import RealmTestSupport
    import ServerTestSupport
    import TestTraits
    import Testing

    /// Keys of issuers over TLS, from a server with a certificate of a private authority.
    @Suite(.serialized, .timeLimited, .scope(TestCleanup.perform)) struct KeyFetcherTests {
        private let folder: TemporaryFolder
        private let authorities: String

        init() throws {
            folder = try TemporaryFolder()
            authorities = folder.path + "/authorities.pem"
            try TestCertificate.authority.write(toFile: authorities, atomically: true, encoding: .utf8)
        }

        @Test func keysAreFetchedOverHTTPS() async throws {
            let issuer = try await TestIssuer { path in
                switch path {
                case "/keys?of=app": TestIssuer.Answer("{\"keys\": []}")
                case "/old": TestIssuer.Answer("{}", headers: ["Cache-Control": "public, max-age=600", "Age": "100"])
                case "/older": TestIssuer.Answer("{}", headers: ["Cache-Control": "max-age=600", "Age": "1000"])
                case "/never": TestIssuer.Answer("{}", headers: ["cache-control": "max-age=600, No-Cache"])
                default: TestIssuer.Answer("root")
                }
            }
            let fetcher = try KeyFetcher(authorities: authorities)
            func keys(_ path: String) async throws -> FetchedKeys {
                try await fetcher.fetch("https://localhost:\(issuer.port)\(path)")
            }
            #expect(try await keys("/keys?of=app#fragment") == "{\"keys\": []}")
            #expect(try await keys("/old") == FetchedKeys("{}", lifetime: .seconds(500)))
            #expect(try await keys("/older") == FetchedKeys("{}", lifetime: .zero))
            #expect(try await keys("/never") == FetchedKeys("{}", lifetime: .zero))
            #expect(try await keys("") == "root")
        }

        @Test func anInvalidCertificateIsRejected() async throws {
            let issuer = try await TestIssuer { _ in "{}" }
            let (own, trusting) = (try KeyFetcher(), try KeyFetcher(authorities: authorities))
            for (fetcher, host) in [(own, "localhost"), (trusting, "127.0.0.1")] {
                await #expect(throws: (any Error).self) {
                    _ = try await fetcher.fetch("https://\(host):\(issuer.port)/keys")
                }
            }
            #expect(issuer.requests.isEmpty)
            try await issuer.stop()
            let selfSigned = try await TestIssuer(TestCertificate.certificate, TestCertificate.key) { _ in "{}" }
            await #expect(throws: (any Error).self) {
                _ = try await trusting.fetch("https://localhost:\(selfSigned.port)/keys")
            }
            #expect(selfSigned.requests.isEmpty)
        }

        @Test func incompleteResponsesAreRejected() async throws {
            let issuer = try await TestIssuer { path in
                switch path {
                case "/missing": TestIssuer.Answer("{}", status: 404)
                case "/elsewhere": TestIssuer.Answer("{}", status: 302, headers: ["Location": "https://example.org/"])
                case "/large": TestIssuer.Answer(String(repeating: " ", count: 1 << 20) + "{}")
                case "/chunks": TestIssuer.Answer(String(repeating: " ", count: 1 << 21), isChunked: true)
                case "/silent": nil
                default: "{}"
                }
            }
            let impatient = try KeyFetcher(authorities: authorities, timeLimit: .seconds(1))
            await #expect {
                _ = try await impatient.fetch("https://localhost:\(issuer.port)/silent")
            } throws: { error in "\(error)".contains("takes too long") }
            let fetcher = try KeyFetcher(authorities: authorities, timeLimit: .seconds(600))
            for (path, text) in [
                ("/missing", "status 404"), ("/elsewhere", "status 302"), ("/large", "more than 1048576 bytes"),
                ("/chunks", "more than 1048576 bytes"),
            ] {
                await #expect {
                    _ = try await fetcher.fetch("https://localhost:\(issuer.port)\(path)")
                } throws: { error in "\(error)".contains(text) }
            }
            for url in [
                "http://localhost:\(issuer.port)/keys", "https:///keys", "https://user@localhost/keys",
                "https://localhost:x/keys", "localhost", "",
            ] {
                await #expect {
                    _ = try await fetcher.fetch(url)
                } throws: { error in "\(error)".contains("isn't an HTTPS URL") }
            }
            try await issuer.stop()
            await #expect(throws: (any Error).self) { _ = try await fetcher.fetch("https://localhost:\(issuer.port)/") }
        }

        private func text(_ bytes: some Sequence<UInt8>) -> String {
            Base64.text(Array(bytes)).replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
        }

        @Test func aTokenOfAnIssuerLogsIn() async throws {
            let key = P256.Signing.PrivateKey()
            let point = Array(key.publicKey.rawRepresentation)
            let (x, y) = (text(point[..<32]), text(point[32...]))
            let keySet = """
                {"keys": [{"kty": "EC", "crv": "P-256", "alg": "ES256", "kid": "one", "use": "sig", "x": "\(x)", "y": "\(y)"}]}
                """
            let issuer = try await TestIssuer { _ in TestIssuer.Answer(keySet) }
            var app = AppConfiguration(id: "chat")
            app.customTokens = .init(keys: [.keySetURL("https://localhost:\(issuer.port)/keys")])
            app.hooks.fetchKeys = try KeyFetcher(authorities: authorities).fetch
            let server = try await TestServer(accounts: AccountsConfiguration(apps: [app]))
            let expiry = Int(Date().timeIntervalSince1970) + 3600
            let parts = [
                #"{"alg": "ES256", "typ": "JWT", "kid": "one"}"#, #"{"sub": "ann", "aud": "chat", "exp": \#(expiry)}"#,
            ].map { text(Array($0.utf8)) }.joined(separator: ".")
            let signature = text(Array(try key.signature(for: Data(parts.utf8)).rawRepresentation))
            for (token, status) in [("\(parts).\(signature)", 200), ("\(parts).\(String(signature.reversed()))", 401)] {
                let answer = try await PlainRequest.answer(
                    server.port,
                    "POST /api/client/v2.0/app/chat/auth/providers/custom-token/login HTTP/1.1\r\n"
                        + "Content-Type: application/json", body: #"{"token": "\#(token)"}"#)
                #expect(answer.hasPrefix("HTTP/1.1 \(status)"), "\(answer)")
            }
            #expect(issuer.requests == ["/keys"])
        }
    }
#endif
