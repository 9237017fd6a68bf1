// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import RealmAccounts
    import RealmSyncCore
    @testable import RealmSyncServer
    import RealmTestSupport
    import ServerTestSupport
    import SyncTestSupport
    import TestTraits
    import Testing

    /// The admin port and the status of a real server.
    @Suite(.serialized, .timeLimited, .scope(TestCleanup.perform)) struct AdministrationTests {
        private static let accounts: AccountsConfiguration = {
            var accounts = AccountsConfiguration(apps: [AppConfiguration(id: "chat")])
            accounts.passwordCost.rounds = 2
            return accounts
        }()

        /// Sends requests to the admin port of a server.
        private struct Port {
            let port: Int
            let key: String

            init(_ server: TestServer) throws {
                port = try #require(server.server.adminPort)
                key = try AdminAddress(in: server.folder.path).key
            }

            /// - Parameter headers: Instead of the key.
            func send(_ line: String, _ headers: [String]? = nil, host: String? = nil, body: String = "") async throws
                -> (status: Int, body: String)
            {
                let lines = ["\(line) HTTP/1.1"] + (headers ?? ["Authorization: Bearer \(key)"])
                let answer = try await PlainRequest.answer(
                    port, lines.joined(separator: "\r\n"), host: host ?? "127.0.0.1:\(port)", body: body)
                let parts = answer.components(separatedBy: "\r\n\r\n")
                let status = Int(answer.split(separator: " ").dropFirst().first ?? "") ?? 0
                return (status, parts.dropFirst().joined(separator: "\r\n\r\n"))
            }

            /// Returns the status at a time at which no store is busy, since a busy one has only its name.
            func status() async throws -> ServerStatus {
                while true {
                    let body = try await send("GET /status").body
                    let status = try AdminJSON.decoded(ServerStatus.self, Array(body.utf8))
                    if !status.partitions.contains(where: \.isBusy) { return status }
                    try await Task.sleep(for: .milliseconds(10))
                }
            }
        }

        /// Waits until the status fulfils a condition: the server processes messages while it is read.
        private static func status(
            _ server: TestServer, _ isExpected: (ServerStatus) -> Bool
        ) async throws -> ServerStatus {
            for _ in 0..<6000 {
                let status = try await server.status()
                if isExpected(status) { return status }
                try await Task.sleep(for: .milliseconds(10))
            }
            return try await server.status()
        }

        // MARK: Status

        @Test func theStatusHasTheLagOfEachClientFile() async throws {
            let server = try await TestServer { $0.adminPort = 0 }
            let port = server.port
            let writer = SyncClient(port: { port }, user: "bob", path: "\"p\"", seed: 1)
            try await writer.commit { _ in SimpleChanges.schema }
            try await writer.waitForUpload()
            let reader = try await MessageClient(port: port)
            let ident = try await reader.begin("\"p\"")
            try await reader.send(.test(session: 1, request: 1, #"{"command": "PAUSE_DOWNLOAD_BUILDER"}"#))
            while true { if case .test = try await reader.next() { break } }
            let before = try await server.status()
            #expect(before.sessions.map(\.lag?.versions) == [0, 0])
            for key in 0..<3 as Range<Int64> { try await writer.commit { _ in SimpleChanges.create(key) } }
            try await writer.waitForUpload()
            let status = try await Port(server).status()
            #expect(status.connectionCount == 2 && status.sessionCount == 2)
            let (slow, fast) = (status.sessions[0], status.sessions[1])
            #expect(slow.user == "ann" && slow.file == ident.ident && slow.app == "app")
            #expect(slow.partition == "string:p" && slow.lag?.versions == 3 && (slow.lag?.bytes ?? 0) > 0)
            #expect(fast.user == "bob" && fast.lag == ServerStatus.Lag(versions: 0, bytes: 0))
            let partition = try #require(status.partitions.first)
            #expect(status.partitions.count == 1 && partition.partition == "string:p" && !partition.isBusy)
            #expect(partition.fileCount == 2 && partition.version == fast.version && partition.logBytes > 0)
            #expect(status.absentFiles.isEmpty && status.absentFileCount == 0)
            server.server.tick()
            _ = try await Self.status(server) { _ in true }
            let metrics = try await Port(server).send("GET /metrics", []).body
            #expect(metrics.contains("realm_server_sessions 2\n"))
            #expect(metrics.contains("realm_server_largest_lag_versions 3\n"))
            reader.close()
            let after = try await Self.status(server) { $0.absentFileCount == 1 }
            #expect(after.absentFiles.map(\.file) == [ident.ident] && after.sessions.map(\.user) == ["bob"])
            #expect((after.absentFiles.first?.lag.versions ?? 0) >= 3)
        }

        @Test func theStatusHasTheSubscriptionsAndTheirCosts() async throws {
            let folder = try TemporaryFolder()
            let server = try await TestServer {
                $0.flexibleApps = ["app"]
                $0.adminPort = 0
                $0.documentAccess = { user in
                    var access = DocumentAccess(others: .all)
                    if user.user == "bob" { access["Note"].read = .matching("n < 9") }
                    return access
                }
            }
            let ann = try await FlexibleClient.start(server, folder, "ann", subscribesTo: "n != 3")
            let eve = try await FlexibleClient.start(server, folder, "eve", subscribesTo: "n != 3")
            let bob = try await FlexibleClient.start(server, folder, "bob", subscribesTo: "n != 3")
            for key in 0..<5 as Range<Int64> { try await ann.commit(SimpleChanges.create(key, n: key + 3)) }
            try await FlexibleClient.settle(ann, bob)
            let status = try await Port(server).status()
            #expect(status.sessions.count == 3 && status.sessions.allSatisfy { $0.partition == "flexible" })
            let texts = Dictionary(
                uniqueKeysWithValues: status.sessions.map { ($0.user, $0.subscriptions.map(\.query)) })
            #expect(texts["ann"] == ["n != 3"] && texts["bob"]?.count == 1)
            #expect(
                texts["bob"]?[0].contains("n < 9") == true && status.sessions[0].subscriptions[0].className == "Note")
            // Equal queries are one.
            #expect(status.queryCount == 2 && status.queries.count == 2)
            let shared = try #require(status.queries.first { $0.query == "n != 3" })
            #expect(shared.app == "app" && shared.className == "Note" && shared.viewCount == 2)
            #expect(shared.evaluationCount >= 5 && shared.objectCount >= 4)
            #expect(status.queries[0].objectCount >= status.queries[1].objectCount)
            // A change of the schema compiles the queries again, and retains their costs.
            let column = ColumnDefinition(ColumnReference("Note", "later"), .int, isNullable: true, .single)
            try await ann.commit(Changeset([.addColumn(column)]))
            try await FlexibleClient.settle(ann)
            let after = try await server.status()
            #expect((after.queries.first { $0.query == "n != 3" }?.evaluationCount ?? 0) >= shared.evaluationCount)
            eve.stop()
            let absent = try await Self.status(server) { $0.absentFileCount == 1 }
            #expect(absent.absentFiles.first?.subscriptions.map(\.query) == ["n != 3"])
            let apps = try AdminJSON.decoded(
                [AppStatus].self, Array(try await Port(server).send("GET /apps").body.utf8))
            #expect(apps.map(\.mode) == [.flexible] && apps.map(\.partitionCount) == [0] && apps[0].bytes > 0)
        }

        @Test func theStatusHasTheBacklogOfIngestedObjects() async throws {
            let folder = try TemporaryFolder()
            let server = try await TestServer {
                $0.flexibleApps = ["app"]
                $0.ingest = { _ in throw ServerFailure(description: "not now") }
            }
            let client = try await FlexibleClient.start(server, folder, "ann", subscribesTo: "TRUEPREDICATE")
            let key = PrimaryKeyColumn("_id", .int, isNullable: false)
            try await client.commit(Changeset([.addTable(TableDefinition("Reading", .asymmetric(key)))]))
            for number in 0..<3 as Range<Int64> {
                try await client.commit(Changeset([.createObject(ObjectReference("Reading", .int(number)))]))
            }
            try await client.waitForUpload()
            let status = try await Self.status(server) { $0.ingests.first?.backlog == 3 }
            #expect(
                status.ingests == [ServerStatus.Ingest(app: "app", partition: "flexible", newest: 3, backlog: 3)])
        }

        @Test func theLargestElementsAreListedInOrder() {
            var random = SeededGenerator(for: "theLargestElementsAreListedInOrder")
            for count in [0, 1, 9, 10, 11, 300] {
                let sizes = (0..<count).map { _ in random.next() % 50 }
                let listed = EngineReport.most(sizes, 10) { $0 }
                #expect(listed == Array(sizes.sorted(by: >).prefix(10)), "\(sizes)")
            }
        }

        /// The server's own log of the error doesn't quote the client.
        @Test func rejectionsAreAmongTheProblems() async throws {
            let server = try await TestServer { $0.permissions = { _ in .none } }
            let client = try await MessageClient(port: server.port)
            try await client.send(.bind(ClientMessage.Bind(session: 1, path: "\"secret\"", needsIdent: true)))
            guard case .jsonError(1, 206, _) = try await client.next() else {
                Issue.record("error 206 was expected")
                return
            }
            let status = try await Self.status(server) { $0.problemCount > 0 }
            let problem = try #require(status.problems.first { $0.text.hasPrefix("a client gets error") })
            #expect(problem.text == "a client gets error 206" && problem.details["user"] == "ann")
            #expect(problem.level == "warning")
            client.close()
        }

        @Test func aStoppedServerHasNoStatus() async throws {
            let server = try await TestServer()
            try await server.stop()
            await #expect(throws: ServerFailure.self) { _ = try await server.server.status() }
        }

        @Test func appsHaveTheSizesOfTheirData() async throws {
            let server = try await TestServer(accounts: Self.accounts) { $0.adminPort = 0 }
            let none = AppStatus(app: "chat", mode: .partitions, partitionCount: 0, bytes: 0, userCount: 0)
            #expect(try await server.server.apps() == [none])
            let key = try await server.server.accounts.createKey(named: "writer", in: "chat").key
            let token = try await Self.logIn(server, key)
            let client = try await MessageClient(
                port: server.port, uri: "/api/client/v2.0/app/chat/realm-sync?baas_at=\(token)")
            for (session, path) in [(1, "\"a\""), (2, "\"b\"")] {
                _ = try await client.begin(path, session: UInt64(session))
                _ = try await client.download()
            }
            let answer = try await Port(server).send("GET /apps").body
            let apps = try AdminJSON.decoded([AppStatus].self, Array(answer.utf8))
            #expect(apps.map(\.app) == ["chat"] && apps.map(\.partitionCount) == [2] && apps.map(\.userCount) == [1])
            #expect(apps[0].bytes > 0)
            #expect(try await !Port(server).send("GET /status").body.contains(token))
            client.close()
        }

        private static func logIn(_ server: TestServer, _ key: String) async throws -> String {
            let answer = try await PlainRequest.answer(
                server.port,
                "POST /api/client/v2.0/app/chat/auth/providers/api-key/login HTTP/1.1\r\n"
                    + "Content-Type: application/json", body: #"{"key": "\#(key)"}"#)
            let body = answer.components(separatedBy: "\r\n\r\n").dropFirst().joined()
            return try #require(try JSON(parsing: body)["access_token"]?.text, "\(answer)")
        }

        // MARK: Accounts

        @Test func aDisabledUserLosesTheConnection() async throws {
            let server = try await TestServer(accounts: Self.accounts) { $0.adminPort = 0 }
            let port = try Port(server)
            let made = try await port.send("POST /accounts", body: #"{"action":"make-key","app":"chat","name":"k"}"#)
            let response = try AdminJSON.decoded(AccountResponse.self, Array(made.body.utf8))
            let key = try #require(response.key)
            let uri = "/api/client/v2.0/app/chat/realm-sync?baas_at=\(try await Self.logIn(server, key.key))"
            let client = try await MessageClient(port: server.port, uri: uri)
            _ = try await client.begin("\"p\"")
            _ = try await client.download()
            let body = #"{"action":"disable","app":"chat","user":"\#(key.user)"}"#
            #expect(try await port.send("POST /accounts", body: body).status == 200)
            while true {
                guard case .closed(let code) = await client.nextEvent() else { continue }
                #expect(code == 4001)
                break
            }
            let list = try await port.send("POST /accounts", body: #"{"action":"list","app":"chat"}"#).body
            #expect(list.contains("\"isDisabled\":true") && !list.contains(key.key))
        }

        @Test(arguments: [
            ("", 400), ("{", 400), ("[]", 400), ("null", 400), (#"{"action":"list"}"#, 400),
            (#"{"action":"explode","app":"chat"}"#, 400), (#"{"action":"list","app":"other"}"#, 404),
            (#"{"action":"delete","app":"chat","user":"nobody"}"#, 404), (#"{"action":"delete","app":"chat"}"#, 400),
            (#"{"action":"create","app":"chat","email":"a b","password":"secret1"}"#, 400),
            (#"{"action":"list","app":"chat","limit":1e99}"#, 400),
            (#"{"action":"list","app":"chat","limit":-9223372036854775808}"#, 200),
            (#"{"action":"list","app":"chat","after":"99999999999999999999"}"#, 400),
            (String(repeating: "[", count: 60_000), 400), (String(repeating: "x", count: 70_000), 413),
        ]) func malformedOperationsAreErrors(_ body: String, _ status: Int) async throws {
            let server = try await TestServer(accounts: Self.accounts) { $0.adminPort = 0 }
            let answer = try await Port(server).send("POST /accounts", body: body)
            // The server may close the connection before it has read a long body, which can discard the response.
            #expect(answer.status == status || status == 413 && answer.status == 0, "\(answer)")
        }

        // MARK: Access

        @Test func nothingIsServedWithoutTheKey() async throws {
            let server = try await TestServer(accounts: Self.accounts) { $0.adminPort = 0 }
            let port = try Port(server)
            let wrong = String(port.key.reversed())
            for line in ["GET /", "GET /status", "GET /apps", "GET /admin.js", "POST /accounts", "GET /?key=\(wrong)"] {
                for headers in [[], ["Authorization: Bearer \(wrong)"], ["Authorization: \(port.key)"]] {
                    let answer = try await port.send(line, headers, body: "{}")
                    #expect(answer.status == 403, "\(line) \(headers)")
                }
            }
            #expect(try await port.send("GET /health", []) == (200, "ok\n"))
            #expect(try await port.send("PUT /accounts").status == 405)
            #expect(try await port.send("GET /accounts").status == 404)
        }

        /// A page of another origin may send a form to the port, with the browser's cookie.
        @Test func pagesOfOtherOriginsChangeNothing() async throws {
            let server = try await TestServer(accounts: Self.accounts) { $0.adminPort = 0 }
            let port = try Port(server)
            let cookie = "Cookie: regnum-\(port.port)=\(port.key)"
            let body = #"{"action":"make-key","app":"chat","name":"k"}"#
            func post(_ headers: String..., host: String? = nil) async throws -> Int {
                try await port.send("POST /accounts", headers, host: host, body: body).status
            }
            for origin in [
                "http://evil.example", "null", "http://127.0.0.1", "http://localhost:\(port.port)",
                "https://127.0.0.1:\(port.port)", "http://127.0.0.1:\(port.port).evil.example",
            ] {
                #expect(try await post(cookie, "Origin: \(origin)") == 403, "\(origin)")
                #expect(try await post("Authorization: Bearer \(port.key)", "Origin: \(origin)") == 403, "\(origin)")
            }
            #expect(try await post(cookie) == 403)
            let own = "Origin: http://127.0.0.1:\(port.port)"
            #expect(try await post(cookie, own, own) == 403)
            let foreign = "evil.example:\(port.port)"
            #expect(try await post(cookie, "Origin: http://\(foreign)", host: foreign) == 403)
            #expect(try await server.server.accounts.users(of: "chat").users.isEmpty)
            #expect(try await post(cookie, own) == 200)
            #expect(try await server.server.accounts.users(of: "chat").users.count == 1)
        }

        @Test func theKeyIsInAFileOfTheOwner() async throws {
            let server = try await TestServer { $0.adminPort = 0 }
            let path = server.folder.path + "/admin.json"
            let attributes = try FileManager.default.attributesOfItem(atPath: path)
            #expect((attributes[.posixPermissions] as? NSNumber)?.intValue == 0o600)
            let key = try Port(server).key
            #expect(!server.log.text.contains(key))
            try await server.stop()
            let second = try await TestServer(server.folder) { $0.adminPort = 0 }
            #expect(try Port(second).key != key)
            try await second.stop()
            _ = try await TestServer(server.folder)
            #expect(!FileManager.default.fileExists(atPath: path))
        }
    }
#endif
