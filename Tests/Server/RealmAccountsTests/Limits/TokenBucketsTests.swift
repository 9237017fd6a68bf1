// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    @testable import RealmAccounts
    import RealmSyncCore
    import TestTraits
    import Testing

    @Suite struct TokenBucketsTests {
        @Test func aBurstPassesAndThenTheRateLimits() {
            let buckets = TokenBuckets(.init(burst: 3, perMinute: 6))
            for _ in 0..<3 { #expect(buckets.take("a", at: 1000) == nil) }
            #expect(buckets.take("a", at: 1000) == 10)
            #expect(buckets.take("b", at: 1000) == nil)
            #expect(buckets.take("a", at: 6000) == 5)
            #expect(buckets.take("a", at: 11_000) == nil)
            #expect(buckets.take("a", at: 11_000) == 10)
            #expect(buckets.take("a", at: 0) == 10, "a clock that is set back fills nothing")
            #expect(buckets.take("a", at: 1_000_000) == nil)
        }

        @Test func bucketsThatAreFullAgainAreForgotten() {
            let buckets = TokenBuckets(.init(burst: 1, perMinute: 60))
            for number in 0..<30_000 { _ = buckets.take("\(number)", at: Int64(number)) }
            #expect(buckets.count <= 20_001)
        }

        @Test func aNetworkOfIPv6IsOnePeer() {
            #expect(PeerAddress.unit(of: "10.0.0.1") == "10.0.0.1")
            #expect(PeerAddress.unit(of: "2001:db8:1:2:3:4:5:6") == "2001:db8:1:2")
            #expect(PeerAddress.unit(of: "2001:db8::6") == "2001:db8:0:0")
            #expect(PeerAddress.unit(of: "2001:db8:1:2::") == "2001:db8:1:2")
            #expect(PeerAddress.unit(of: "::1") == "0:0:0:0")
            #expect(PeerAddress.unit(of: "fe80::1%eth0") == "fe80:0:0:0")
            #expect(PeerAddress.unit(of: "::ffff:10.0.0.1") == "::ffff:10.0.0.1")
            for odd in ["", ":", "::", ":::", "%", "%:", "a%:", "::::::::::", "1:2:3:4:5:6:7:8:9::"] {
                _ = PeerAddress.unit(of: odd)
            }
        }

        @Test(.behaviour("Y03")) func aPeerIsLimited() async throws {
            let server = try await TestServer { configuration, _ in
                configuration.limits.requests = .init(burst: 5, perMinute: 60)
            }
            for _ in 0..<5 { #expect(await server.send("GET", "/auth/profile").status == 401) }
            let answer = await server.send("GET", "/auth/profile")
            #expect(answer.status == 429)
            #expect(answer.header("Retry-After") == "1")
            #expect(answer.header("Content-Type") == "application/json")
            #expect(answer.body == #"{"error":"too many requests, try again later"}"#)
            #expect(await server.send("GET", "/auth/profile", peer: "10.0.0.2").status == 401)
            server.time.pass(seconds: 1)
            #expect(await server.send("GET", "/auth/profile").status == 401)
        }

        @Test func triesAreLimited() async throws {
            let server = try await TestServer { configuration, _ in
                configuration.limits.credentials = .init(burst: 3, perMinute: 1)
            }
            let user = try await server.anonymous()
            for _ in 0..<2 { #expect(await server.logIn("api-key", [.init("key", "x")]).status == 401) }
            #expect(await server.logIn("api-key", [.init("key", "x")]).status == 429)
            #expect(await server.send("GET", "/auth/profile", token: user.access).status == 200)
        }

        /// The limit is shared by all peers, whether or not such a user exists.
        @Test func anAddressIsLimited() async throws {
            let server = try await TestServer { configuration, _ in
                configuration.limits.account = .init(burst: 3, perMinute: 1)
            }
            for address in ["ann@example.org", "bob@example.org"] {
                _ = await server.register("ann@example.org", "secret1")
                var statuses: [Int] = []
                for number in 0..<4 {
                    let body: JSON = ["username": .string(address), "password": "wrong"]
                    let answer = await server.send(
                        "POST", "/app/judge/auth/providers/local-userpass/login", body, peer: "10.0.1.\(number)")
                    statuses.append(answer.status)
                }
                #expect(statuses.last == 429, "\(address)")
            }
        }
    }
#endif
