// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmSyncCore
import RealmTestSupport
import SyncTestSupport
import Testing

@testable import RealmSwift

/// Replays recorded responses to our SDK. If an app takes the steps of the original's, it sends equal requests and
/// reports equal results.
@Suite struct RecordedRequestTests {
    @Test func ourSDKSendsTheRequestsOfTheOriginal() async throws {
        var counts = RecordedSteps.Counts()
        for name in try SyncFixtures.recordings() {
            let steps = try RecordedSteps(name)
            do { try await steps.run() } catch { Issue.record("\(name): \(error)") }
            for problem in steps.answers.problems { Issue.record("\(name): \(problem)") }
            counts.requests += steps.answers.count
            counts.steps += steps.counts.steps
            counts.upgrades += steps.counts.upgrades
            for (reason, count) in steps.counts.left { counts.left[reason, default: 0] += count }
        }
        print("replay: our SDK: \(counts)")
        #expect(counts.requests == 373)
        #expect(counts.upgrades == 100)
    }
}

private final class RecordedSteps {
    struct Counts {
        var requests = 0
        var steps = 0
        var upgrades = 0
        /// The number of steps that aren't replayed, by reason.
        var left: [String: Int] = [:]
    }

    let answers: RecordedAnswers
    private(set) var counts = Counts()
    private let events: [RecordedRequests.Event]
    private let app: App
    private let folder: TemporaryFolder
    private let sockets = TestSockets()
    private var users: [String: User] = [:]
    private var connection: SyncConnection?
    private let session = TestSession()
    /// The number of requests until now.
    private var asked = 0
    private var isOpen = false
    private var isRefreshing = false

    init(_ name: String) throws {
        let recorded = try RecordedRequests(name)
        // The SDK's anonymous credentials return the existing user.
        let isOther = { (step: JSON) in step["reuse"]?.bool == false }
        var events: [RecordedRequests.Event] = []
        for event in recorded.events {
            if case .step(let step, _) = event, isOther(step) {
                let count = events.reversed().prefix { if case .request = $0 { true } else { false } }.count
                events.removeLast(count)
                counts.left["a second anonymous user", default: 0] += count
                break
            }
            if case .request(let request) = event, request.token?.isEmpty == true {
                counts.left["a request of a user that is logged out, which the SDK does not send", default: 0] += 1
                continue
            }
            events.append(event)
        }
        self.events = events
        answers = RecordedAnswers(
            events.compactMap { if case .request(let request) = $0, !request.isUpgrade { request } else { nil } })
        folder = try TemporaryFolder()
        App.forgetInstance("judge")
        let configuration = AppConfiguration(baseURL: "http://127.0.0.1:9090", transport: answers)
        configuration.rootDirectory = URL(fileURLWithPath: folder.path)
        app = App(id: "judge", configuration: configuration)
    }

    func run() async throws {
        defer { App.forgetInstance("judge") }
        for event in events {
            switch event {
            case .request(let request) where request.isUpgrade: try await upgrade(request)
            case .request: asked += 1
            case .step(let step, let result): try await take(step, result)
            case .closed(let code) where isOpen: end(.closed(code: code), refreshes: [4001, 4003].contains(code))
            case .dropped where isOpen: end(.lost(reason: "dropped"), refreshes: false)
            case .closed, .dropped: break
            }
        }
        try await catchUp()
        if let connection { connection.queue.sync { connection.close(1) } }
    }

    // MARK: Steps

    private func take(_ step: JSON, _ result: JSON) async throws {
        let kinds: Set = ["login", "register", "function", "refresh", "logout"]
        guard kinds.contains(try step.string("do")) else { return try await catchUp() }
        counts.steps += 1
        connection?.queue.sync {}
        // A rejected refresh logs the user out after the request has its response.
        if result["error"] != nil, result["name"] == nil, let user = users[step["user"]?.text ?? ""] {
            #expect(await eventually { !user.isLoggedIn }, "\(step)")
        }
        do {
            let text = try await perform(step)
            #expect(result["error"] == nil, "\(step)")
            if let expected = result["result"]?.text ?? result["id"]?.text { #expect(text == expected, "\(step)") }
        } catch let error as AppError {
            compare(error, result, step)
        }
        #expect(answers.count == asked, "\(step)")
    }

    private func perform(_ step: JSON) async throws -> String? {
        let name = step["user"]?.text ?? ""
        switch try step.string("do") {
        case "login":
            let user = try await app.login(credentials: try credentials(step))
            users[name] = user
            return user.id
        case "register":
            try await app.emailPasswordAuth.registerUser(
                email: try step.string("username"), password: try step.string("password"))
        case "function":
            let user = try #require(users[name])
            let arguments = try JSON(parsing: try step.string("arguments")).elements ?? []
            let call = FunctionCallable(name: try step.string("name"), user: user)
            return try await call.call(try arguments.map { try AnyBSON(extendedJSON: $0.description) }).extendedJSON
        case "refresh": try await users[name]?.refreshCustomData()
        default: try await users[name]?.logOut()
        }
        return nil
    }

    private func credentials(_ step: JSON) throws -> Credentials {
        switch step["provider"]?.text {
        case "userpass": .emailPassword(email: try step.string("username"), password: try step.string("password"))
        case "apiKey": .userAPIKey(try step.string("key"))
        case "custom": .jwt(token: try step.string("token"))
        case "function": .function(payload: ["name": "ann", "n": 5])
        default: .anonymous
        }
    }

    private func compare(_ error: AppError, _ result: JSON, _ step: JSON) {
        guard let name = result["name"]?.text else {
            #expect(error.code == .invalidSession, "\(step)")
            return
        }
        if name == "HTTPError" {
            #expect(error.code == .httpRequestFailed, "\(step)")
        } else {
            #expect(error.code == AppError.Code(wireName: name), "\(step)")
            #expect(error.message == result["error"]?.text, "\(step)")
        }
    }

    // MARK: Connection

    private func upgrade(_ request: RecordedRequest) async throws {
        guard request.headers.contains(where: { $0.value.hasPrefix("com.mongodb.realm-sync#") }) else {
            counts.left["flexible synchronisation", default: 0] += 1
            return
        }
        // Some connections end without a message.
        if isOpen { end(.lost(reason: "no word"), refreshes: false) }
        if !isRefreshing { try await catchUp() }
        isRefreshing = false
        try connect()
        let ours = try #require(await sockets.next())
        #expect(answers.count == asked)
        counts.upgrades += 1
        #expect(ours.url == "ws://127.0.0.1:9090" + request.target)
        let offers = request.headers.first { $0.name == "Sec-WebSocket-Protocol" }?.value
        #expect(ours.protocols.joined(separator: ", ") == offers)
        let agent = ours.headers.first { $0.name == "User-Agent" }?.value
        #expect(ours.headers.count == 1 && agent?.hasPrefix("RealmSync/14.14.0 (") == true)
        if request.status == 101 {
            isOpen = true
            sockets.deliver(.opened(protocolName: request.answerHeader("Sec-WebSocket-Protocol")))
        } else {
            end(.refused(status: request.status), refreshes: [401, 308].contains(request.status))
        }
    }

    private func connect() throws {
        if let connection { return connection.queue.sync { connection.retry() } }
        let user = try #require(app.currentUser)
        let connection = SyncConnection(user, sockets)
        self.connection = connection
        let file = ScriptedClientFile(ClientFileState(file: nil, progress: ClientProgress(), newestVersion: 1))
        _ = connection.queue.sync { connection.open(file, path: "\"p1\"", session) }
    }

    private func end(_ end: WebSocketEnd, refreshes: Bool) {
        isRefreshing = refreshes
        isOpen = false
        sockets.deliver(.closed(end))
    }

    /// Sends the requests that a session would send on the server's instruction. No session exists here.
    private func catchUp() async throws {
        if isRefreshing {
            await answers.wait(until: asked)
            return
        }
        while answers.count < asked, let request = answers.next {
            if request.target.hasSuffix("/location") {
                try await app.client.renewLocation()
            } else {
                let user = try #require(app.allUsers.values.first { $0.refreshToken == request.token })
                try await user.renewAccessToken()
            }
        }
    }
}

/// Responds like the recorded server, and compares each request with the recorded one.
private final class RecordedAnswers: RLMNetworkTransport {
    private struct State {
        var count = 0
        var problems: [String] = []
        var waiting: (count: Int, continuation: CheckedContinuation<Void, Never>)?
    }

    private let requests: [RecordedRequest]
    private let state = Locked(State())

    init(_ requests: [RecordedRequest]) { self.requests = requests }

    var count: Int { state.withLock { $0.count } }
    var problems: [String] { state.withLock { $0.problems } }
    var next: RecordedRequest? { requests.dropFirst(count).first }

    func wait(until count: Int) async {
        await withCheckedContinuation { continuation in
            let isThere = state.withLock { state in
                if state.count < count { state.waiting = (count, continuation) }
                return state.count >= count
            }
            if isThere { continuation.resume() }
        }
    }

    func sendRequest(toServer request: RLMRequest, completion: @escaping RLMNetworkTransportCompletionBlock) {
        let (answer, waiting) = state.withLock { state -> (RLMResponse, CheckedContinuation<Void, Never>?) in
            guard state.count < requests.count else {
                state.problems.append("\(request.method.name) \(request.url) was not asked")
                return (.json(500, ""), nil)
            }
            let recorded = requests[state.count]
            state.count += 1
            state.problems += differences(request, recorded)
            let headers = Dictionary(recorded.answerHeaders.map { ($0.name, $0.value) }) { $1 }
            let answer = RLMResponse(body: recorded.answer, headers: headers, httpStatusCode: recorded.status)
            guard let waiting = state.waiting, waiting.count == state.count else { return (answer, nil) }
            state.waiting = nil
            return (answer, waiting.continuation)
        }
        DispatchQueue.global().async {
            completion(answer)
            waiting?.resume()
        }
    }

    private func differences(_ ours: RLMRequest, _ recorded: RecordedRequest) -> [String] {
        var differences: [String] = []
        if ours.method.name != recorded.method || ours.url != "http://127.0.0.1:9090" + recorded.target {
            differences.append("\(ours.method.name) \(ours.url) for \(recorded.method) \(recorded.target)")
        }
        let headers = Dictionary(recorded.ownHeaders.map { ($0.name, $0.value) }) { $1 }
        if ours.headers != headers { differences.append("\(recorded.target): \(ours.headers) for \(headers)") }
        if contents(ours.body) != contents(recorded.body) {
            differences.append("\(recorded.target): \(ours.body) for \(recorded.body)")
        }
        return differences
    }

    private func contents(_ body: String) -> [String: String] {
        var contents: [String: String] = [:]
        for member in (try? JSON(parsing: body))?.members ?? [] {
            contents[member.name] = member.name == "options" ? member.value.shape : member.value.description
        }
        return contents
    }
}
