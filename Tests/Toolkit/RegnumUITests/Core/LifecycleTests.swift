// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RegnumUI
import RegnumUITesting
import Testing

@MainActor private final class Log {
    var lines: [String] = []
}

/// Appearance, disappearance, changes, and tasks of views.
@MainActor @Suite struct LifecycleTests {
    @Test func stateSetAtAppearingIsShownAtOnce() throws {
        struct Parent: View {
            @State var text = "before"
            var body: some View { Text(text).onAppear { text = "after" } }
        }
        let host = UIHost.pair(Parent())
        #expect(host.exists(.text("after")))
        #expect(host.log.isEmpty)
    }

    @Test func aTaskRestartsForAnotherIdAndIsCancelledAtTheEnd() async throws {
        struct Parent: View {
            let log: Log
            @State var id = 1
            @State var isShown = true
            var body: some View {
                if isShown {
                    Text("shown").task(id: id) {
                        log.lines.append("start \(id)")
                        while !Task.isCancelled { await Task.yield() }
                        log.lines.append("end")
                    }
                }
                Button("next") { id += 1 }
                Button("hide") { isShown = false }
            }
        }
        let log = Log()
        let host = UIHost.pair(Parent(log: log))
        try await host.settle { log.lines == ["start 1"] }
        try await host.tap(.button("next"))
        try await host.settle { log.lines.count == 3 }
        #expect(Set(log.lines) == ["start 1", "end", "start 2"])
        try await host.tap(.button("hide"))
        try await host.settle { log.lines.count == 4 }
        #expect(log.lines.last == "end")
    }

    @Test func settlingWaitsForATaskOnAnotherThread() async throws {
        struct Parent: View {
            @State var text = "loading"
            var body: some View {
                Text(text).task { text = await Task.detached { "loaded" }.value }
            }
        }
        let host = UIHost.pair(Parent())
        await host.settle()
        #expect(host.exists(.text("loaded")))
    }

    @Test func everyFormOfOnChangeIsCalled() async throws {
        struct Parent: View {
            let log: Log
            @State var count = 0
            var body: some View {
                Button("\(count)") { count += 1 }
                    .onChange(of: count) { log.lines.append("new \($0)") }
                    .onChange(of: count) { log.lines.append("\($0) to \($1)") }
                    .onChange(of: count, initial: true) { log.lines.append("changed") }
            }
        }
        let log = Log()
        let host = UIHost.pair(Parent(log: log))
        #expect(log.lines == ["changed"])
        try await host.tap(.button("0"))
        #expect(Set(log.lines.dropFirst()) == ["new 1", "0 to 1", "changed"])
    }

    @Test func preferencesAreCombinedInTheOrderOfTheTree() async throws {
        struct Names: PreferenceKey {
            static var defaultValue: [String] { [] }
            static func reduce(value: inout [String], nextValue: () -> [String]) { value += nextValue() }
        }
        struct Parent: View {
            let log: Log
            @State var isLong = false
            var body: some View {
                VStack {
                    Text("a").preference(key: Names.self, value: ["a"])
                    if isLong { Text("b").preference(key: Names.self, value: ["b"]) }
                    Text("c").preference(key: Names.self, value: ["c"])
                    Button("more") { isLong = true }
                }
                .onPreferenceChange(Names.self) { log.lines.append($0.joined()) }
            }
        }
        let log = Log()
        let host = UIHost.pair(Parent(log: log))
        try await host.tap(.button("more"))
        #expect(log.lines == ["ac", "abc"])
    }

    @Test func closingAWindowRemovesItsViews() async throws {
        struct Parent: View {
            let log: Log
            var body: some View { Text("x").onDisappear { log.lines.append("gone") } }
        }
        let log = Log()
        let host = UIHost(Parent(log: log))
        host.close()
        #expect(log.lines == ["gone"])
    }
}
