// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import OpenCombine
import RegnumUI
import RegnumUITesting
import Testing

private struct LevelKey: EnvironmentKey {
    static let defaultValue = 0
}

extension EnvironmentValues {
    fileprivate var level: Int {
        get { self[LevelKey.self] }
        set { self[LevelKey.self] = newValue }
    }
}

/// Values that views pass to their descendants.
@MainActor @Suite struct EnvironmentTests {
    private struct Reader: View {
        @Environment(\.level) var level
        var body: some View { Text("level \(level)") }
    }

    private struct Bystander: View {
        @Environment(\.isEnabled) var isEnabled
        var body: some View { Text(isEnabled ? "on" : "off") }
    }

    @Test func aValueReachesThoseWhoReadItAndOnlyThem() async throws {
        struct Parent: View {
            @State var level = 1
            var body: some View {
                VStack {
                    Reader()
                    Bystander()
                    Reader().transformEnvironment(\.level) { $0 += 10 }
                }
                .environment(\.level, level)
                Button("same") { level = level + 0 }
                Button("up") { level += 1 }
                Reader()
            }
        }
        let host = UIHost.pair(Parent())
        #expect(host.all(.role(.text)).map(\.name) == ["level 1", "on", "level 11", "same", "up", "level 0"])
        try await host.tap(.button("up"))
        #expect(host.exists(.text("level 2")))
        #expect(host.exists(.text("level 12")))
        #expect(host.evaluations(of: Reader.self) == 5)
        #expect(host.evaluations(of: Bystander.self) == 1)
    }

    @Test func outsideOfAViewItIsTheDefault() { #expect(Environment(\.level).wrappedValue == 0) }

    @Test func objectsAreFoundAndFollowed() async throws {
        struct Inner: View {
            @EnvironmentObject var model: Shared
            var body: some View {
                Text("\(model.count)")
                TextField("name", text: $model.name)
            }
        }
        let model = Shared()
        let host = UIHost.pair(NavigationView { Inner() }.environmentObject(model))
        model.count = 3
        await host.settle()
        #expect(host.exists(.text("3")))
        try await host.type("x", into: .field("name"))
        #expect(model.name == "x")
    }

    @Test func observableObjectsAreFound() async throws {
        struct Inner: View {
            @Environment(Watched.self) var model
            @Environment(Other.self) var missing: Other?
            var body: some View {
                @Bindable var model = model
                Text("\(model.count) \(missing == nil ? "none" : "some")")
                Toggle("on", isOn: $model.isOn)
            }
        }
        let model = Watched()
        let host = UIHost.pair(Inner().environment(model))
        model.count = 2
        await host.settle()
        #expect(host.exists(.text("2 none")))
        try await host.toggle(.toggle("on"))
        #expect(model.isOn)
        #expect(try host.find(.toggle("on")).isOn)
    }

    @Test func aMissingObjectEndsTheProgram() async {
        await #expect(processExitsWith: .failure) {
            await MainActor.run {
                struct Inner: View {
                    @EnvironmentObject var model: Shared
                    var body: some View { Text("\(model.count)") }
                }
                _ = UIHost(Inner())
            }
        }
    }

    @Test func aDisabledParentWins() async throws {
        struct Parent: View {
            @State var count = 0
            var body: some View { Button("\(count)") { count += 1 }.disabled(false).disabled(true) }
        }
        let host = UIHost.pair(Parent())
        #expect(try !host.find(.button("0")).isEnabled)
        await #expect(throws: UIError.self) { try await host.tap(.button("0")) }
        #expect(host.exists(.button("0")))
    }
}

private final class Shared: ObservableObject {
    @Published var count = 0
    @Published var name = ""
}

@Observable @MainActor private final class Watched {
    var count = 0
    var isOn = false
}

@Observable @MainActor private final class Other {}
