// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import NIOConcurrencyHelpers
    @testable import RealmAccounts
    import RealmSyncCore
    import TestTraits
    import Testing

    @Suite(.timeLimited) struct ServerAccountsTests {
        private static func pages(
            _ accounts: ServerAccounts, matching text: String = "", limit: Int
        ) async throws -> [[ServerUser]] {
            var (pages, next): ([[ServerUser]], String?) = ([], nil)
            repeat {
                let page = try await accounts.users(
                    of: TestServer.app, matching: text, after: next, limit: limit)
                pages.append(page.users)
                next = page.next
            } while next != nil
            return pages
        }

        private static func error(_ body: () async throws -> Void) async -> AccountError.Code? {
            do { try await body() } catch { return (error as? AccountError)?.code }
            return nil
        }

        @Test func pagesContainEachUserOnce() async throws {
            let server = try await TestServer()
            let accounts = ServerAccounts(server.accounts)
            #expect(try await Self.pages(accounts, limit: 10) == [[]])
            var ids: Set<String> = []
            for _ in 0..<23 { ids.insert(try await server.anonymous().id) }
            for limit in [1, 5, 23, 24, 1000, .max] {
                let pages = try await Self.pages(accounts, limit: limit)
                #expect(pages.allSatisfy { $0.count <= limit }, "\(limit)")
                #expect(pages.joined().count == 23 && Set(pages.joined().map(\.id)) == ids, "\(limit)")
                #expect(pages.count == (22 / min(limit, 23)) + 1, "\(limit)")
            }
        }

        /// A page may begin after a user that was removed meanwhile.
        @Test func aPageFollowsARemovedUser() async throws {
            let server = try await TestServer()
            let accounts = ServerAccounts(server.accounts)
            for _ in 0..<6 { _ = try await server.anonymous() }
            let first = try await accounts.users(of: TestServer.app, limit: 3)
            for user in first.users { try await accounts.delete(user.id, in: TestServer.app) }
            let second = try await accounts.users(of: TestServer.app, after: first.next, limit: 3)
            #expect(second.users.count == 3 && second.next == nil)
            #expect(Set(second.users.map(\.id)).isDisjoint(with: first.users.map(\.id)))
        }

        @Test func aSearchComparesPartsWithoutCase() async throws {
            let server = try await TestServer()
            let accounts = ServerAccounts(server.accounts)
            let ann = try await accounts.createUser(email: "Ann@Example.org", password: "secret1", in: TestServer.app)
            let key = try await accounts.createKey(named: "Importer", in: TestServer.app)
            _ = try await server.anonymous()
            func found(_ text: String) async throws -> [String] {
                try await Self.pages(accounts, matching: text, limit: 1).joined().map(\.id)
            }
            #expect(try await found("ann@EXAMPLE") == [ann.id])
            #expect(try await found("import") == [key.user])
            #expect(try await found(key.user.uppercased()) == [key.user])
            #expect(try await found("nobody") == [])
            #expect(try await found("").count == 3)
        }

        @Test func aCreatedUserLogsIn() async throws {
            let server = try await TestServer()
            let accounts = ServerAccounts(server.accounts)
            let user = try await accounts.createUser(email: "bob@example.org", password: "secret1", in: TestServer.app)
            #expect(user.email == "bob@example.org" && user.providers == ["local-userpass"] && !user.isDisabled)
            #expect(await server.logInWithPassword("bob@example.org", "secret1").text("user_id") == user.id)
            #expect(await server.logInWithPassword("bob@example.org", "secret2").status == 401)
            let page = try await accounts.users(of: TestServer.app)
            #expect(page.users.map(\.sessionCount) == [1])
        }

        /// The address of an unconfirmed registration isn't proven, so the password of the administrator counts.
        @Test func aCreatedUserReplacesAnUnconfirmedRegistration() async throws {
            let server = try await TestServer { $1.passwords?.confirmation = .byMail }
            let accounts = ServerAccounts(server.accounts)
            await server.register("bob@example.org", "stranger")
            let mail = await server.mails.next()
            let user = try await accounts.createUser(email: "bob@example.org", password: "secret1", in: TestServer.app)
            #expect(await server.logInWithPassword("bob@example.org", "secret1").text("user_id") == user.id)
            #expect(await server.logInWithPassword("bob@example.org", "stranger").status == 401)
            let confirmation = await server.passwords(
                "confirm", ["token": .string(mail.token), "tokenId": .string(mail.tokenId)])
            #expect(confirmation.status == 400)
        }

        @Test func whatNoUserMayHaveIsRejected() async throws {
            let server = try await TestServer { configuration, _ in
                var closed = AppConfiguration(id: "closed")
                (closed.passwords, closed.allowsKeys) = (nil, false)
                configuration.apps.append(closed)
            }
            let (accounts, app) = (ServerAccounts(server.accounts), TestServer.app)
            _ = try await accounts.createUser(email: "ann@example.org", password: "secret1", in: app)
            func creation(_ email: String, _ password: String, _ app: String) async -> AccountError.Code? {
                await Self.error { _ = try await accounts.createUser(email: email, password: password, in: app) }
            }
            #expect(await creation("ANN@example.org", "secret1", app) == .nameInUse)
            #expect(await creation("bob@example.org", "short", app) == .invalid)
            #expect(await creation("bob example", "secret1", app) == .invalid)
            #expect(await creation("bob@example.org", "secret1", "other") == .unknownApp)
            #expect(await creation("bob@example.org", "secret1", "closed") == .invalid)
            #expect(await Self.error { _ = try await accounts.createKey(named: "a b", in: app) } == .invalid)
            #expect(await Self.error { _ = try await accounts.createKey(named: "a", in: "closed") } == .invalid)
            #expect(await Self.error { _ = try await accounts.users(of: app, after: "x") } == .invalid)
            #expect(await Self.error { _ = try await accounts.users(of: "other") } == .unknownApp)
            #expect(try await Self.pages(accounts, limit: 9).joined().count == 1)
        }

        /// Connections are closed because of the reported revocations.
        @Test func changesTakeEffectAtOnce() async throws {
            let server = try await TestServer()
            let (accounts, app) = (ServerAccounts(server.accounts), TestServer.app)
            let revoked = NIOLockedValueBox<[String]>([])
            server.accounts.observeRevocations { revocation in
                revoked.withLockedValue { $0.append("\(revocation.user) \(revocation.session ?? "all")") }
            }
            func isAccepted(_ user: TestServer.User) async -> Bool {
                (try? await server.accounts.verify(accessToken: user.access, app: app)) != nil
            }
            let ann = try await server.ann()
            #expect(await isAccepted(ann))
            try await accounts.disable(ann.id, in: app)
            #expect(await !isAccepted(ann))
            #expect(await server.logInWithPassword("ann@example.org", "secret1").code == "UserDisabled")
            try await accounts.enable(ann.id, in: app)
            let again = try TestServer.User(await server.logInWithPassword("ann@example.org", "secret1"))
            #expect(await isAccepted(again))
            try await accounts.revokeSessions(of: ann.id, in: app)
            #expect(await !isAccepted(again))
            try await accounts.setCustomData(#"{"team": "red"}"#, of: ann.id, in: app)
            #expect(try await accounts.users(of: app).users.map(\.hasCustomData) == [true])
            try await accounts.setCustomData(nil, of: ann.id, in: app)
            #expect(try await accounts.users(of: app).users.map(\.hasCustomData) == [false])
            try await accounts.delete(ann.id, in: app)
            #expect(await server.logInWithPassword("ann@example.org", "secret1").status == 401)
            #expect(revoked.withLockedValue { $0 } == Array(repeating: "\(ann.id) all", count: 3))
        }

        @Test(arguments: [
            AccountRequest.Action.disable, .enable, .revoke, .delete, .setCustomData,
        ]) func anUnknownUserIsAnError(_ action: AccountRequest.Action) async throws {
            let server = try await TestServer()
            let accounts = ServerAccounts(server.accounts)
            var request = AccountRequest(action, app: TestServer.app)
            #expect(await Self.error { _ = try await request.perform(on: accounts) } == .invalid)
            request.user = "nobody"
            #expect(await Self.error { _ = try await request.perform(on: accounts) } == .unknownUser)
            request.app = "other"
            #expect(await Self.error { _ = try await request.perform(on: accounts) } == .unknownApp)
        }

        @Test(arguments: [
            "[]", "null", "{", #"{"a": "#, "1", #"{"a": {"$oid": "x"}}"#,
            "{\"a\": \"\(String(repeating: "x", count: 4096))\"}",
        ])
        func customDataIsASmallObject(_ text: String) async throws {
            let server = try await TestServer()
            let (accounts, user) = (ServerAccounts(server.accounts), try await server.anonymous().id)
            let code = await Self.error { try await accounts.setCustomData(text, of: user, in: TestServer.app) }
            #expect(code == .invalid)
        }
    }
#endif
