// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import HTTPServing
import LoopbackServer
import PageTestSupport
import Testing

/// An echo server: `/` responds with hello, and a socket echoes messages.
private struct Echo {
    let server: LoopbackServer
    var key: String { server.key?.text ?? "" }
    var cookie: String { "regnum-\(server.port)=\(key)" }

    static func start(_ change: (inout LoopbackServer.Options) -> Void = { _ in }) async throws -> Echo {
        var options = LoopbackServer.Options()
        options.port = 0
        change(&options)
        let server = try await LoopbackServer.start(
            options,
            respond: { request in
                request.path == "/" ? HTTPResponse(type: "text/plain", Array("hello".utf8)) : nil
            },
            connect: { socket in
                { event in
                    guard case .message(let text) = event else { return }
                    if text == "end" { socket.close() } else { socket.send(text) }
                }
            })
        return Echo(server: server)
    }

    func client(_ body: @escaping @Sendable (RawClient, Echo) throws -> Void) async throws {
        try await outside { try body(RawClient(port: server.port), self) }
    }

    func socket(_ body: @escaping @Sendable (RawClient) throws -> Void) async throws {
        try await client { client, echo in
            let answer = try client.upgrade(["Cookie": echo.cookie])
            #expect(answer.status == 101)
            try body(client)
        }
    }
}

/// The accepted and rejected requests of a page server.
@Suite struct GateTests {
    @Test func aServerThatFindsNoFreePortNamesThePorts() async throws {
        let echo = try await Echo.start()
        let port = echo.server.port
        let error = await #expect(throws: ServerError.self) {
            try await Echo.start { ($0.port, $0.ports) = (nil, port...port) }
        }
        #expect(error?.description == "All ports from \(port) to \(port) are in use. Choose another one.")
        await echo.server.stop()
    }

    @Test func theKeyMovesIntoACookie() async throws {
        let echo = try await Echo.start()
        try await echo.client { client, echo in
            let answer = try client.request("/?key=\(echo.key)")
            #expect(answer.status == 303)
            #expect(answer.headers["location"] == "/")
            #expect(answer.headers["set-cookie"] == "\(echo.cookie); HttpOnly; SameSite=Strict; Path=/")
            #expect(try client.request("/", ["Cookie": "a=b; \(echo.cookie)"]).text == "hello")
            let other = try client.request("/other", ["Cookie": echo.cookie])
            #expect(other.status == 404)
        }
        await echo.server.stop()
    }

    @Test(arguments: ["/", "/?key=", "/?key=0123456789abcdef0123456789abcdef", "/other", "/socket", "/?key=%zz"])
    func withoutTheKeyNothingIsServed(_ path: String) async throws {
        let echo = try await Echo.start()
        try await echo.client { client, _ in
            let status = try client.request(path).status
            #expect(status == 403)
        }
        try await echo.client { client, echo in
            let wrong = String(echo.key.dropLast()) + (echo.key.last == "0" ? "1" : "0")
            let cookie = "regnum-\(echo.server.port)=\(wrong)"
            let answer = try client.request("/", ["Cookie": cookie])
            #expect(answer.status == 403)
        }
        await echo.server.stop()
    }

    @Test func anotherNameIsRefused() async throws {
        let echo = try await Echo.start()
        let port = echo.server.port
        for host in [
            "example.com", "example.com:\(port)", "127.0.0.1", "127.0.0.1:1", "", "127.0.0.1:\(port).example.com",
        ] {
            try await echo.client { client, echo in
                let answer = try client.request("/", ["Host": host, "Cookie": echo.cookie])
                #expect(answer.status == 403, "\(host)")
            }
        }
        for host in ["127.0.0.1:\(port)", "localhost:\(port)", "LocalHost:\(port)", "[::1]:\(port)"] {
            try await echo.client { client, echo in
                let answer = try client.request("/", ["Host": host, "Cookie": echo.cookie])
                #expect(answer.status == 200, "\(host)")
            }
        }
        try await echo.client { client, echo in
            let answer = try client.request("/", ["Host": nil, "Cookie": echo.cookie])
            #expect(answer.status == 403)
        }
        await echo.server.stop()
    }

    @Test func openPathsNeedTheNameOfThisMachineAndNoKey() async throws {
        let echo = try await Echo.start { $0.openPaths = ["/"] }
        for (host, status) in [("localhost", 200), ("127.0.0.1:1", 200), ("evil.example", 403), ("", 403)] {
            try await echo.client { client, _ in
                let answer = try client.request("/", ["Host": host])
                #expect(answer.status == status, "\(host)")
            }
        }
        try await echo.client { client, _ in
            let answer = try client.request("/other")
            #expect(answer.status == 403)
        }
        await echo.server.stop()
    }

    @Test func postsComeFromOurPageOrFromAProgramWithTheKey() async throws {
        let echo = try await Echo.start { $0.longestBody = 10 }
        let own = "http://127.0.0.1:\(echo.server.port)"
        let cases: [([String: String?], Int)] = [
            (["Cookie": echo.cookie, "Origin": own], 200), (["Authorization": "Bearer \(echo.key)"], 200),
            (["Origin": own], 403), (["Cookie": echo.cookie], 403), ([:], 403),
            (["Cookie": echo.cookie, "Origin": "http://evil.example"], 403),
            (["Cookie": echo.cookie, "Origin": "null"], 403), (["Authorization": "Bearer x"], 403),
            (["Authorization": "Bearer \(echo.key)", "Origin": "http://evil.example"], 403),
        ]
        for (headers, status) in cases {
            try await echo.client { client, _ in
                let answer = try client.request("/", method: "POST", headers)
                #expect(answer.status == status, "\(headers)")
            }
        }
        try await echo.client { client, echo in
            let answer = try client.request("/", method: "PUT", ["Authorization": "Bearer \(echo.key)"])
            #expect(answer.status == 405)
        }
        await echo.server.stop()
    }

    @Test func aServerForAllAddressesHasAddressesForNames() async throws {
        let echo = try await Echo.start { $0.host = "0.0.0.0" }
        let port = echo.server.port
        #expect(echo.server.address.hasPrefix("http://localhost:\(port)/"))
        for (host, status) in [("10.1.2.3:\(port)", 200), ("[fe80::1]:\(port)", 200), ("evil.example:\(port)", 403)] {
            try await echo.client { client, echo in
                let answer = try client.request("/", ["Host": host, "Cookie": echo.cookie])
                #expect(answer.status == status, "\(host)")
            }
        }
        await echo.server.stop()
    }

    @Test func onlyOurPageOpensASocket() async throws {
        let echo = try await Echo.start()
        let port = echo.server.port
        for origin in [
            "http://example.com", "http://127.0.0.1:1", "https://127.0.0.1:\(port)", "null",
            "http://127.0.0.1:\(port).example.com", "http://localhost:\(port)",
        ] {
            try await echo.client { client, echo in
                let answer = try client.upgrade(["Cookie": echo.cookie, "Origin": origin])
                #expect(answer.status != 101, "\(origin)")
            }
        }
        try await echo.client { client, echo in
            let answer = try client.upgrade(["Cookie": echo.cookie, "Origin": nil])
            #expect(answer.status != 101)
        }
        try await echo.client { client, echo in
            let answer = try client.upgrade(["Cookie": echo.cookie], path: "/other")
            #expect(answer.status != 101)
        }
        try await echo.client { client, _ in
            let answer = try client.upgrade()
            #expect(answer.status == 403)
        }
        try await echo.client { client, echo in
            let answer = try client.upgrade(["Cookie": echo.cookie])
            #expect(answer.status == 101)
        }
        await echo.server.stop()
    }

    @Test(arguments: ["POST", "PUT", "HEAD", "OPTIONS", "DELETE"])
    func onlyGETIsAllowed(_ method: String) async throws {
        let echo = try await Echo.start()
        try await echo.client { client, echo in
            client.send(
                Array(
                    "\(method) / HTTP/1.1\r\nHost: 127.0.0.1:\(echo.server.port)\r\nCookie: \(echo.cookie)\r\n\r\n".utf8
                ))
            // A response to HEAD never has a body, even if its head declares one.
            if method == "HEAD" {
                #expect(client.isEnded())
            } else {
                let received = try client.answer().status
                #expect(received == 405)
            }
        }
        await echo.server.stop()
    }

    @Test func everyResponseRestrictsThePage() async throws {
        let echo = try await Echo.start { $0.imageSources = ["https://pictures.example"] }
        try await echo.client { client, echo in
            for cookie in [echo.cookie, ""] {
                let answer = try client.request("/", ["Cookie": cookie])
                let policy = answer.headers["content-security-policy"] ?? ""
                #expect(
                    policy.hasPrefix("default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: "))
                #expect(policy.contains("https://pictures.example;"))
                #expect(policy.hasSuffix("base-uri 'none'; form-action 'none'; frame-ancestors 'none'"))
                #expect(answer.headers["x-content-type-options"] == "nosniff")
                #expect(answer.headers["referrer-policy"] == "no-referrer")
                #expect(answer.headers["cross-origin-opener-policy"] == "same-origin")
                #expect(answer.headers["cache-control"] == "no-store")
                #expect(answer.headers["access-control-allow-origin"] == nil)
                if cookie.isEmpty { break }
            }
        }
        await echo.server.stop()
    }

    /// A program's arguments name a file that only this user can read. The key in it is valid once.
    @Test func aTicketLetsOneBrowserIn() async throws {
        let echo = try await Echo.start()
        let path = try echo.server.ticket.issue(for: echo.server)
        let attributes = try FileManager.default.attributesOfItem(atPath: path)
        #expect(attributes[.posixPermissions] as? Int == 0o600)
        let page = try String(contentsOfFile: path, encoding: .utf8)
        #expect(!page.contains(echo.key) && !path.contains(echo.key))
        let start = try #require(page.range(of: "?key="))
        let key = String(page[start.upperBound...].prefix { $0.isHexDigit })
        #expect(page.contains("url=http://127.0.0.1:\(echo.server.port)/?key=\(key)\""))
        try await echo.client { client, echo in
            let socket = try client.request("/socket?key=\(key)").status
            #expect(socket == 403)
        }
        try await echo.client { client, echo in
            let answer = try client.request("/?key=\(key)")
            #expect(answer.status == 200 && answer.headers["refresh"] == "0; url=/")
            #expect(answer.headers["set-cookie"] == "\(echo.cookie); HttpOnly; SameSite=Strict; Path=/")
            #expect(try client.request("/", ["Cookie": echo.cookie]).text == "hello")
        }
        #expect(!FileManager.default.fileExists(atPath: path))
        try await echo.client { client, _ in
            let again = try client.request("/?key=\(key)").status
            #expect(again == 403)
        }
        // The printed key stays valid, for other tabs.
        try await echo.client { client, echo in
            let entered = try client.request("/?key=\(echo.key)").status
            #expect(entered == 303)
        }
        let second = try echo.server.ticket.issue(for: echo.server)
        await echo.server.stop()
        #expect(!FileManager.default.fileExists(atPath: second))
    }

    @Test func keysAreComparedWhole() {
        let key = ServerKey()
        #expect(key.text.count == 32)
        #expect(key.matches(key.text))
        for wrong in ["", "0", key.text + "0", String(key.text.dropLast()), String(key.text.reversed()) + "x"] {
            #expect(!key.matches(wrong))
        }
        #expect(ServerKey().text != key.text)
    }

    @Test func thePortIsTheNextFreeOne() async throws {
        let first = try await Echo.start { $0.port = nil }
        let second = try await Echo.start { $0.port = nil }
        #expect(first.server.port != second.server.port)
        #expect((8080..<8180).contains(second.server.port))
        await #expect(throws: (any Error).self) { try await Echo.start { $0.port = first.server.port } }
        await first.server.stop()
        await second.server.stop()
    }
}

/// The messages and connections of pages.
@Suite struct SocketTests {
    @Test func onlyTextsAreMessages() async throws {
        let echo = try await Echo.start()
        for (code, operation, data) in [(1002, UInt8(2), [UInt8(120)]), (1007, 1, [0xC3, 0x28])] {
            try await echo.socket { client in
                client.frame(operation, data)
                #expect(client.closing() == code)
            }
        }
        try await echo.socket { client in
            client.sendText("Grüße")
            let received = try client.receiveText()
            #expect(received == "Grüße")
            client.sendText("end")
            #expect(client.closing() == 1000)
        }
        await echo.server.stop()
    }

    @Test func silentAndUnreadingPagesAreDisconnected() async throws {
        let echo = try await Echo.start {
            $0.patience = 3
            $0.longestBacklog = 1 << 20
        }
        try await echo.client { client, _ in #expect(client.isEnded()) }
        try await echo.socket { client in
            let asked = try client.nextFrame().operation
            #expect(asked == 9)
            #expect(client.isEnded())
        }
        try await echo.socket { client in
            var isOpen = true
            let text = String(repeating: "x", count: 50_000)
            for _ in 0..<10_000 where isOpen { isOpen = client.sendText(text) }
            #expect(!isOpen)
        }
        await echo.server.stop()
    }

    @Test func messagesAboveTheRateAreDelayed() async throws {
        let echo = try await Echo.start { $0.messagesPerSecond = 20 }
        try await echo.socket { client in
            let start = ContinuousClock.now
            for number in 0..<50 { client.sendText("\(number)") }
            for number in 0..<50 {
                let received = try client.receiveText()
                #expect(received == "\(number)")
            }
            #expect(ContinuousClock.now - start > .seconds(1))
        }
        await echo.server.stop()
    }

    /// Connections without the key displace only each other.
    @Test func halfRequestsWithoutTheKeyDoNotKeepTheOwnerOut() async throws {
        let echo = try await Echo.start {
            $0.connectionCount = 40
            $0.strangerCount = 10
            $0.patience = 600
        }
        let port = echo.server.port
        try await outside { [cookie = echo.cookie] in
            let page = try RawClient(port: port)
            let socket = try page.upgrade(["Cookie": cookie])
            #expect(socket.status == 101)
            let kept = try RawClient(port: port)
            let first = try kept.request("/", ["Cookie": cookie])
            #expect(first.status == 200)
            let strangers = try (0..<100).map { _ in
                let client = try RawClient(port: port)
                client.send(Array("GET / HTTP/1.1\r\nHost: x\r\nX: ".utf8))
                return client
            }
            for _ in 0..<20 {
                let answer = try RawClient(port: port).request("/", ["Cookie": cookie])
                #expect(answer.status == 200)
            }
            page.sendText("still here")
            let received = try page.receiveText()
            #expect(received == "still here")
            let again = try kept.request("/", ["Cookie": cookie])
            #expect(again.status == 200)
            for stranger in strangers.prefix(90) { #expect(stranger.isEnded()) }
        }
        await echo.server.stop()
    }

    /// Random bytes and requests. Nothing traps, and the server continues.
    ///
    /// `REGNUM_PAGE_REQUESTS` sets the number of requests, `REGNUM_SEED` the seed.
    @Test func anyBytesAreSurvived() async throws {
        let settings = ProcessInfo.processInfo.environment
        let count = settings["REGNUM_PAGE_REQUESTS"].flatMap { Int($0) } ?? 400
        let seed = settings["REGNUM_SEED"].flatMap { UInt64($0) } ?? 11
        let echo = try await Echo.start()
        let port = echo.server.port
        let statuses = try await withThrowingTaskGroup(of: [Int: Int].self) { group in
            for part in UInt64(0)..<4 {
                group.addTask {
                    try await outside { [cookie = echo.cookie] in
                        var hostile = HostileClient(port: port, cookie: cookie, seed: seed &* 4 &+ part)
                        var statuses: [Int: Int] = [:]
                        for _ in 0..<count / 4 { statuses[try hostile.run(), default: 0] += 1 }
                        return statuses
                    }
                }
            }
            return try await group.reduce(into: [:]) { $0.merge($1, uniquingKeysWith: +) }
        }
        try await echo.client { client, echo in
            let answer = try client.request("/", ["Cookie": echo.cookie])
            #expect(answer.text == "hello")
        }
        let outcome = statuses.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ")
        print("\(count) hostile requests, seed \(seed); answers by status (0: ended without one): \(outcome)")
        #expect(statuses.values.reduce(0, +) == count / 4 * 4)
        await echo.server.stop()
    }
}

private struct HostileClient {
    let port: Int
    let cookie: String
    var random: Random

    init(port: Int, cookie: String, seed: UInt64) {
        (self.port, self.cookie) = (port, cookie)
        random = Random(state: seed &* 6_364_136_223_846_793_005 &+ 11)
    }

    mutating func run() throws -> Int {
        let client = try RawClient(port: port, patience: 120)
        switch random.byte() % 4 {
        case 0:
            let start = Array("GET / HTTP/1.1\r\n".utf8.prefix(Int.random(in: 0...16, using: &random)))
            client.send(start + bytes(200))
            client.endSending()
        case 1, 2:
            client.send(request())
            client.endSending()
        default:
            guard try client.upgrade(["Cookie": cookie]).status == 101 else { return 0 }
            for _ in 0..<Int.random(in: 1..<6, using: &random) {
                client.frame(
                    random.byte() & 15, bytes(200), isLast: random.byte() > 99, isMasked: random.byte() > 9,
                    length: random.byte() > 200 ? random.next() >> UInt64(random.byte() & 63) : nil)
            }
            return 101
        }
        return (try? client.answer().status) ?? 0
    }

    private mutating func bytes(_ most: Int) -> [UInt8] {
        (0..<Int.random(in: 0..<most, using: &random)).map { _ in random.byte() }
    }

    private mutating func pick(_ texts: [String]) -> String { texts[Int(random.byte()) % texts.count] }

    private mutating func request() -> [UInt8] {
        let odd = String(decoding: bytes(40), as: UTF8.self)
        let long = String(repeating: "a", count: Int(random.byte()) * 400)
        let path = pick(["/", "/?key=%zz&key=1", "/socket", "*", "//", "/%00", "/../..", "/" + long, "http://x/", odd])
        var lines = [
            "\(pick(["GET", "GET", "POST", "HEAD", "CONNECT", "", odd])) \(path) HTTP/\(pick(["1.1", "1.0", "2.0", "9"]))"
        ]
        for _ in 0..<Int.random(in: 0..<8, using: &random) {
            lines.append(
                pick([
                    "Host: 127.0.0.1:\(port)", "Host: x", "Cookie: \(cookie)", "Cookie: \(odd)", "Connection: Upgrade",
                    "Upgrade: websocket", "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==",
                    "Origin: http://127.0.0.1:\(port)",
                    "Content-Length: \(pick(["0", "5", "-1", "99999999999999999999"]))",
                    "Transfer-Encoding: chunked", "Expect: 100-continue", "X: \(long)", odd, ": ", "X:\u{0}",
                ]))
        }
        var request = Array((lines.joined(separator: pick(["\r\n", "\r\n", "\n"])) + "\r\n\r\n").utf8)
        request += bytes(30)
        for _ in 0..<Int.random(in: 0..<4, using: &random) {
            request[Int.random(in: 0..<request.count, using: &random)] = random.byte()
        }
        return request
    }
}

private struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ state >> 29
    }

    mutating func byte() -> UInt8 { UInt8(truncatingIfNeeded: next() >> 33) }
}
