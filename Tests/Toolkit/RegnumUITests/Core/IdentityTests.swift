// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RegnumUI
import RegnumUITesting
import Testing

/// A view whose state reveals whether it is the same view.
private struct Counter: View {
    let name: String
    @State private var count = 0

    var body: some View {
        Button("\(name) \(count)") { count += 1 }
    }
}

/// The rules of identity, observed through state that survives or is reset.
@MainActor @Suite struct IdentityTests {
    @Test func stateSurvivesAnotherValueOfTheView() async throws {
        struct Parent: View {
            @State var name = "a"
            var body: some View {
                Counter(name: name)
                Button("rename") { name = "b" }
            }
        }
        let host = UIHost.pair(Parent())
        try await host.tap(.button("a 0"))
        try await host.tap(.button("rename"))
        #expect(host.exists(.button("b 1")))
        #expect(host.log.isEmpty)
    }

    @Test func theBranchesOfAConditionAreDifferentViews() async throws {
        struct Parent: View {
            @State var isOn = true
            var body: some View {
                if isOn { Counter(name: "x") } else { Counter(name: "x") }
                Button("switch") { isOn.toggle() }
            }
        }
        let host = UIHost.pair(Parent())
        try await host.tap(.button("x 0"))
        #expect(host.exists(.button("x 1")))
        try await host.tap(.button("switch"))
        #expect(host.exists(.button("x 0")))
        try await host.tap(.button("switch"))
        #expect(host.exists(.button("x 0")))
    }

    @Test func aConditionAboveAViewDoesNotResetItsState() async throws {
        struct Parent: View {
            @State var isOn = false
            var body: some View {
                if isOn { Text("above") }
                Counter(name: "x")
                Button("switch") { isOn.toggle() }
            }
        }
        let host = UIHost.pair(Parent())
        try await host.tap(.button("x 0"))
        try await host.tap(.button("switch"))
        #expect(host.exists(.text("above")))
        #expect(host.exists(.button("x 1")))
    }

    @Test func theTypeInAnAnyViewBelongsToTheIdentity() async throws {
        struct Parent: View {
            @State var isOther = false
            var body: some View {
                isOther ? AnyView(Group { Counter(name: "x") }) : AnyView(Counter(name: "x"))
                Button("switch") { isOther.toggle() }
            }
        }
        let host = UIHost.pair(Parent())
        try await host.tap(.button("x 0"))
        try await host.tap(.button("switch"))
        #expect(host.exists(.button("x 0")))
    }

    @Test func anotherIdDropsTheStateAndCallsOnDisappear() async throws {
        @MainActor final class Log { var lines: [String] = [] }
        struct Parent: View {
            let log: Log
            @State var id = 1
            var body: some View {
                Counter(name: "x").onAppear { log.lines.append("came") }.onDisappear { log.lines.append("went") }.id(id)
                Button("switch") { id += 1 }
            }
        }
        let log = Log()
        let host = UIHost.pair(Parent(log: log))
        try await host.tap(.button("x 0"))
        try await host.tap(.button("switch"))
        #expect(host.exists(.button("x 0")))
        #expect(log.lines == ["came", "went", "came"])
    }

    @Test func reorderingAForEachKeepsStates() async throws {
        struct Parent: View {
            @State var names = ["a", "b", "c"]
            var body: some View {
                ForEach(names, id: \.self) { Counter(name: $0) }
                Button("reverse") { names.reverse() }
                Button("remove a") { names.removeAll { $0 == "a" } }
            }
        }
        let host = UIHost.pair(Parent())
        try await host.tap(.button("a 0"))
        try await host.tap(.button("c 0"))
        try await host.tap(.button("c 1"))
        try await host.tap(.button("reverse"))
        #expect(host.all(.button()).map(\.name) == ["c 2", "b 0", "a 1", "reverse", "remove a"])
        try await host.tap(.button("remove a"))
        #expect(host.all(.button()).map(\.name) == ["c 2", "b 0", "reverse", "remove a"])
        #expect(host.log.isEmpty)
    }

    @Test func elementsOfEqualIdentityAreShownAndReportedOnce() async throws {
        struct Parent: View {
            @State var names = ["a", "a", "b"]
            var body: some View {
                ForEach(names, id: \.self) { Counter(name: $0) }
                Button("more") { names.append("a") }
            }
        }
        let host = UIHost.pair(Parent())
        try await host.tap(UIQuery.button("a 0").at(1))
        #expect(host.all(.button()).map(\.name) == ["a 0", "a 1", "b 0", "more"])
        try await host.tap(.button("more"))
        #expect(host.all(.button()).map(\.name) == ["a 0", "a 1", "b 0", "a 0", "more"])
        #expect(host.log == ["A ForEach has elements of equal identity."])
    }

    @Test func oneViewValueAtTwoPlacesHasTwoStates() async throws {
        struct Parent: View {
            var body: some View {
                let counter = Counter(name: "x")
                counter
                counter
            }
        }
        let host = UIHost.pair(Parent())
        try await host.tap(UIQuery.button("x 0").at(0))
        #expect(host.all(.button()).map(\.name) == ["x 1", "x 0"])
    }
}
