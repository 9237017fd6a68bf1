// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RegnumUI
import RegnumUITesting
import Testing

/// Fields of texts and values.
@MainActor @Suite struct FieldTests {
    private struct Numbers: View {
        @State var number = 5
        @State var optional: Int? = 1
        @State var url = URL(string: "https://a.example")
        @State var text = ""
        var body: some View {
            TextField("number", value: $number, format: .number)
            TextField("optional", value: $optional, format: .number)
            TextField("url", value: $url, format: .url).keyboardType(.URL).textInputAutocapitalization(.never)
                .disableAutocorrection(true)
            TextField("text", text: $text, prompt: Text("prompt"))
            Text("\(number) \(optional.map(String.init) ?? "nil") \(url?.absoluteString ?? "nil") \(text)")
        }
    }

    @Test func aValueIsWrittenWhenTheUserLeaves() async throws {
        let host = UIHost.pair(Numbers())
        try await host.clear(.field("number"))
        try await host.type("42", into: .field("number"))
        #expect(host.exists(.text("5 1 https://a.example")))
        #expect(try host.find(.field("number")).value == "42")
        try await host.blur()
        #expect(host.exists(.text("42 1 https://a.example")))
        try await host.clear(.field("number"))
        try await host.type("7", into: .field("number"))
        try await host.submit(.field("number"))
        #expect(host.exists(.text("7 1 https://a.example")))
    }

    @Test func aMalformedTextIsDiscarded() async throws {
        let host = UIHost.pair(Numbers())
        try await host.clear(.field("number"))
        try await host.type("many", into: .field("number"))
        try await host.submit(.field("number"))
        #expect(try host.find(.field("number")).value == "many")
        try await host.blur()
        #expect(try host.find(.field("number")).value == "5")
        try await host.clear(.field("url"))
        try await host.type("a b", into: .field("url"))
        try await host.blur()
        #expect(try host.find(.field("url")).value == "https://a.example")
    }

    @Test func anEmptyTextBecomesNil() async throws {
        let host = UIHost.pair(Numbers())
        try await host.clear(.field("optional"))
        try await host.blur()
        try await host.clear(.field("url"))
        try await host.blur()
        #expect(host.exists(.text("5 nil nil")))
    }

    @Test func aFieldOfTextWritesEachChange() async throws {
        let host = UIHost.pair(Numbers())
        try await host.type("Rex", into: .field("text"))
        #expect(host.exists(.text("5 1 https://a.example Rex")))
        let url = try host.find(.field("url"))
        #expect(url.attribute("inputMode") == "url")
        #expect(url.attribute("capitalization") == "none")
        #expect(url.attribute("correction") == "off")
    }

    @Test func aProgramMayCorrectTypedText() async throws {
        struct Upper: View {
            @State var text = ""
            var body: some View {
                TextField("text", text: Binding(get: { text }, set: { text = String($0.uppercased().prefix(3)) }))
            }
        }
        let host = UIHost.pair(Upper())
        try await host.type("abcd", into: .field("text"))
        #expect(try host.find(.field("text")).value == "ABC")
    }

    @Test func aSecretIsInNoDump() async throws {
        struct Login: View {
            @State var secret = ""
            var body: some View {
                SecureField("password", text: $secret)
                Button("clear") { secret = "" }
                Text("\(secret.count)")
            }
        }
        let host = UIHost.pair(Login())
        try await host.type("hunter2", into: .field("password"))
        #expect(host.exists(.text("7")))
        #expect(!host.dump.contains("hunter2"))
        #expect(try host.find(.field("password")).value == nil)
        try await host.tap(.button("clear"))
        #expect(try host.find(.field("password")).value == "")
    }

    @Test func returnCallsAllSubmitHandlers() async throws {
        @MainActor final class Log { var lines: [String] = [] }
        struct Parent: View {
            let log: Log
            @State var text = ""
            var body: some View {
                TextField(
                    "text", text: $text, onEditingChanged: { log.lines.append("editing \($0)") },
                    onCommit: { log.lines.append("commit") }
                )
                .onSubmit { log.lines.append("submit") }
                TextEditor(text: $text).accessibilityLabel("editor")
            }
        }
        let log = Log()
        let host = UIHost.pair(Parent(log: log))
        try await host.type("x", into: .field("text"))
        try await host.press(key: .return)
        try await host.blur()
        #expect(log.lines == ["editing true", "commit", "submit", "editing false"])
        try await host.type("y", into: .field("editor"))
        #expect(try host.find(.field("text")).value == "xy")
    }
}
