// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    @testable import RealmAccounts
    import RealmStorage
    import RealmSyncCore
    import Testing

    @Suite struct PasswordHashTests {
        private var cheap: AccountsConfiguration.PasswordCost {
            var cost = AccountsConfiguration.PasswordCost()
            (cost.rounds, cost.parallelism) = (2, 1)
            return cost
        }

        @Test func aHashFitsItsPassword() throws {
            let hash = try PasswordHash("secret1", cheap)
            #expect(try hash.fits("secret1"))
            #expect(try !hash.fits("secret2"))
            #expect(try !hash.fits(""))
            let read = try #require(PasswordHash(hash.text))
            #expect(try read.fits("secret1"))
            #expect(hash.text.hasPrefix("scrypt$2$8$1$"))
            #expect(try PasswordHash("secret1", cheap).text != hash.text, "each has a salt of its own")
        }

        @Test func theHashOfAnUnknownUserCostsAsMuchAsOthers() throws {
            let hash = PasswordHash(unmatched: cheap)
            #expect(try !hash.fits("secret1") && !hash.fits(""))
            #expect(hash.costs(cheap) && PasswordHash(hash.text) == hash)
            #expect(hash != PasswordHash(unmatched: cheap))
        }

        /// A vector of RFC 7914, section 12.
        @Test func itIsScrypt() throws {
            let salt = Base64.text(Array("SodiumChloride".utf8))
            let digits = "7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2"
            let text = "scrypt$16384$8$1$\(salt)$\(Base64.text(try #require(Hexadecimal.bytes(digits))))"
            #expect(try #require(PasswordHash(text)).fits("pleaseletmein"))
        }

        /// One letter, composed in two ways.
        @Test func keyboardsMayDiffer() throws {
            #expect(try PasswordHash("caf\u{e9}", cheap).fits("cafe\u{301}"))
        }

        @Test(arguments: [
            "", "scrypt", "scrypt$2$8$1$AAAA", "md5$2$8$1$AAAA$AAAA", "scrypt$3$8$1$AAAA$AAAA",
            "scrypt$2$8$1$AAAA$AAAA",
            "scrypt$4611686018427387904$8$1$AAAA$", "scrypt$2$0$1$AAAA$AAAA", "scrypt$-2$8$1$AAAA$AAAA",
            "scrypt$2$8$9999999$AAAA$AAAA",
        ]) func malformedHashesAreRejected(_ text: String) { #expect(PasswordHash(text) == nil) }

        @Test func aPasswordMovesToThePresentCost() async throws {
            let folder = try await TestServer()
            #expect(await folder.register("ann@example.org", "secret1").status == 201)
            let server = try await TestServer(folder: folder.folder) { configuration, _ in
                configuration.passwordCost.rounds = 4
            }
            #expect(await server.logInWithPassword("ann@example.org", "secret1").status == 200)
            let stored = try await server.accounts.store.read { accounts in
                try accounts.account(named: .identity("judge", .password, "ann@example.org"))?.password?.hash
            }
            #expect(stored?.hasPrefix("scrypt$4$8$1$") == true)
            #expect(await server.logInWithPassword("ann@example.org", "secret1").status == 200)
        }

        /// A user without a hash is compared with a dummy hash, so that no response is quicker.
        @Test func anUnknownUserIsHashedToo() async throws {
            let hasher = PasswordHasher(cheap)
            #expect(try await !hasher.verify("secret1", nil))
            #expect(try await !hasher.verify("secret1", "damaged"))
            let hash = try await hasher.hash("secret1")
            #expect(try await hasher.verify("secret1", hash))
        }

        @Test func manyAtOnce() async throws {
            let hasher = PasswordHasher(cheap)
            let hash = try await hasher.hash("secret1")
            let fits = try await withThrowingTaskGroup(of: Bool.self) { group in
                for _ in 0..<100 { group.addTask { try await hasher.verify("secret1", hash) } }
                return try await group.reduce(into: 0) { $0 += $1 ? 1 : 0 }
            }
            #expect(fits == 100)
        }

        @Test func addressesAreComparedWithoutCase() throws {
            #expect(try EmailAddress("Ann@Example.ORG").folded == "ann@example.org")
            #expect(try EmailAddress("J\u{fc}rgen@b.c").folded == EmailAddress("ju\u{308}RGEN@b.c").folded)
            #expect(throws: ServiceError.self) { try EmailAddress("a\u{a0}b@c.d") }
        }
    }
#endif
