// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Foundation
    import RealmAccounts
    #if PostgreSQL
        import RealmPostgres
    #endif
    import RealmSystem
    import RealmTestSupport
    import ServerTestSupport
    import TestTraits
    import Testing

    @testable import RealmSyncServer

    /// The settings of `realm-server serve`, its end, and the files for its operation.
    @Suite(.serialized, .timeLimited, .scope(TestCleanup.perform)) struct ServeSettingsTests: FolderSuite {
        let folder: TemporaryFolder

        init() throws { folder = try TemporaryFolder() }

        /// Runs a check of the settings with variables.
        private func check(
            _ arguments: [String] = [], _ variables: [String: String] = [:], file: String? = nil
        ) throws -> (status: Int32, text: String) {
            var variables = variables
            if let file { variables["REALM_SERVER_CONFIG"] = try folder.write(file, "config.json") }
            let program = try #require(BuiltProgram.path("realm-server"))
            let run = try FinishedProgram(
                "/usr/bin/env",
                variables.map { "\($0)=\($1)" } + [program, "serve", "--check", "--data", data] + arguments,
                errors: .included)
            return (run.status, run.output)
        }

        @Test func argumentsPrecedeVariablesAndThoseTheFile() throws {
            #expect(try check().text.contains("the settings are valid"))
            let wrong = #"{"port": 99999}"#
            let (status, text) = try check(file: wrong)
            #expect(status != 0 && text.contains("99999 isn't a port number"), "\(text)")
            #expect(try check([], ["REALM_SERVER_PORT": "1"], file: wrong).status == 0)
            #expect(try check([], ["REALM_SERVER_PORT": "99999"]).status != 0)
            #expect(try check(["--port", "1"], ["REALM_SERVER_PORT": "99999"], file: wrong).status == 0)
            #expect(try check(["--port=1"], file: wrong).status == 0)
            #expect(!Folder.holds(data), "a check makes no folder")
        }

        @Test func settingsHaveTheFormsOfTheirOptions() throws {
            let all = #"""
                {"admin-port": 0, "flexible": ["a", "b"], "client-expiry": "7", "log-level": "debug",
                 "request-limit": "5/10", "trusted-proxy": "10.0.0.0/8"}
                """#
            let apps = try folder.write(#"{"apps": [{"id": "a"}, {"id": "b"}]}"#, "two.json")
            #expect(try check(["--apps", apps], file: all).status == 0)
            #expect(
                try check(
                    ["--apps", apps], ["REALM_SERVER_FLEXIBLE": "a,b", "REALM_SERVER_TRUSTED_PROXY": "10.0.0.1"]
                ).status == 0)
            for (file, message) in [
                ("{", "isn't a JSON object"), ("[]", "isn't a JSON object"),
                (#"{"prot": 1}"#, "there's no setting 'prot'"),
                (#"{"port": true}"#, "'port' in the file"), (#"{"port": [1]}"#, "'port' in the file"),
                (#"{"flexible": [1, null]}"#, "or an array of them"), (#"{"check": "x"}"#, "no setting 'check'"),
                (#"{"log-level": "loud"}"#, "'log-level' in the file"),
                (#"{"rules": "/absent.json"}"#, "--rules: the file '/absent.json' doesn't exist"),
                (#"{"tls-key": "/key.pem"}"#, "TLS needs both"),
                (#"{"tls-key": "/key.pem", "tls-certificate": "/x.pem"}"#, "The certificate '/x.pem' can't be read"),
            ] {
                let (status, text) = try check(file: file)
                #expect(status != 0 && text.contains(message), "\(file): \(text)")
            }
            let wrong = try folder.write(#"{"apps": [{"id": "a", "provider": {}}]}"#, "apps.json")
            let unknown = try check(["--apps", wrong])
            #expect(unknown.status != 0 && unknown.text.contains("'\(wrong)'"), "\(unknown.text)")
            #expect(unknown.text.contains("no member 'provider', only "), "\(unknown.text)")
            let (status, text) = try check([], ["REALM_SERVER_PROT": "1"])
            #expect(status != 0 && text.contains("the variable REALM_SERVER_PROT: there's no setting"), "\(text)")
            let port = try check([], ["REALM_SERVER_PORT": "x"])
            #expect(port.status != 0 && port.text.contains("the variable REALM_SERVER_PORT: "), "\(port.text)")
        }

        @Test(arguments: ["client-expiry", "ingest-retention", "drain", "port", "admin-port"])
        func numbersOutsideTheirRangeAreErrors(_ name: String) throws {
            let variable = "REALM_SERVER_" + name.uppercased().replacing("-", with: "_")
            let isPort = name.contains("port")
            for number in [-1, isPort ? 65_536 : 100_000, 106_751_991_167_301, .max] {
                for run in [
                    try check(["--\(name)=\(number)"]), try check([], [variable: "\(number)"]),
                    try check(file: #"{"\#(name)": \#(number)}"#),
                ] {
                    #expect(run.status == 64 && run.text.contains("--\(name)"), "\(number): \(run.status) \(run.text)")
                }
            }
            #expect(try check(["--\(name)=36500"]).status == 0)
            for limit in ["request-limit", "log-in-limit", "account-limit"] {
                #expect(try check(["--\(limit)", "\(Int.max)/\(Int.max)"]).status == 0)
                #expect(try check(["--\(limit)", "\(Int.max)0/1"]).status == 64)
            }
        }

        @Test func optionsNameAppsOfTheServer() throws {
            let apps = try folder.write(#"{"apps": [{"id": "chat"}]}"#, "apps.json")
            let schema = try folder.write(#"{"classes": []}"#, "schema.json")
            for options in [["--flexible", "caht"], ["--schema", "caht=\(schema)"], ["--development", "caht"]] {
                let run = try check(["--apps", apps] + options)
                let error = "\(options[0]): the file '\(apps)' of --apps has no app 'caht', only 'chat'"
                #expect(run.status == 64 && run.text.contains(error), "\(run.text)")
                let other = try check(options)
                #expect(other.status == 64 && other.text.contains("only 'app'"), "\(other.text)")
            }
            let valid = ["--flexible", "chat", "--schema", "chat=\(schema)", "--development", "chat"]
            #expect(try check(["--apps", apps] + valid).status == 0)
        }

        @Test func authoritiesAreCheckedWithTheAppsThatNeedThem() throws {
            let apps = try folder.write(#"{"apps": [{"id": "a"}]}"#, "apps.json")
            let text = try folder.write("no certificate", "text.pem")
            for (arguments, message) in [
                (["--authorities", "/absent.pem"], "--authorities needs --apps"),
                (
                    ["--apps", apps, "--authorities", "/absent.pem"],
                    "--authorities: the file '/absent.pem' doesn't exist"
                ),
                (["--apps", apps, "--authorities", text], "--authorities: the file '\(text)' isn't a PEM file"),
            ] {
                let run = try check(arguments)
                #expect(run.status == 64 && run.text.contains(message), "\(run.status) \(run.text)")
            }
            let certificate = try folder.write(TestCertificate.authority, "authority.pem")
            #expect(try check(["--apps", apps, "--authorities", certificate]).status == 0)
        }

        @Test func variablesOfKubernetesAreErrorsWithTheirRemedy() throws {
            for (name, value) in [
                ("SERVICE_HOST", "10.96.0.7"), ("SERVICE_PORT", "9090"), ("SERVICE_PORT_HTTP", "9090"),
                ("PORT", "tcp://10.96.0.7:9090"), ("PORT_9090_TCP", "tcp://10.96.0.7:9090"),
                ("PORT_9090_TCP_PORT", "9090"),
            ] {
                let run = try check([], ["REALM_SERVER_\(name)": value])
                let names = run.text.contains("REALM_SERVER_\(name) ") && run.text.contains("enableServiceLinks: false")
                #expect(run.status == 64 && names, "\(run.text)")
            }
        }

        #if PostgreSQL
            @Test(.enabled(if: PostgresCluster.isAvailable, "\(PostgresCluster.absence)"))
            func theConnectionToPostgreSQLIsChecked() throws {
                let cluster = try PostgresCluster.shared()
                let database = try cluster.makeDatabase()
                let valid = try check([], ["REALM_SERVER_POSTGRES": database.url])
                #expect(valid.status == 0, "\(valid.text)")
                let tables = "SELECT to_regclass('regnum.schema_version') IS NULL"
                #expect(try PostgresConnection(try database.settings()).query(tables).rows[0].bool(0))
                let lax = try check(["--postgres", database.url + "&options=-c%20synchronous_commit%3Doff"])
                #expect(lax.status != 0 && lax.text.contains("synchronous_commit is off"), "\(lax.text)")
                for url in ["postgresql://u:geheim@", cluster.url("missing", isLocal: false), "geheim"] {
                    let (status, text) = try check(["--postgres", url])
                    #expect(status != 0 && text.contains("PostgreSQL"), "\(text)")
                    #expect(!text.contains("geheim"))
                }
            }
        #endif

        private var repository: String {
            URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
                .deletingLastPathComponent().deletingLastPathComponent().path
        }

        @Test func eachSettingIsDocumented() throws {
            let program = try #require(BuiltProgram.path("realm-server"))
            let help = try FinishedProgram(program, ["serve", "--help"]).output
            let options = help.matches(of: /\n  --([a-z-]+)/).map { String($0.1) }
            #expect(options.count > 15)
            let page = try String(contentsOfFile: repository + "/Documentation/Server.md", encoding: .utf8)
            for option in options where option != "version" {
                #expect(page.contains("`--\(option)"), "--\(option) isn't in Server.md")
            }
        }

        // MARK: Health

        @Test func aServerDrainsBeforeItStops() async throws {
            // On a busy machine a short time may end between two requests.
            for seconds in [1, 10, 100, 1000] {
                if try await answersOfTheDrain(of: seconds).contains("503 200") { return }
            }
            Issue.record("no server was seen while it drained")
        }

        /// Returns the statuses of `/ready` and `/health` of a server from the signal to its end.
        private func answersOfTheDrain(of seconds: Int) async throws -> Set<String> {
            let process = Process()
            // Not the folder of the attempt before, which has the address of a server that ended.
            let data = "\(data)-\(seconds)"
            process.executableURL = URL(fileURLWithPath: try #require(BuiltProgram.path("realm-server")))
            process.arguments = ["serve", "--data", data, "--port", "0", "--admin-port", "0", "--drain", "\(seconds)"]
            process.standardError = FileHandle.nullDevice
            try process.run()
            var address: AdminAddress?
            while process.isRunning, address == nil {
                address = try? AdminAddress(in: data)
                try await Task.sleep(for: .milliseconds(5))
            }
            let port = try #require(address?.port)
            func status(_ path: String) async -> String? {
                let answer = try? await PlainRequest.answer(port, "GET \(path) HTTP/1.1")
                return answer?.split(separator: " ").dropFirst().first.map(String.init)
            }
            let first = (await status("/ready"), await status("/health"))
            #expect(first == ("200", "200"))
            process.terminate()
            var answers: Set<String> = []
            while process.isRunning {
                if let ready = await status("/ready"), let health = await status("/health") {
                    answers.insert("\(ready) \(health)")
                }
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(process.terminationStatus == 0)
            return answers
        }

        @Test func loadBalancersReachTheHealthWithoutAKey() async throws {
            let server = try await TestServer()
            for path in ["/health", "/ready"] {
                #expect(
                    try await PlainRequest.answer(server.port, "GET \(path) HTTP/1.1", host: "a.example")
                        .hasSuffix("\r\n\r\nok\n"))
            }
        }

        // MARK: Audit

        @Test func operationsOnAccountsAreRecordedWithoutData() async throws {
            _ = try DataFolder.take(data)
            let configuration = AccountsConfiguration(apps: [AppConfiguration(id: "app")])
            let administration = try FolderAdministration(data: data, configuration)
            var create = AccountRequest(.create, app: "app")
            (create.email, create.password) = ("ann@example.org", "secret-1")
            let user = try #require(try await administration.perform(create).user)
            var disable = AccountRequest(.disable, app: "app")
            disable.user = user.id
            _ = try await administration.perform(disable)
            _ = try await administration.perform(AccountRequest(.list, app: "app"))
            disable.user = "nobody"
            await #expect(throws: AccountError.self) { _ = try await administration.perform(disable) }
            let text = try String(contentsOfFile: data + "/audit.jsonl", encoding: .utf8)
            let lines = try text.split(separator: "\n").map {
                try #require(try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: String])
            }
            #expect(lines.map { $0["action"] } == ["create", "create", "disable", "disable", "disable", "disable"])
            #expect(lines.map { $0["result"] } == ["begins", "done", "begins", "done", "begins", "failed"])
            #expect(lines[1]["user"] == user.id && lines[1]["app"] == "app" && lines[1]["by"] == "command")
            for secret in ["ann@", "secret"] { #expect(!text.contains(secret)) }
            // Without a record, an operation isn't performed.
            try FileManager.default.removeItem(atPath: data + "/audit.jsonl")
            try FileManager.default.createDirectory(atPath: data + "/audit.jsonl", withIntermediateDirectories: true)
            var enable = AccountRequest(.enable, app: "app")
            enable.user = user.id
            await #expect(throws: SystemError.self) { _ = try await administration.perform(enable) }
            let page = try #require(try await administration.perform(AccountRequest(.list, app: "app")).page)
            #expect(page.users.first?.isDisabled == true)
        }

        // MARK: Dashboard

        @Test func theDashboardShowsExactlyTheMetricsOfTheServer() throws {
            let metrics = PrometheusMetrics()
            _ = (ServerMetrics(metrics), PostgresMetrics(metrics))
            let names = Set(metrics.text.matches(of: /(?m)^(realm_server_[a-z_]+)/).map { String($0.1) })
            let path = repository + "/Operations/grafana/realm-server.json"
            let text = try String(contentsOfFile: path, encoding: .utf8)
            #expect(try JSONSerialization.jsonObject(with: Data(text.utf8)) is [String: Any])
            let shown = Set(text.matches(of: /realm_server_[a-z_]+/).map { String($0.0) })
            #expect(shown == names)
            #expect(names.count == 17)
            let page = try String(contentsOfFile: repository + "/Documentation/Operations.md", encoding: .utf8)
            for name in names {
                let metric = name.replacing(/_(sum|count)$/, with: "")
                #expect(page.contains("`\(metric)`"), "\(name) isn't in Operations.md")
            }
            for span in ServerSpan.allCases { #expect(page.contains("`\(span.rawValue)`")) }
        }
    }
#endif
