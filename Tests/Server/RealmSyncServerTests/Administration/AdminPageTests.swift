// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import PageMessages
    import PageTestSupport
    import RealmAccounts
    import RealmSyncCore
    @testable import RealmSyncServer
    import RealmTestSupport
    import ServerTestSupport
    import SyncTestSupport
    import TestTraits
    import Testing

    /// The admin page in a real browser.
    @Suite(
        .serialized, .timeLimited, .scope(TestCleanup.perform),
        .enabled(if: Chromium.path != nil, "Chromium is absent: apt-get install chromium"))
    struct AdminPageTests {
        private static let browser = Result { try Chromium() }

        /// Shows the page of a server. No error may occur in the page.
        private static func show(_ body: (Tab, TestServer) async throws -> Void) async throws {
            var accounts = AccountsConfiguration(apps: [AppConfiguration(id: "chat")])
            accounts.passwordCost.rounds = 2
            let server = try await TestServer(accounts: accounts) { $0.adminPort = 0 }
            let tab = try await browser.get().open(try AdminAddress(in: server.folder.path).page)
            try await body(tab, server)
            let complaints = tab.events("Log.entryAdded").compactMap { $0["params"]?["entry"] }
                .filter { $0["level"] == .text("error") }.compactMap { $0["text"]?.text }
            #expect(complaints.isEmpty, "\(complaints)")
            #expect(tab.events("Runtime.exceptionThrown").isEmpty, "\(tab.events("Runtime.exceptionThrown"))")
            try await tab.close()
        }

        private static func cell(_ table: String, _ row: Int, _ column: Int) -> String {
            "document.querySelector('#\(table)').tBodies[0].rows[\(row)]?.cells[\(column)]?.textContent"
        }

        @Test func usersAreFoundDisabledAndEnabled() async throws {
            try await Self.show { tab, server in
                let accounts = server.server.accounts
                let ann = try await accounts.createUser(email: "ann@example.org", password: "secret1", in: "chat")
                for number in 0..<120 { _ = try await accounts.createKey(named: "program-\(number)", in: "chat") }
                try await tab.wait(for: "document.querySelector('#app').value === 'chat'")
                try await tab.click("#text")
                try await tab.type("program")
                try await tab.press("Enter")
                // The list of all users has 100 rows too.
                try await tab.wait(
                    for: "\(Self.cell("users", 99, 1)) === 'program-99' && !\(Self.cell("users", 100, 1))")
                try await tab.click("#more")
                try await tab.wait(for: "document.querySelector('#users').tBodies[0].rows.length === 120")
                try await tab.value("document.querySelector('#text').value = ''")
                try await tab.click("#text")
                try await tab.type("ANN@")
                try await tab.click("#search button")
                try await tab.wait(for: "\(Self.cell("users", 0, 0)) === '\(ann.id)' && !\(Self.cell("users", 1, 0))")
                try await tab.click("#users button", "Disable")
                try await tab.wait(for: "\(Self.cell("users", 0, 5)) === 'disabled'")
                #expect(try await accounts.users(of: "chat", matching: "ann@").users.map(\.isDisabled) == [true])
                try await tab.click("#users button", "Enable")
                try await tab.wait(for: "\(Self.cell("users", 0, 5)) === ''")
                #expect(try await accounts.users(of: "chat", matching: "ann@").users.map(\.isDisabled) == [false])
                try await tab.click("#users button", "Revoke log-ins")
                try await tab.wait(forText: "ann@example.org: Revoke log-ins is done.")
            }
        }

        @Test func sessionsAppearAndDisappear() async throws {
            try await Self.show { tab, server in
                let key = try await server.server.accounts.createKey(named: "writer", in: "chat")
                let answer = try await PlainRequest.answer(
                    server.port,
                    "POST /api/client/v2.0/app/chat/auth/providers/api-key/login HTTP/1.1\r\n"
                        + "Content-Type: application/json", body: #"{"key": "\#(key.key)"}"#)
                let token = try #require(
                    answer.split(separator: "\"").drop { $0 != "access_token" }.dropFirst(2).first.map(String.init))
                let client = try await MessageClient(
                    port: server.port, uri: "/api/client/v2.0/app/chat/realm-sync?baas_at=\(token)")
                // The text of a partition isn't markup.
                _ = try await client.begin("\"<b>p</b>\"")
                _ = try await client.download()
                try await tab.wait(for: "\(Self.cell("sessions", 0, 1)) === '\(key.user)'")
                try await tab.wait(for: "\(Self.cell("sessions", 0, 2)) === 'string:<b>p</b>'")
                try await tab.wait(for: "\(Self.cell("sessions", 0, 5)) === '0'")
                client.close()
                try await tab.wait(for: "!\(Self.cell("sessions", 0, 0)) && \(Self.cell("absent", 0, 0)) === 'chat'")
            }
        }

        @Test func subscriptionsAndTheirCostsAreShown() async throws {
            let server = try await TestServer {
                $0.flexibleApps = ["app"]
                $0.adminPort = 0
            }
            let folder = try TemporaryFolder()
            // The text of a query isn't markup.
            let query = "ANY tags == \"<b>x</b>\""
            let client = try await FlexibleClient.start(server, folder, "ann", subscribesTo: query)
            // One write: without the tag, the object would be outside the view.
            let tag = SimpleChanges.insert("<b>x</b>", at: 0, of: 0, in: 1)
            try await client.commit(Changeset(SimpleChanges.create(1).instructions + tag.instructions))
            try await client.waitForUpload()
            let tab = try await Self.browser.get().open(try AdminAddress(in: server.folder.path).page)
            try await tab.wait(for: "\(Self.cell("sessions", 0, 7))?.includes('<b>x</b>')")
            try await tab.wait(for: "\(Self.cell("sessions", 0, 2)) === 'flexible'")
            try await tab.wait(for: "\(Self.cell("queries", 0, 1)) === 'Note'")
            try await tab.wait(for: "\(Self.cell("queries", 0, 2))?.includes('<b>x</b>')")
            try await tab.wait(for: "\(Self.cell("queries", 0, 3)) === '1'")
            try await tab.wait(for: "Number(\(Self.cell("queries", 0, 5))) > 0")
            try await tab.wait(for: "\(Self.cell("apps", 0, 1)) === 'flexible'")
            client.stop()
            try await tab.wait(for: "\(Self.cell("absent", 0, 6))?.includes('<b>x</b>')")
            #expect(tab.events("Runtime.exceptionThrown").isEmpty, "\(tab.events("Runtime.exceptionThrown"))")
            try await tab.close()
        }

        /// The key of a stopped server is invalid, so the page shows that, and no older state as if it were current.
        @Test func aStoppedServerIsShown() async throws {
            var accounts = AccountsConfiguration(apps: [AppConfiguration(id: "chat")])
            accounts.passwordCost.rounds = 2
            let server = try await TestServer(accounts: accounts) { $0.adminPort = 0 }
            let tab = try await Self.browser.get().open(try AdminAddress(in: server.folder.path).page)
            try await tab.wait(for: "document.querySelector('#summary').textContent.includes('0 connections')")
            try await tab.wait(for: "document.querySelector('#offline').hidden")
            try await server.stop()
            try await tab.wait(for: "!document.querySelector('#offline').hidden")
            try await tab.close()
        }
    }
#endif
