// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import HTTPServing
    import RealmSyncCore
    import TestTraits
    import Testing

    @testable import RealmAccounts

    /// Clients behind proxies.
    @Suite struct ClientAddressTests {
        private static let proxies = ["10.0.0.0/8", "::1"].compactMap { AddressRange($0) }

        private static func client(_ peer: String, _ headers: [(name: String, value: String)]) -> String {
            HTTPRequest(method: "GET", path: "/", headers: headers, peer: peer).client(behind: proxies)
        }

        private static let header = "X-Forwarded-For"

        @Test(.behaviour("Y03")) func onlyATrustedProxyNamesTheClient() {
            #expect(Self.client("192.0.2.9", [(Self.header, "198.51.100.1")]) == "192.0.2.9")
            #expect(Self.client("10.0.0.1", [(Self.header, "198.51.100.1")]) == "198.51.100.1")
            #expect(Self.client("::ffff:10.0.0.1", [(Self.header, "198.51.100.1")]) == "198.51.100.1")
            #expect(Self.client("10.0.0.1", []) == "10.0.0.1")
        }

        /// A client may send the header itself. Its proxy appends to it.
        @Test func headersOfUntrustedClientsAreIgnored() {
            #expect(Self.client("10.0.0.1", [(Self.header, "1.1.1.1, 198.51.100.1")]) == "198.51.100.1")
            #expect(Self.client("10.0.0.1", [(Self.header, "1.1.1.1,198.51.100.1 , 10.0.0.2")]) == "198.51.100.1")
            #expect(
                Self.client("10.0.0.1", [(Self.header, "1.1.1.1"), ("x-forwarded-for", "198.51.100.1")])
                    == "198.51.100.1")
            for odd in ["", ",", "unknown", "1.1.1.1, unknown", "1.1.1.1, 999.1.1.1", "[::1", "\"", "a:b:c"] {
                #expect(Self.client("10.0.0.1", [(Self.header, odd)]) == "10.0.0.1", "\(odd)")
            }
            // A header that the proxy doesn't write comes from the client.
            let both = [(name: Self.header, value: "198.51.100.1"), (name: "Forwarded", value: "for=1.1.1.1")]
            #expect(Self.client("10.0.0.1", both) == "10.0.0.1")
        }

        @Test(arguments: [
            ("for=198.51.100.1", "198.51.100.1"), ("For=\"198.51.100.1:4711\"; proto=http;by=10.0.0.1", "198.51.100.1"),
            ("for=1.1.1.1, proto=https;for=\"[2001:DB8::7]:80\"", "2001:db8::7"), ("for=_hidden", "10.0.0.1"),
            ("by=1.1.1.1", "10.0.0.1"), ("for=198.51.100.1, for=\"[::1]\"", "198.51.100.1"),
        ])
        func theHeaderForwarded(_ value: String, _ client: String) {
            #expect(Self.client("10.0.0.1", [("Forwarded", value)]) == client)
        }

        @Test(.behaviour("Y03")) func clientsBehindAProxyAreLimitedOneByOne() async throws {
            let server = try await TestServer { configuration, _ in
                configuration.limits.requests = .init(burst: 2, perMinute: 1)
                configuration.trustedProxies = Self.proxies
            }
            func status(_ client: String, peer: String) async -> Int {
                await server.send("GET", "/auth/profile", headers: [(Self.header, client)], peer: peer).status
            }
            for _ in 0..<2 { #expect(await status("198.51.100.1", peer: "10.0.0.1") == 401) }
            #expect(await status("198.51.100.1", peer: "10.9.9.9") == 429)
            #expect(await status("198.51.100.2", peer: "10.0.0.1") == 401)
            for client in ["1.1.1.1", "1.1.1.2"] { #expect(await status(client, peer: "192.0.2.1") == 401) }
            #expect(await status("1.1.1.3", peer: "192.0.2.1") == 429)
        }
    }
#endif
