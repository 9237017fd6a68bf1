// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import PageTestSupport
import RegnumUI
import Testing

/// A page that implements the protocol: it maintains its tree only by batches, and texts by the rule of edits.
@MainActor private final class Client {
    let session: Session
    var tree = ElementMirror()
    var number = 0
    var seen = 0
    var batches: [HostMessage.Batch] = []
    var welcomes: [Bool] = []
    var isConnected = true

    init<V: View>(_ view: V) {
        let graph = Graph(view, size: CGSize(width: 390, height: 844))
        session = Session(id: "s", graph: graph)
        session.send = { [weak self] in self?.take($0) }
    }

    private func take(_ message: HostMessage) {
        guard isConnected else { return }
        do {
            // Messages are encoded and decoded, because the wire format is text.
            let decoded = try HostMessage.decode(try message.encoded())
            #expect(decoded == message)
            switch decoded {
            case .welcome(_, let resumes): welcomes.append(resumes)
            case .batch(let batch):
                let isApplied = tree.apply(batch.operations)
                #expect(isApplied)
                batches.append(batch)
                seen = batch.number
            default: break
            }
        } catch {
            Issue.record(error)
        }
    }

    func send(_ text: String) throws {
        if let message = try ClientMessage.decode(text) { session.receive(message) }
    }

    func hello(resume: Bool = false) throws {
        try send(#"{"t":"hello","v":1,"key":"k","seen":\#(seen)\#(resume ? #","session":"s""# : ""),"dark":false}"#)
    }

    func find(_ kind: Element.Kind, _ name: String) throws -> Element {
        let found = tree.element?.first { $0.kind == kind && $0.name == name }
        return try #require(found, "\(kind) \(name)")
    }

    func act(_ id: ElementID, _ action: String, _ value: String = "", number: Int? = nil) throws {
        self.number += number == nil ? 1 : 0
        try send(#"{"t":"e","n":\#(number ?? self.number),"id":\#(id),"a":"\#(action)"\#(value)}"#)
    }
}

/// The rules of the protocol, with a scripted client.
@MainActor @Suite struct SessionTests {
    private struct Page: View {
        @State var count = 0
        @State var text = ""
        @State var isShown = true
        var body: some View {
            Button("count \(count)") { count += 1 }
            if isShown { Button("hide") { isShown = false } }
            TextField("text", text: Binding(get: { text }, set: { text = $0.uppercased() }))
            Toggle("on", isOn: $isShown).disabled(count > 1)
        }
    }

    @Test func anEventIsAnsweredByOneBatch() throws {
        let client = Client(Page())
        try client.hello()
        #expect(client.welcomes == [false])
        #expect(client.batches.first?.operations.first == .reset)
        try client.act(try client.find(.button, "count 0").id, "tap")
        #expect(client.batches.count == 2)
        #expect(client.batches.last?.ack == 1)
        #expect(throws: Never.self) { try client.find(.button, "count 1") }
    }

    @Test func editsAreTakenAndCorrected() throws {
        let client = Client(Page())
        try client.hello()
        let field = try client.find(.field, "text").id
        try client.act(field, "input", #","v":"rex","k":5"#)
        #expect(client.batches.last?.edits[field] == 5)
        #expect(try client.find(.field, "text").state[.value] == .text("REX"))
        // The page's text differs from the host's. The page receives the number of its edit, and corrects itself.
        try client.act(field, "input", #","v":"rEX","k":6"#)
        #expect(client.batches.last?.edits[field] == 6)
    }

    @Test func anEventIsHandledOnce() throws {
        let client = Client(Page())
        try client.hello()
        let button = try client.find(.button, "count 0").id
        try client.act(button, "tap")
        try client.act(button, "tap", number: 1)
        #expect(throws: Never.self) { try client.find(.button, "count 1") }
        #expect(client.batches.count == 2)
    }

    @Test func staleDisabledAndUnknownEventsChangeNothing() throws {
        let client = Client(Page())
        try client.hello()
        let hide = try client.find(.button, "hide").id
        let toggle = try client.find(.toggle, "on").id
        let count = try client.find(.button, "count 0").id
        try client.act(hide, "tap")
        try client.act(hide, "tap")
        #expect(client.batches.last?.operations == [])
        #expect(client.batches.last?.ack == 2)
        try client.act(count, "delete")
        try client.act(count, "tap")
        try client.act(count, "tap")
        try client.act(toggle, "input", #","v":true"#)
        try client.act(toggle, "input", #","v":"text""#)
        #expect(client.tree.element?.first { $0.name == "hide" } == nil)
        try client.act(999_999, "tap")
        try client.send(#"{"t":"later","x":1}"#)
        try client.send(#"{"t":"e","n":90,"id":1,"a":"someday"}"#)
        #expect(client.tree.element != nil)
    }

    @Test func aLostConnectionIsResumed() throws {
        let client = Client(Page())
        try client.hello()
        let button = try client.find(.button, "count 0").id
        client.isConnected = false
        try client.act(button, "tap")
        try client.act(button, "tap")
        client.isConnected = true
        try client.hello(resume: true)
        #expect(client.welcomes == [false, true])
        #expect(throws: Never.self) { try client.find(.button, "count 2") }
        #expect(!client.batches.dropFirst().contains { $0.operations.contains(.reset) })
    }

    @Test func aPageTooFarBehindGetsAFullTree() throws {
        let client = Client(Page())
        try client.hello()
        let button = try client.find(.button, "count 0").id
        client.isConnected = false
        for _ in 0..<300 { try client.act(button, "tap") }
        client.isConnected = true
        try client.hello(resume: true)
        #expect(client.welcomes == [false, false])
        #expect(client.batches.last?.operations.first == .reset)
        #expect(throws: Never.self) { try client.find(.button, "count 300") }
        try client.send(#"{"t":"resync"}"#)
        #expect(client.batches.last?.operations.first == .reset)
    }

    @Test(arguments: [
        "", "x", "[]", "{}", #"{"t":1}"#, #"{"t":"hello"}"#, #"{"t":"e","n":1}"#, #"{"t":"e","n":1,"id":-1,"a":"tap"}"#,
        #"{"t":"e","n":1,"id":4294967296,"a":"tap"}"#, #"{"t":"seen"}"#, #"{"t":"e","n":1,"id":1,"a":"tap","v":{}}"#,
        #"{"t":"e","n":1.5,"id":1,"a":"tap"}"#,
    ])
    func malformedMessagesAreRefused(_ message: String) {
        #expect(throws: ProtocolError.self) { try ClientMessage.decode(message) }
    }

    @Test func messagesHaveLimits() throws {
        let text = String(repeating: "x", count: 256 << 10)
        #expect(try ClientMessage.decode(#"{"t":"e","n":1,"id":1,"a":"input","v":"\#(text)"}"#) != nil)
        #expect(throws: ProtocolError.self) {
            try ClientMessage.decode(#"{"t":"e","n":1,"id":1,"a":"input","v":"\#(text)x"}"#)
        }
        let long = String(repeating: " ", count: 1 << 20)
        #expect(throws: ProtocolError.self) { try ClientMessage.decode("{\"t\":\"resync\"}" + long) }
    }

    /// Well-formed and malformed messages in any order. Nothing traps, and the page's tree equals the host's.
    @Test(arguments: 0..<6) func anyMessagesAreSurvived(seed: Int) throws {
        var random = Random(state: UInt64(seed) &* 13 &+ 3)
        let client = Client(Page())
        try client.hello()
        let values = [
            "", #","v":true"#, #","v":3.5"#, #","v":"x","k":1"#, #","v":{"date":5}"#, #","to":7"#, #","v":[]"#,
        ]
        for _ in 0..<300 {
            switch Int.random(in: 0..<10, using: &random) {
            case 0: try client.hello(resume: Bool.random(using: &random))
            case 1: try client.send(#"{"t":"seen","b":\#(Int.random(in: -1...400, using: &random))}"#)
            case 2: try client.send(#"{"t":"resync"}"#)
            default:
                let action = ActionKind.allCases.randomElement(using: &random) ?? .tap
                let value = values.randomElement(using: &random) ?? ""
                try client.act(ElementID.random(in: 0..<40, using: &random), action.rawValue, value)
            }
        }
        try client.send(#"{"t":"resync"}"#)
        let whole = client.tree.element
        try client.hello()
        #expect(client.tree.element == whole)
    }
}
