// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmTestSupport
import Testing

@testable import RealmSwift

/// A server of apps without a network. It answers as in §1 of the protocol, and records every request.
final class TestAppServer: RLMNetworkTransport {
    struct Sent: Equatable, CustomStringConvertible {
        let line: String
        let token: String?
        let headers: [String: String]
        let body: String

        var description: String { "\(line) token=\(token ?? "none") \(body)" }
    }

    private struct State {
        var sent: [Sent] = []
        /// Responses that precede the default ones, by method and path.
        var scripted: [String: [RLMResponse]] = [:]
        var users = 0
        var provider = ""
        var tokens = 0
        var expired: Set<String> = []
        var delay: UInt32 = 0
    }

    static let address = "http://127.0.0.1:9090"
    private let state = Locked(State())

    var sent: [Sent] { state.withLock { $0.sent } }
    var lines: [String] { sent.map(\.line) }

    func forgetSent() { state.withLock { $0.sent = [] } }

    /// Answers the next request of this method and path, such as `POST app/ID/functions/call`, with `response`.
    func script(_ line: String, _ response: RLMResponse) {
        state.withLock { $0.scripted[line, default: []].append(response) }
    }

    func script(_ line: String, _ status: Int, _ body: String) { script(line, .json(status, body)) }

    func expire(_ token: String?) {
        if let token { state.withLock { _ = $0.expired.insert(token) } }
    }

    func slowDown(milliseconds: UInt32) { state.withLock { $0.delay = milliseconds } }

    func sendRequest(toServer request: RLMRequest, completion: @escaping RLMNetworkTransportCompletionBlock) {
        let path = request.url.replacingOccurrences(of: Self.address + "/api/client/v2.0/", with: "")
        let token = request.headers["Authorization"].map { String($0.dropFirst("Bearer ".count)) }
        let sent = Sent(
            line: request.method.name + " " + path, token: token, headers: request.headers, body: request.body)
        let (answer, delay) = state.withLock { state in
            state.sent.append(sent)
            if let scripted = state.scripted[sent.line]?.first {
                state.scripted[sent.line]?.removeFirst()
                return (scripted, state.delay)
            }
            return (Self.answer(sent, &state), state.delay)
        }
        DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(Int(delay))) { completion(answer) }
    }

    private static func answer(_ sent: Sent, _ state: inout State) -> RLMResponse {
        if let token = sent.token, state.expired.contains(token) {
            return .json(401, #"{"error":"invalid session","error_code":"InvalidSession"}"#)
        }
        let line = sent.line
        if line.hasSuffix("/location") {
            return .json(
                200,
                """
                {"deployment_model":"LOCAL","location":"IE","hostname":"\(address)","ws_hostname":"ws://127.0.0.1:9090"}
                """)
        }
        if line.hasSuffix("?link=true") {
            return .json(200, #"{"access_token":"\#(newToken("access", &state))"}"#)
        }
        if line.hasSuffix("/login") {
            state.users += 1
            state.provider = String(line.split(separator: "/").dropLast().last ?? "")
            let (access, refresh) = (newToken("access", &state), newToken("refresh", &state))
            return .json(
                200,
                """
                {"user_id":"user-\(state.users)","access_token":"\(access)","refresh_token":"\(refresh)",\
                "device_id":"000000000000000000000000"}
                """)
        }
        switch line {
        case "GET auth/profile":
            return .json(
                200,
                """
                {"user_id":"user-\(state.users)","type":"normal","domain_id":"d","identities":[{"id":"identity-\(state.users)",\
                "provider_type":"\(state.provider)"}],"data":{"name":"Ann","email":"ann@example.org"}}
                """)
        case "POST auth/session":
            return .json(200, #"{"access_token":"\#(newToken("access", &state))"}"#)
        default: return .json(200, "{}")
        }
    }

    private static func newToken(_ kind: String, _ state: inout State) -> String {
        state.tokens += 1
        return token(kind, number: state.tokens)
    }

    /// A token as servers create it, with a signature that no client checks.
    static func token(_ kind: String, number: Int, issuedAt: Int = 1_700_000_000) -> String {
        let claims = """
            {"exp":4102444800,"iat":\(issuedAt),"typ":"\(kind)","n":\(number),"user_data":{"color":"c\(number)"}}
            """
        let middle = Data(claims.utf8).base64EncodedString().filter { $0 != "=" }
        return "eyJhbGciOiJub25lIn0.\(middle).signature"
    }
}

extension RLMResponse {
    static func json(_ status: Int, _ body: String) -> RLMResponse {
        RLMResponse(body: body, headers: ["Content-Type": "application/json"], httpStatusCode: status)
    }
}

final class TestApp {
    let server = TestAppServer()
    let id: String
    private let root: TemporaryFolder
    var key: Data?

    init(_ id: String = "app-" + UUID().uuidString) throws {
        self.id = id
        root = try TemporaryFolder()
    }

    deinit { App.forgetInstance(id) }

    var app: App {
        let configuration = AppConfiguration(baseURL: TestAppServer.address, transport: server)
        configuration.rootDirectory = URL(fileURLWithPath: root.path)
        configuration.metadataEncryptionKey = key
        return App(id: id, configuration: configuration)
    }

    var folder: String { root.path + "/mongodb-realm/" + id }
    var metadataFile: String { folder + "/server-utility/metadata/sync_metadata.realm" }

    /// Simulates the end of the program and its next start.
    func restart() -> App {
        App.forgetInstance(id)
        return app
    }

    func login() async throws -> User {
        try await app.login(credentials: .emailPassword(email: "ann@example.org", password: "secret1"))
    }
}
