// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import RealmAccounts
    import RealmSyncCore
    import RealmTestSupport
    import ServerTestSupport
    import TestTraits
    import Testing

    /// The commands of `realm-server` as processes, with and without a running server.
    @Suite(.serialized, .timeLimited, .scope(TestCleanup.perform)) struct FolderAdministrationTests {
        private struct Output {
            let status: Int32
            let text: String
            let error: String

            var lines: [Substring] { text.split(separator: "\n") }
        }

        private static func run(_ arguments: [String], input: String = "") throws -> Output {
            let process = Process()
            process.executableURL = URL(fileURLWithPath: try #require(BuiltProgram.path("realm-server")))
            process.arguments = arguments
            let (stdin, stdout, stderr) = (Pipe(), Pipe(), Pipe())
            (process.standardInput, process.standardOutput, process.standardError) = (stdin, stdout, stderr)
            try process.run()
            stdin.fileHandleForWriting.write(Data(input.utf8))
            try stdin.fileHandleForWriting.close()
            let text = String(decoding: stdout.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            let error = String(decoding: stderr.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            return Output(status: process.terminationStatus, text: text, error: error)
        }

        private static func start(_ folder: TemporaryFolder?, adminPort: Int?) async throws -> TestServer {
            let accounts = AccountsConfiguration(apps: [AppConfiguration(id: "app")])
            return try await TestServer(folder, accounts: accounts) { $0.adminPort = adminPort }
        }

        private static func response(_ server: TestServer, _ password: String) async throws -> String {
            try await PlainRequest.answer(
                server.port,
                "POST /api/client/v2.0/app/app/auth/providers/local-userpass/login HTTP/1.1\r\n"
                    + "Content-Type: application/json",
                body: #"{"username": "ann@example.org", "password": "\#(password)"}"#)
        }

        /// Returns the status of a log-in.
        private static func logIn(_ server: TestServer, _ password: String) async throws -> Int {
            Int(try await response(server, password).split(separator: " ").dropFirst().first ?? "") ?? 0
        }

        private static func token(_ server: TestServer, _ password: String) async throws -> String {
            let response = try await response(server, password)
            let body = try #require(response.firstRange(of: "\r\n\r\n").map { response[$0.upperBound...] })
            return try #require(try JSON(parsing: String(body))["access_token"]?.text, "\(response)")
        }

        /// Runs the commands on all states of a user. Returns the id.
        private static func manage(_ data: String) async throws -> String {
            let place = ["--data", data] + (try database(of: data))
            func users(_ arguments: String..., input: String = "") async throws -> Output {
                try await offThread { try run(["users"] + arguments + place, input: input) }
            }
            let created = try await users("create", "ann@example.org", input: "secret-1\n")
            #expect(created.status == 0, "\(created.error)")
            let id = try #require(created.lines.first.map(String.init))
            let again = try await users("create", "ann@example.org", input: "secret-1\n")
            #expect(again.status != 0 && again.error.contains("another user has this e-mail address"))
            #expect(try await users("list").text == "\(id)  local-userpass  ann@example.org\n")
            #expect(try await users("disable", id).text == "\(id): disabled\n")
            #expect(try await users("list", "--search", "ANN").text.hasSuffix("  disabled\n"))
            #expect(try await users("list", "--search", "bob").text == "")
            #expect(try await users("enable", id).status == 0)
            #expect(try await users("revoke", id).text == "\(id): all log-ins are revoked\n")
            #expect(try await users("set-custom-data", id, #"{"team": 1}"#).status == 0)
            let listed = try JSON(parsing: try await users("list", "--json").text)
            #expect(listed["hasCustomData"] == true && listed["id"]?.text == id)
            let key = try JSON(parsing: try await users("make-key", "writer", "--json").text)
            let program = try #require(key["user"]?.text)
            #expect(try await users("list").lines.count == 2)
            #expect(try await users("delete", program).status == 0)
            let gone = try await users("delete", program)
            #expect(gone.status != 0 && gone.error.contains("has no user '\(program)'"))
            let other = try await users("list", "--app", "other")
            #expect(other.status != 0 && other.error.contains("app"), "\(other.error)")
            return id
        }

        /// The wait for a process would block a thread that the server in this process needs.
        private static func offThread<Result: Sendable>(
            _ body: @escaping @Sendable () throws -> Result
        ) async throws -> Result {
            try await withCheckedThrowingContinuation { continuation in
                Thread.detachNewThread { continuation.resume(with: Swift.Result { try body() }) }
            }
        }

        /// Returns the option with the database of a server, if the data isn't in its folder.
        private static func database(of data: String) throws -> [String] {
            if case .postgres(let url) = try TestDatabases.data(of: data) { ["--postgres", url] } else { [] }
        }

        @Test func usersAreManagedWithoutAServer() async throws {
            let first = try await Self.start(nil, adminPort: nil)
            try await first.stop()
            _ = try await Self.manage(first.folder.path)
            let second = try await Self.start(first.folder, adminPort: nil)
            #expect(try await Self.logIn(second, "secret-1") == 200)
        }

        #if PostgreSQL
            @Test(.enabled(if: PostgresCluster.isAvailable, "\(PostgresCluster.absence)"))
            func usersOfADatabaseAreManagedWithoutAServer() async throws {
                let database = try PostgresCluster.shared().makePreparedDatabase()
                let accounts = AccountsConfiguration(apps: [AppConfiguration(id: "app")])
                let nodes = [
                    try await TestServer(accounts: accounts) { ($0.postgres, $0.adminPort) = (database.url, 0) },
                    try await TestServer(accounts: accounts) { $0.postgres = database.url },
                ]
                let (first, second) = (nodes[0].folder.path, nodes[1].folder.path)
                let place = ["--postgres", database.url]
                func run(_ arguments: [String]) async throws -> Output {
                    try await Self.offThread { try Self.run(arguments, input: "secret-1\n") }
                }
                let created = try await run(["users", "create", "ann@example.org", "--data", first])
                let id = try #require(created.lines.first.map(String.init), "\(created.error)")
                let client = try await MessageClient(
                    port: nodes[1].port,
                    uri: "/api/client/v2.0/app/app/realm-sync?baas_at="
                        + (try await Self.token(nodes[1], "secret-1")))
                _ = try await client.begin("\"p\"")
                _ = try await client.download()
                client.close()
                // The first node has never used the partition of the second one.
                for place in [["--data", first], place] {
                    let apps = try await run(["apps"] + place)
                    #expect(apps.text.hasPrefix("app  partitions  partitions: 1  bytes: "), "\(apps)")
                    #expect(apps.text.hasSuffix("  users: 1\n") && !apps.text.contains("bytes: 0"), "\(apps)")
                }
                #expect(try await run(["users", "list"] + place).text == "\(id)  local-userpass  ann@example.org\n")
                let unrecorded = try await run(["users", "disable", id] + place)
                #expect(unrecorded.status != 0 && unrecorded.error.contains("audit.jsonl"), "\(unrecorded)")
                for node in nodes { try await node.stop() }
                let unnamed = try await run(["users", "list", "--data", second])
                #expect(
                    unnamed.status != 0 && unnamed.error.contains("name the database with --postgres"), "\(unnamed)")
                #expect(try await run(["users", "disable", id, "--data", second] + place).text == "\(id): disabled\n")
                #expect(try await run(["users", "enable", id, "--data", second] + place).status == 0)
                let (folder, embedded) = (try TemporaryFolder(), try TemporaryFolder())
                let moved = try await run(["move", "--data", folder.path, "--to-folder"] + place)
                #expect(moved.text == "1 partitions or apps and 1 accounts copied\n", "\(moved.error)")
                let users = try await run(["users", "list", "--data", folder.path])
                #expect(users.text == "\(id)  local-userpass  ann@example.org\n", "\(users)")
                let ignored = try await run(["users", "list", "--data", folder.path] + place)
                #expect(ignored.status != 0 && ignored.error.contains("isn't in PostgreSQL"), "\(ignored)")
                let unused = try await run(["apps", "--data", embedded.path])
                #expect(unused.status != 0 && unused.error.contains("isn't the data folder of a server"))
            }
        #endif

        @Test func usersAreManagedThroughARunningServer() async throws {
            let server = try await Self.start(nil, adminPort: 0)
            let id = try await Self.manage(server.folder.path)
            #expect(try await server.server.accounts.users(of: "app").users.map(\.id) == [id])
            #expect(try await Self.logIn(server, "secret-1") == 200)
        }

        @Test func sessionsAndAppsAreListed() async throws {
            let server = try await TestServer { $0.adminPort = 0 }
            let data = server.folder.path
            let client = try await MessageClient(port: server.port)
            let ident = try await client.begin("\"p\"")
            _ = try await client.download()
            let text = try await Self.offThread { try Self.run(["sessions", "--data", data]) }
            #expect(
                text.lines.first?.hasPrefix("app  ann  string:p  file: \(ident.ident)  version: ") == true, "\(text)")
            #expect(text.lines.last == "1 sessions, 0 absent files")
            let json = try await Self.offThread { try Self.run(["sessions", "--data", data, "--json"]) }
            #expect(try JSON(parsing: json.text)["sessionCount"]?.integer() == 1)
            let apps = try await Self.offThread { try Self.run(["apps", "--data", data]) }
            #expect(apps.text.hasPrefix("app  partitions  partitions: 1  bytes: "), "\(apps)")
            let page = try await Self.offThread { try Self.run(["page", "--data", data]) }
            let port = try #require(server.server.adminPort)
            #expect(page.text.hasPrefix("http://127.0.0.1:\(port)/?key="))
            client.close()
            try await server.stop()
            let stopped = try await Self.offThread { try Self.run(["sessions", "--data", data]) }
            #expect(stopped.status != 0 && stopped.error.contains("No server runs"))
            let place = try Self.database(of: data)
            let offline = try await Self.offThread { try Self.run(["apps", "--data", data, "--json"] + place) }
            #expect(try JSON(parsing: offline.text)["partitionCount"]?.integer() == 1)
        }

        @Test func aServerWithoutAnAdminPortIsNamed() async throws {
            let server = try await Self.start(nil, adminPort: nil)
            let data = server.folder.path
            let list = try await Self.offThread { try Self.run(["users", "list", "--data", data]) }
            #expect(list.status != 0 && list.error.contains("restart it with --admin-port"), "\(list)")
            try Data("{}".utf8).write(to: URL(fileURLWithPath: data + "/admin.json"))
            let page = try await Self.offThread { try Self.run(["page", "--data", data]) }
            #expect(page.status != 0 && page.error.contains("isn't the address of an admin port"), "\(page)")
        }

        @Test func aFolderOfSomethingElseIsUnchanged() async throws {
            let folder = try TemporaryFolder()
            let data = folder.path
            let list = try await Self.offThread { try Self.run(["users", "list", "--data", data]) }
            #expect(list.status != 0 && list.error.contains("isn't the data folder of a server"), "\(list)")
            #expect(try FileManager.default.contentsOfDirectory(atPath: data).isEmpty)
        }
    }
#endif
