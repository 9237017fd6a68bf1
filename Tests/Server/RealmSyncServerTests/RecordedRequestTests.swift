// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import Crypto
    import RealmAccounts
    import RealmStorage
    import RealmSyncCore
    import RealmTestSupport
    import ServerTestSupport
    import SyncTestSupport
    import TestTraits
    import Testing

    /// The requests of the original's client, sent to our server. The responses equal the recorded ones, except for
    /// tokens and idents.
    @Suite(.serialized, .timeLimited, .scope(TestCleanup.perform)) struct RecordedRequestTests {
        private struct Counts {
            var requests = 0
            var upgrades = 0
            /// The number of skipped requests, by the scripted behaviour of the recorded server.
            var left: [String: Int] = [:]
        }

        @Test func ourServerAnswersAsRecordedServersDid() async throws {
            let player = try await RequestPlayer()
            var counts = Counts()
            for name in try SyncFixtures.recordings() {
                for case .request(let request) in try RecordedRequests(name).events {
                    if let reason = Self.reason(request) {
                        counts.left[reason, default: 0] += 1
                    } else if request.isUpgrade {
                        try await compare(upgrade: request, name, player)
                        counts.upgrades += 1
                    } else {
                        try await compare(request, name, player)
                        counts.requests += 1
                    }
                }
            }
            try await player.server.stop()
            print("replay: our routes: \(counts)")
            #expect(counts.requests == 368)
            #expect(counts.upgrades == 122)
        }

        /// Returns the reason if the recorded server gave a response that our server needn't give.
        private static func reason(_ request: RecordedRequest) -> String? {
            switch request.status {
            case 300..<400: "told to redirect"
            case 403 where request.isUpgrade, 404 where request.isUpgrade: "told to refuse the upgrade"
            case 500...: "told to fail"
            case 400 where JSONText(request.answer)["error_code"] == nil: "told to answer with a text alone"
            case 200 where request.token?.isEmpty == true: "takes no token for a token"
            default: nil
            }
        }

        private func compare(_ request: RecordedRequest, _ name: String, _ player: RequestPlayer) async throws {
            let answer = try await player.send(request)
            let title = "\(name): \(request.method) \(request.target): \(answer.body)"
            let (recorded, ours) = (JSONText(request.answer), JSONText(answer.body))
            if recorded["error_code"] == "FunctionNotFound" {
                // The recorded server responds with 400. Our server treats a missing function like other missing
                // resources.
                #expect(answer.status == 404, "\(title)")
            } else {
                #expect(answer.status == request.status, "\(title)")
            }
            #expect(answer.headers["content-type"] == request.answerHeader("Content-Type"), "\(title)")
            #expect(ours["error_code"] == recorded["error_code"], "\(title)")
            #expect(ours.shape == recorded.shape, "\(title)")
            if request.target.hasSuffix("/profile") {
                // A key logs in its creator, here a user with an address.
                let providers = recorded.providers == ["api-key"] ? ["local-userpass"] : recorded.providers
                #expect(ours.providers == providers, "\(title)")
                #expect(ours["type"] == recorded["type"], "\(title)")
            }
        }

        private func compare(upgrade: RecordedRequest, _ name: String, _ player: RequestPlayer) async throws {
            let chosen: String?
            do { chosen = try await player.open(upgrade) } catch let error as WebSocketClient.Refused {
                #expect(error.status == upgrade.status, "\(name)")
                return
            }
            #expect(upgrade.status == 101, "\(name)")
            let recorded = try #require(upgrade.answerHeader("Sec-WebSocket-Protocol"))
            // The recorded server was scripted to choose another one.
            let isScripted = name.hasPrefix("pbs-protocol") || name == "upgrade-bad-protocol.jsonl"
            #expect(chosen == (isScripted ? "com.mongodb.realm-sync#14" : recorded), "\(name)")
        }
    }

    private struct JSONText {
        private let json: JSON?

        init(_ text: String) { json = try? JSON(parsing: text) }

        subscript(name: String) -> String? { json?[name]?.text }

        /// The shape without members that a server may omit: the page of its log, the route that follows from the host,
        /// and personal data.
        var shape: String {
            guard let members = json?.members else { return json?.shape ?? "" }
            let free: Set = ["link", "sync_route", "data"]
            return JSON.object(members.filter { !free.contains($0.name) }).shape
        }

        var providers: [String?] { json?["identities"]?.elements?.map { $0["provider_type"]?.text } ?? [] }
    }

    private final class RequestPlayer {
        let server: TestServer
        /// Our replacements for texts of the recording.
        private var ours: [String: String] = [:]
        private static let secret = Array("a secret of both sides, 32 bytes".utf8)

        init() async throws {
            var app = AppConfiguration(id: "judge")
            app.customTokens = .init(keys: [.secret(Self.secret)])
            app.hooks.authenticate = { _ in .init(id: "ann") }
            app.hooks.call = { call in
                if call.name == "missing" { throw FunctionNotFound() }
                return #"{"$numberLong":"42"}"#
            }
            var accounts = AccountsConfiguration(apps: [app])
            accounts.passwordCost.rounds = 2
            let limit = AccountsConfiguration.RateLimits.Limit(burst: 10_000, perMinute: 10_000)
            (accounts.limits.requests, accounts.limits.credentials) = (limit, limit)
            server = try await TestServer(accounts: accounts)
            ours["dummy-external-token"] = Self.token(#"{"sub":"ann","aud":"judge","exp":4102444800}"#)
            ours["dummy-key"] = try await makeKey()
        }

        private static func token(_ claims: String) -> String {
            let text = [#"{"alg":"HS256","typ":"JWT"}"#, claims].map { coded(Array($0.utf8)) }.joined(separator: ".")
            let code = HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: SymmetricKey(data: secret))
            return text + "." + coded(Array(code))
        }

        private static func coded(_ bytes: [UInt8]) -> String {
            Base64.text(bytes).filter { $0 != "=" }.replacing("+", with: "-").replacing("/", with: "_")
        }

        private func makeKey() async throws -> String {
            let base = "POST /api/client/v2.0"
            let credentials = #""password":"secret1"}"#
            let json = "Content-Type: application/json"
            let path = "\(base)/app/judge/auth/providers/local-userpass"
            _ = try await answer("\(path)/register HTTP/1.1\r\n\(json)", #"{"email":"key@example.org","# + credentials)
            let login = try await answer(
                "\(path)/login HTTP/1.1\r\n\(json)", #"{"username":"key@example.org","# + credentials)
            let token = try #require(try JSON(parsing: login.body)["refresh_token"]?.text)
            let key = try await answer(
                "\(base)/auth/api_keys HTTP/1.1\r\n\(json)\r\nAuthorization: Bearer \(token)", #"{"name":"key"}"#)
            return try #require(try JSON(parsing: key.body)["key"]?.text)
        }

        struct Answer {
            let status: Int
            let headers: [String: String]
            let body: String
        }

        func send(_ request: RecordedRequest) async throws -> Answer {
            var lines = ["\(request.method) \(translated(request.target, request)) HTTP/1.1"]
            lines += request.ownHeaders.map { "\($0.name): \(translated($0.value, request))" }
            let isMissing = JSONText(request.answer)["error_code"] == "FunctionNotFound"
            let body = translated(request.body, request)
                .replacing(#""name":"f""#, with: isMissing ? #""name":"missing""# : #""name":"f""#)
            let answer = try await answer(lines.joined(separator: "\r\n"), body)
            if request.status < 300 { note(request.answer, answer.body) }
            return answer
        }

        func open(_ request: RecordedRequest) async throws -> String? {
            let offers = request.headers.filter { $0.name == "Sec-WebSocket-Protocol" }
                .flatMap { $0.value.split(separator: ",") }.map { $0.trimmed }
            let socket = try await WebSocketClient.connect(
                port: server.port, uri: translated(request.target, request), offers: offers
            ) { _ in }
            socket.close()
            return socket.protocolName
        }

        /// A text of the client with our tokens. A token that the recorded server rejected is revoked first.
        private func translated(_ text: String, _ request: RecordedRequest) -> String {
            var text = text
            let end = request.status == 401 && !request.target.hasSuffix("/login") ? "x" : ""
            for (theirs, token) in ours { text = text.replacing(theirs, with: token + end) }
            return text
        }

        private func note(_ recorded: String, _ answer: String) {
            guard let recorded = try? JSON(parsing: recorded), let json = try? JSON(parsing: answer) else { return }
            for name in ["access_token", "refresh_token"] {
                if let theirs = recorded[name]?.text, let token = json[name]?.text { ours[theirs] = token }
            }
        }

        private func answer(_ line: String, _ body: String) async throws -> Answer {
            let text = try await PlainRequest.answer(server.port, line, body: body)
            let parts = text.split(separator: "\r\n\r\n", maxSplits: 1, omittingEmptySubsequences: false)
            let lines = parts[0].split(separator: "\r\n")
            var headers: [String: String] = [:]
            for line in lines.dropFirst() {
                let header = line.split(separator: ":", maxSplits: 1)
                headers[header[0].lowercased()] = header.last.map { $0.trimmed }
            }
            let status = lines.first?.split(separator: " ").dropFirst().first.flatMap { Int($0) }
            return Answer(
                status: try #require(status, "\(text)"), headers: headers, body: parts.count > 1 ? String(parts[1]) : ""
            )
        }
    }

    extension Substring {
        fileprivate var trimmed: String {
            String(drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
        }
    }
#endif
