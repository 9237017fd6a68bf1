// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import HTTPServing
    import Logging
    @testable import RealmAccounts
    import RealmSyncCore
    import RealmSystem
    import RealmTestSupport
    import Testing

    /// Accounts in a separate folder, with a settable clock, cheap passwords, and high limits.
    final class TestServer: Sendable {
        let folder: TemporaryFolder
        let accounts: Accounts
        let time: TestTime
        let mails: Mails
        let lines: LogLines
        static let app = "judge"

        init(
            folder: TemporaryFolder? = nil, time: TestTime = TestTime(),
            _ configure: (inout AccountsConfiguration, inout AppConfiguration) -> Void = { _, _ in }
        ) async throws {
            let folder = try folder ?? TemporaryFolder()
            let (mails, lines) = (Mails(), LogLines())
            var app = AppConfiguration(id: TestServer.app)
            app.hooks.sendMail = { mails.add($0) }
            var configuration = AccountsConfiguration(apps: [])
            configuration.passwordCost.rounds = 2
            configuration.passwordCost.parallelism = 1
            configuration.limits.requests = .init(burst: 100_000, perMinute: 1)
            configuration.limits.credentials = .init(burst: 100_000, perMinute: 1)
            configuration.limits.account = .init(burst: 100_000, perMinute: 1)
            configure(&configuration, &app)
            configuration.apps.insert(app, at: 0)
            let log = Logger(label: "test") { _ in LineHandler(lines: lines) }
            accounts = try await Accounts(
                in: folder.path, configuration, clock: AccountClock { time.milliseconds }, log: log)
            (self.mails, self.lines) = (mails, lines)
            self.folder = folder
            self.time = time
        }

        // MARK: Requests

        struct Answer: Sendable {
            let status: Int
            let headers: [(name: String, value: String)]
            let body: String

            var json: JSON? { try? JSON(parsing: body) }
            var code: String? { json?["error_code"]?.text }
            func text(_ name: String) -> String? { json?[name]?.text }
            func header(_ name: String) -> String? { headers.last { $0.name == name }?.value }
        }

        @discardableResult
        func send(
            _ method: String, _ path: String, _ body: JSON? = nil, token: String? = nil, query: String = "",
            headers: [(name: String, value: String)] = [], peer: String = "10.0.0.1"
        ) async -> Answer {
            var headers = headers + [(name: "Accept", value: "application/json")]
            if !headers.contains(where: { $0.name == "Content-Type" }) {
                headers.append((name: "Content-Type", value: "application/json;charset=utf-8"))
            }
            if let token { headers.append((name: "Authorization", value: "Bearer \(token)")) }
            let request = HTTPRequest(
                method: method, path: "/api/client/v2.0" + path, query: query, headers: headers,
                body: body.map { Array($0.description.utf8) } ?? [], peer: peer)
            return await answer(to: request)
        }

        func answer(to request: HTTPRequest) async -> Answer {
            let response = await accounts.respond(to: request)
            return Answer(
                status: response.status, headers: response.headers, body: String(decoding: response.body, as: UTF8.self)
            )
        }

        /// The device's data in the form of clients.
        static let device: JSON = [
            "device": [
                "appId": "judge", "platform": "Linux", "platformVersion": "1.0", "sdk": "Judge", "sdkVersion": "1.0",
                "cpuArch": "x86_64", "deviceName": "device", "deviceVersion": "1", "frameworkName": "none",
                "frameworkVersion": "0", "coreVersion": "14.14.0", "bundleId": "bundle",
            ]
        ]

        // MARK: Users

        struct User: Sendable {
            let id: String
            let access: String
            let refresh: String
            let device: String

            init(_ answer: Answer) throws {
                id = try #require(answer.text("user_id"), "\(answer.status) \(answer.body)")
                access = try #require(answer.text("access_token"))
                refresh = try #require(answer.text("refresh_token"))
                device = try #require(answer.text("device_id"))
            }
        }

        @discardableResult
        func logIn(
            _ provider: String, _ members: [JSON.Member] = [], app: String = TestServer.app, query: String = "",
            token: String? = nil
        ) async -> Answer {
            let body = JSON.object(
                [.init("provider", .string(provider))] + members + [.init("options", TestServer.device)])
            return await send("POST", "/app/\(app)/auth/providers/\(provider)/login", body, token: token, query: query)
        }

        func logInWithPassword(_ address: String, _ password: String) async -> Answer {
            await logIn("local-userpass", [.init("username", .string(address)), .init("password", .string(password))])
        }

        func anonymous() async throws -> User { try User(await logIn("anon-user")) }

        @discardableResult
        func passwords(_ operation: String, _ body: JSON) async -> Answer {
            await send("POST", "/app/judge/auth/providers/local-userpass/\(operation)", body)
        }

        @discardableResult func register(_ address: String, _ password: String) async -> Answer {
            await passwords("register", ["email": .string(address), "password": .string(password)])
        }

        func ann() async throws -> User {
            try #require(await register("ann@example.org", "secret1").status == 201)
            return try User(await logInWithPassword("ann@example.org", "secret1"))
        }
    }

    /// The current time in a test. Guarded by its lock.
    final class TestTime: @unchecked Sendable {
        private let lock = Lock()
        private var now: Int64 = 1_700_000_000_000

        var milliseconds: Int64 { lock.locked { now } }
        var seconds: Int64 { milliseconds / 1000 }

        func pass(seconds: Int64) { lock.locked { now += seconds * 1000 } }
    }

    /// The mails sent. Guarded by its lock.
    final class Mails: @unchecked Sendable {
        private let lock = Lock()
        private var sent: [AppHooks.Mail] = []
        private var waiting: [CheckedContinuation<AppHooks.Mail, Never>] = []

        func add(_ mail: AppHooks.Mail) {
            let first: CheckedContinuation<AppHooks.Mail, Never>? = lock.locked {
                if waiting.isEmpty {
                    sent.append(mail)
                    return nil
                }
                return waiting.removeFirst()
            }
            first?.resume(returning: mail)
        }

        func next() async -> AppHooks.Mail {
            await withCheckedContinuation { continuation in
                let mail: AppHooks.Mail? = lock.locked {
                    if sent.isEmpty {
                        waiting.append(continuation)
                        return nil
                    }
                    return sent.removeFirst()
                }
                if let mail { continuation.resume(returning: mail) }
            }
        }
    }

    /// All log messages. Guarded by its lock.
    final class LogLines: @unchecked Sendable {
        private let lock = Lock()
        private var lines: [String] = []

        func add(_ line: String) { lock.locked { lines.append(line) } }

        var text: String { lock.locked { lines.joined(separator: "\n") } }
    }

    struct LineHandler: LogHandler {
        let lines: LogLines
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.trace

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            lines.add("\(event.level) \(event.message) \(event.metadata ?? [:])")
        }
    }
#endif
