// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import LoopbackServer
import OpenCombine
import PageTestSupport
import RegnumUI
import RegnumUIServer
import Testing

/// A served app, and connections to it.
@MainActor struct Served {
    let server: UIServer
    let port: Int
    let key: ServerKey

    init<A: App>(
        _ app: A, port: Int = 0, key: ServerKey = ServerKey(), _ change: (inout UIServer.Options) -> Void = { _ in }
    )
        async throws
    {
        var options = UIServer.Options()
        options.port = port
        change(&options)
        let server = UIServer(app, options: options)
        let address = try await server.start(key: key)
        (self.server, self.key, self.port) = (server, key, URL(string: address)?.port ?? 0)
    }

    nonisolated var cookie: String { "regnum-\(port)=\(key.text)" }
    nonisolated var address: String { "http://127.0.0.1:\(port)/?key=\(key.text)" }

    nonisolated func page(_ path: String = "/") throws -> Page { try Page(self, path) }
}

/// A page without a browser, which maintains its tree only by batches.
final class Page {
    let client: RawClient
    let html: String
    let key: String
    var tree = ElementMirror()
    var seen = 0
    var number = 0
    var session: String?
    var resumes: [Bool] = []

    init(_ served: Served, _ path: String) throws {
        let first = try RawClient(port: served.port)
        let html = try first.request(path, ["Cookie": served.cookie]).text
        self.html = html
        let mark = #"name="regnum-page" content=""#
        key = html.range(of: mark).map { String(html[$0.upperBound...].prefix(32)) } ?? ""
        client = try Self.socket(served)
    }

    static func socket(_ served: Served) throws -> RawClient {
        let client = try RawClient(port: served.port)
        guard try client.upgrade(["Cookie": served.cookie]).status == 101 else {
            throw RawError(description: "No socket.")
        }
        return client
    }

    func hello(on other: RawClient? = nil, session: String? = nil) throws {
        let back = session.map { #","session":"\#($0)""# } ?? ""
        let text = #"{"t":"hello","v":1,"key":"\#(key)"\#(back),"seen":\#(seen),"w":800,"h":600,"dark":true}"#
        (other ?? client).sendText(text)
    }

    @discardableResult
    func receive(_ other: RawClient? = nil, until isDone: (HostMessage) -> Bool) throws -> HostMessage {
        while true {
            guard let message = try HostMessage.decode(try (other ?? client).receiveText()) else { continue }
            switch message {
            case .welcome(let id, let isResumed):
                session = id
                resumes.append(isResumed)
            case .batch(let batch):
                let isApplied = tree.apply(batch.operations)
                #expect(isApplied)
                seen = batch.number
            case .bye: break
            }
            if isDone(message) { return message }
        }
    }

    func receiveBatch(_ other: RawClient? = nil) throws {
        try receive(other) { if case .batch = $0 { true } else { false } }
    }

    func wait(until isDone: (Page) -> Bool) throws {
        if isDone(self) { return }
        try receive { _ in isDone(self) }
    }

    func bye(_ other: RawClient? = nil) throws -> String {
        if case .bye(let why) = try receive(other, until: { if case .bye = $0 { true } else { false } }) {
            why
        } else {
            ""
        }
    }

    func find(_ kind: Element.Kind, _ name: String) -> Element? {
        tree.element?.first { $0.kind == kind && $0.name == name }
    }

    func has(_ text: String) -> Bool { tree.element?.first { $0.text.contains(text) } != nil }

    func act(_ element: Element?, _ action: String, _ more: String = "") {
        number += 1
        client.sendText(#"{"t":"e","n":\#(number),"id":\#(element?.id ?? 0),"a":"\#(action)"\#(more)}"#)
    }
}

/// The server with an app, without a browser.
@MainActor @Suite struct UIServerTests {
    private func serve(
        _ change: (inout UIServer.Options) -> Void = { _ in }, _ body: @escaping @Sendable (Served) throws -> Void
    ) async throws {
        let served = try await Served(DogApp(), change)
        try await outside { try body(served) }
        await served.server.stop()
    }

    @Test func thePageCanBeReadBeforeItsScriptRuns() async throws {
        try await serve { served in
            let page = try served.page()
            #expect(page.html.contains("<h1>Kennel</h1>"))
            #expect(page.html.contains("Rex"))
            #expect(page.html.contains("<title>Kennel</title>"))
            #expect(!page.html.contains(served.key.text))
            #expect(page.key.count == 32)
            let client = try RawClient(port: served.port)
            let style = try client.request("/ui.css", ["Cookie": served.cookie])
            #expect(style.status == 200 && style.headers["content-type"]?.hasPrefix("text/css") == true)
            // The script consists of modules. Each imported module exists, and none creates markup from data.
            var (left, found) = (["/ui.js"], Set<String>())
            while let path = left.popLast() {
                guard found.insert(path).inserted else { continue }
                let module = try client.request(path, ["Cookie": served.cookie])
                #expect(module.status == 200, "\(path)")
                #expect(module.headers["content-type"]?.hasPrefix("text/javascript") == true)
                let text = String(decoding: module.body, as: UTF8.self)
                #expect(
                    !["innerHTML", "outerHTML", "insertAdjacent", "eval(", "document.write"].contains(
                        where: text.contains))
                left += text.matches(of: /from "\.(\/[a-z]+\.js)"/).map { String($0.output.1) }
            }
            #expect(found.count == 11)
            for path in ["/scene/none", "/img/none", "/img/..%2F..%2Fetc%2Fpasswd", "/img/", "/favicon.ico"] {
                #expect(try client.request(path, ["Cookie": served.cookie]).status == 404, "\(path)")
            }
            #expect(try client.request("/scene/rows", ["Cookie": served.cookie]).text.contains("Row 0"))
        }
    }

    @Test func textsOfAProgramAreEscaped() async throws {
        struct Evil: App {
            var body: some Scene {
                WindowGroup {
                    List { Text(verbatim: #"<img src=x onerror="alert('1')">&"#) }.navigationTitle(
                        "</title><script>'\"")
                }
            }
        }
        let served = try await Served(Evil())
        try await outside {
            let html = try served.page().html
            #expect(html.contains("&lt;img src=x onerror=&quot;alert(&#39;1&#39;)&quot;&gt;&amp;"))
            #expect(!html.contains("<img") && !html.contains("</title><script>"))
        }
        await served.server.stop()
    }

    @Test func windowsShareTheStateOfTheProgram() async throws {
        try await serve { served in
            let (one, two) = (try served.page(), try served.page())
            for page in [one, two] {
                try page.hello()
                try page.receiveBatch()
            }
            one.act(one.find(.button, "Visit 0"), "tap")
            try one.wait { $0.find(.button, "Visit 1") != nil }
            try two.wait { $0.find(.button, "Visit 1") != nil }
            one.act(one.find(.button, "add"), "tap")
            try one.wait { $0.find(.dialog, "New dog") != nil }
            two.act(two.find(.button, "Visit 1"), "tap")
            try two.wait { $0.find(.button, "Visit 2") != nil }
            #expect(two.find(.dialog, "New dog") == nil)
        }
    }

    @Test func anotherTabTakesTheWindowOver() async throws {
        try await serve { served in
            let page = try served.page()
            try page.hello()
            try page.receiveBatch()
            let other = try Page.socket(served)
            try page.hello(on: other, session: page.session)
            #expect(try page.bye() == "replaced")
            #expect(page.client.closing() == 1000)
            try page.receive(other) { if case .welcome = $0 { true } else { false } }
            #expect(page.resumes == [false, true])
        }
    }

    @Test func aLostConnectionIsResumed() async throws {
        try await serve { served in
            let (page, other) = (try served.page(), try served.page())
            for page in [page, other] {
                try page.hello()
                try page.receiveBatch()
            }
            page.client.frame(8, [3, 232])
            #expect(page.client.closing() == 1000)
            other.act(other.find(.button, "Visit 0"), "tap")
            try other.wait { $0.find(.button, "Visit 1") != nil }
            let back = try Page.socket(served)
            try page.hello(on: back, session: page.session)
            try page.receive(back) { _ in page.find(.button, "Visit 1") != nil }
            #expect(page.resumes == [false, true])
        }
    }

    @Test func expiredSessionsAreNotResumed() async throws {
        try await serve({ $0.sessionTimeout = .milliseconds(100) }) { served in
            let page = try served.page()
            func windowCount() -> Int {
                DispatchQueue.main.sync { MainActor.assumeIsolated { served.server.windowCount } }
            }
            while windowCount() > 0 { Thread.sleep(forTimeInterval: 0.01) }
            try page.hello()
            #expect(try page.bye() == "expired")
        }
    }

    @Test(arguments: [
        "", "x", "[]", #"{"t":"hello"}"#, #"{"t":"e","n":1,"id":1,"a":"tap"}"#, #"{"t":"resync"}"#,
        #"{"t":"hello","key":"0123456789abcdef0123456789abcdef"}"#,
    ])
    func invalidFirstMessagesCloseTheSocket(_ text: String) async throws {
        try await serve { served in
            let client = try Page.socket(served)
            client.sendText(text)
            let answer = try client.receiveText()
            #expect(answer.contains(#""t":"bye""#))
            #expect(client.closing() == 1000)
        }
    }

    @Test func aMalformedMessageEndsTheConnectionAndNotTheWindow() async throws {
        try await serve { served in
            let page = try served.page()
            try page.hello()
            try page.receiveBatch()
            page.client.sendText("{")
            #expect(try page.bye() == "protocol")
            let back = try Page.socket(served)
            try page.hello(on: back, session: page.session)
            try page.receive(back) { if case .welcome(_, true) = $0 { true } else { false } }
        }
    }

    @Test func secretsStayOnTheHost() async throws {
        try await serve { served in
            let page = try served.page("/scene/fields")
            try page.hello()
            try page.receiveBatch()
            let field = page.tree.element?.first { $0.kind == .secureField }
            page.act(field, "input", #","v":"hunter2","k":1"#)
            var received = ""
            while !received.contains("7 secret letters") { received += try page.client.receiveText() }
            #expect(!received.contains("hunter2"))
            let other = try served.page("/scene/fields")
            #expect(!other.html.contains("hunter2") && other.html.contains("7 secret letters"))
        }
    }

    @Test func theEnvironmentOfAWindowIsThatOfThePage() async throws {
        struct Window: App {
            struct Facts: View {
                @Environment(\.colorScheme) var scheme
                @Environment(\.locale) var locale
                @Environment(\.timeZone) var zone
                @Environment(\.horizontalSizeClass) var width
                var body: some View {
                    Text(verbatim: "\(scheme == .dark) \(locale.identifier) \(zone.identifier) \(width == .regular)")
                    GeometryReader { Text(verbatim: "\(Int($0.size.width))") }
                }
            }
            var body: some Scene { WindowGroup { Facts() } }
        }
        let served = try await Served(Window())
        try await outside {
            let page = try served.page()
            page.client.sendText(
                #"{"t":"hello","v":1,"key":"\#(page.key)","w":800,"h":600,"dark":true,"lang":"de-DE","tz":"Europe/Berlin"}"#
            )
            try page.wait { $0.has("true de-DE Europe/Berlin true") && $0.has("800") }
            page.client.sendText(#"{"t":"size","w":500,"h":600,"dark":false,"lang":7,"tz":"Nowhere/None"}"#)
            try page.wait { $0.has("false de-DE") && $0.has("500") }
            let reader = page.tree.element?.first { $0.state[.role] == .text("measured") }
            page.client.sendText(
                #"{"t":"size","r":{"\#(reader?.id ?? 0)":[123,45],"999999":[1,1],"x":[1,1],"1":[-1,2]}}"#)
            try page.wait { $0.has("123") }
        }
        await served.server.stop()
    }

    @Test func tooManyWindowsAreRefusedUnlessSomeAreLeft() async throws {
        try await serve({ $0.sessionCount = 3 }) { served in
            let client = try RawClient(port: served.port)
            // No page is connected to these windows, so the oldest one is closed for the next.
            for _ in 0..<6 { #expect(try client.request("/", ["Cookie": served.cookie]).status == 200) }
            let pages = try (0..<3).map { _ in try served.page() }
            for page in pages {
                try page.hello()
                try page.receiveBatch()
            }
            #expect(try client.request("/", ["Cookie": served.cookie]).status == 503)
        }
    }

    /// Includes numbers that JSON can't represent, and the longest possible text. No message ends the process.
    @Test(arguments: 0..<4) func anyMessagesAreSurvived(seed: Int) async throws {
        try await serve { served in
            var random = SplitMix(state: UInt64(seed) &* 7919 &+ 5)
            let page = try served.page()
            try page.hello()
            try page.receiveBatch()
            let values = [
                "", #","v":true"#, #","v":1e308"#, #","v":"x","k":1"#, #","v":{"date":1e300}"#, #","to":7"#,
                #","v":[]"#,
                #","v":-0.0,"k":-5"#, #","k":9223372036854775807,"v":"é""#,
            ]
            for _ in 0..<150 {
                let action = ActionKind.allCases.randomElement(using: &random) ?? .tap
                page.number += Int.random(in: 0...1, using: &random)
                let id = UInt32.random(in: 0..<120, using: &random)
                page.client.sendText(
                    #"{"t":"e","n":\#(page.number),"id":\#(id),"a":"\#(action.rawValue)"\#(values.randomElement(using: &random) ?? "")}"#
                )
                if Int.random(in: 0..<20, using: &random) == 0 { page.client.sendText(#"{"t":"resync"}"#) }
            }
            page.client.sendText(#"{"t":"resync"}"#)
            page.client.sendText(#"{"t":"e","n":9007199254740991,"id":0,"a":"tap"}"#)
            try page.receive { if case .batch(let batch) = $0 { batch.ack == 9_007_199_254_740_991 } else { false } }
            let other = try Page.socket(served)
            other.sendText(String(repeating: "[", count: 500_000))
            #expect(try other.receiveText().contains("protocol"))
        }
    }

    @Test func anEndedWindowKeepsNothing() async throws {
        @MainActor final class Kept: ObservableObject {
            static weak var last: Kept?
            static var count = 0
            static var departures = 0
            static var isCancelled = false
            @Published var count = 0
            init() {
                Self.last = self
                Self.count += 1
            }
        }
        struct Keeper: View {
            @StateObject var kept = Kept()
            var body: some View {
                Text(verbatim: "\(kept.count)")
                    .onDisappear { Kept.departures += 1 }
                    .task {
                        try? await Task.sleep(for: .seconds(600))
                        Kept.isCancelled = Task.isCancelled
                    }
            }
        }
        struct KeeperApp: App {
            var body: some Scene { WindowGroup { Keeper() } }
        }
        let served = try await Served(KeeperApp()) { $0.sessionTimeout = .milliseconds(100) }
        // The page never connects, so its window is closed soon.
        try await outside { _ = try served.page() }
        for _ in 0..<120_000 where Kept.last != nil || !Kept.isCancelled {
            try await Task.sleep(for: .milliseconds(10))
        }
        #expect(Kept.count == 1)
        #expect(Kept.last == nil)
        #expect(Kept.departures == 1)
        #expect(Kept.isCancelled)
        #expect(served.server.windowCount == 0)
        await served.server.stop()
    }

    @Test func everyTabIsNotifiedOfTheEnd() async throws {
        let served = try await Served(DogApp())
        let pages = try await outside {
            try (0..<3).map { _ in
                let page = try served.page()
                try page.hello()
                try page.receiveBatch()
                return Unchecked(page)
            }
        }
        await served.server.stop()
        try await outside {
            for page in pages {
                let why = try page.value.bye()
                #expect(why == "stopping")
            }
            #expect(throws: RawError.self) { try RawClient(port: served.port) }
        }
    }

    @Test func optionsAreReadFromArgumentsAndEnvironment() {
        let options = UIServer.Options(
            arguments: ["app", "dogs.realm", "--port", "9000", "--no-key", "--host"],
            environment: ["REGNUM_UI_PORT": "1", "REGNUM_UI_HOST": "::1"])
        #expect(options.port == 9000)
        #expect(options.host == "::1")
        #expect(!options.needsKey)
        #expect(UIServer.Options(arguments: ["app", "--port", "x"], environment: [:]).port == nil)
    }
}

struct Unchecked<T>: @unchecked Sendable {
    let value: T
    init(_ value: T) { self.value = value }
}

struct SplitMix: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        let mixed = (state ^ state >> 30) &* 0xBF58_476D_1CE4_E5B9
        return mixed ^ mixed >> 27
    }
}
