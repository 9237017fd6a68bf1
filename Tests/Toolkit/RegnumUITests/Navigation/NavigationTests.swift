// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RegnumUI
import RegnumUITesting
import Testing

/// Pushed and popped pages.
@MainActor @Suite struct NavigationTests {
    private struct Detail: View {
        @Environment(\.dismiss) var dismiss
        let name: String
        @State var count = 0
        var body: some View {
            Button("\(name) \(count)") { count += 1 }
            Button("leave") { dismiss() }
        }
    }

    private struct Names: View {
        @State var names = ["Rex", "Ada"]
        var body: some View {
            NavigationView {
                List {
                    ForEach(names, id: \.self) { name in
                        NavigationLink(name) {
                            VStack {
                                Detail(name: name + " of \(names.count)")
                                Button("sort") { names.sort() }
                                Button("remove") { names.removeAll { $0 == name } }
                                Button("add") { names.append("Zoe") }
                            }
                            .navigationTitle("About \(name)")
                            .toolbar { ToolbarItem(placement: .navigationBarTrailing) { Text("item of \(name)") } }
                        }
                    }
                }
                .navigationBarTitle("Dogs", displayMode: .large)
                .navigationBarItems(trailing: Button("root item") {})
            }
        }
    }

    @Test func pagesArePushedAndPopped() async throws {
        let host = UIHost.pair(Names())
        #expect(host.title == "Dogs")
        #expect(host.exists(.button("root item")))
        try await host.tap(.row(containing: "Rex"))
        #expect(host.title == "About Rex")
        #expect(host.exists(.text("item of Rex")))
        #expect(!host.exists(.button("root item")))
        #expect(!host.exists(.link("Ada")))
        try await host.back()
        #expect(host.title == "Dogs")
        try await host.tap(.link("Ada"))
        try await host.tap(.button("leave"))
        #expect(host.title == "Dogs")
        try await host.tap(.link("Ada"))
        try await host.tap(.button("Dogs"))
        #expect(host.title == "Dogs")
        #expect(host.log.isEmpty)
    }

    @Test func aPageFollowsDataStaysWhenItsListIsSortedAndIsPoppedWithItsRow() async throws {
        let host = UIHost.pair(Names())
        try await host.tap(.link("Rex"))
        try await host.tap(.button("Rex of 2 0"))
        try await host.tap(.button("sort"))
        #expect(host.exists(.button("Rex of 2 1")))
        try await host.tap(.button("add"))
        #expect(host.exists(.button("Rex of 3 0")) || host.exists(.button("Rex of 3 1")))
        try await host.tap(.button("remove"))
        #expect(host.title == "Dogs")
        #expect(host.all(.link()).map(\.name) == ["Ada", "Zoe"])
    }

    @Test func bindingsPushAndPop() async throws {
        struct Parent: View {
            @State var isActive = false
            @State var selection: String?
            var body: some View {
                NavigationView {
                    VStack {
                        NavigationLink("active", isActive: $isActive) { Detail(name: "active") }
                        NavigationLink(destination: Detail(name: "tagged"), tag: "t", selection: $selection) {
                            Text("tag")
                        }
                        Button("push") { isActive = true }
                        Button("select") { selection = "t" }
                        Button("both") {
                            isActive = true
                            isActive = false
                        }
                        Text("\(isActive) \(selection ?? "nil")")
                    }
                }
            }
        }
        let host = UIHost.pair(Parent())
        try await host.tap(.button("push"))
        #expect(host.exists(.button("active 0")))
        try await host.back()
        #expect(host.exists(.text("false nil")))
        try await host.tap(.button("select"))
        #expect(host.exists(.button("tagged 0")))
        try await host.tap(.button("leave"))
        #expect(host.exists(.text("false nil")))
        try await host.tap(.button("both"))
        #expect(host.exists(.text("false nil")))
        try await host.tap(.link("active"))
        #expect(host.exists(.button("active 0")))
    }

    @Test func pathsAreTwoWay() async throws {
        struct Parent: View {
            @State var path = NavigationPath()
            @State var names: [String] = []
            var body: some View {
                NavigationStack(path: $path) {
                    VStack {
                        NavigationLink("one", value: 1)
                        Button("deep") {
                            path.append(1)
                            path.append("x")
                        }
                        Text("depth \(path.count)")
                    }
                    .navigationDestination(for: Int.self) { number in
                        VStack {
                            Text("number \(number)")
                            NavigationLink("further", value: "y")
                        }
                    }
                    .navigationDestination(for: String.self) { text in
                        VStack {
                            Text("text \(text)")
                            Button("home") { path = NavigationPath() }
                        }
                    }
                }
            }
        }
        let host = UIHost.pair(Parent())
        try await host.tap(.link("one"))
        #expect(host.exists(.text("number 1")))
        try await host.tap(.link("further"))
        #expect(host.exists(.text("text y")))
        try await host.back()
        #expect(host.exists(.text("number 1")))
        try await host.back()
        #expect(host.exists(.text("depth 0")))
        try await host.tap(.button("deep"))
        #expect(host.exists(.text("text x")))
        try await host.tap(.button("home"))
        #expect(host.exists(.text("depth 0")))
        await #expect(throws: UIError.self) { try await host.back() }
    }

    @Test func aStackWithoutAPathKeepsItsOwn() async throws {
        let host = UIHost.pair(
            NavigationStack {
                NavigationLink("one", value: 1)
                    .navigationDestination(for: Int.self) { Text("number \($0)").navigationTitle("Number") }
                    .navigationTitle("Root")
            })
        try await host.tap(.link("one"))
        #expect(host.title == "Number")
        try await host.tap(.button("Root"))
        #expect(host.title == "Root")
    }

    @Test func pagesBelowAreNotShownButLiveOn() async throws {
        struct Parent: View {
            let log: Box<[String]>
            @State var count = 0
            var body: some View {
                NavigationView {
                    VStack {
                        Button("count \(count)") { count += 1 }
                        NavigationLink("go") {
                            Text("detail").onAppear { log.value.append("detail came") }
                                .onDisappear { log.value.append("detail went") }
                        }
                    }
                    .onAppear { log.value.append("root came") }
                    .onDisappear { log.value.append("root went") }
                }
            }
        }
        let log = Box<[String]>([])
        let host = UIHost.pair(Parent(log: log))
        try await host.tap(.button("count 0"))
        try await host.tap(.link("go"))
        try await host.back()
        #expect(host.exists(.button("count 1")))
        #expect(log.value == ["root came", "root went", "detail came", "detail went", "root came"])
    }

    @Test func tabsKeepTheirState() async throws {
        struct Parent: View {
            let log: Box<[String]>
            @State var tab = "a"
            var body: some View {
                TabView(selection: $tab) {
                    Detail(name: "first").tabItem { Label("First", systemImage: "star") }.tag("a")
                        .onAppear { log.value.append("a") }
                    NavigationView { Button("to first") { tab = "a" }.navigationTitle("Second") }
                        .tabItem { Text("Second") }.tag("b").onDisappear { log.value.append("not b") }
                }
            }
        }
        let log = Box<[String]>([])
        let host = UIHost.pair(Parent(log: log))
        try await host.tap(.button("first 0"))
        try await host.tap(.tab("Second"))
        #expect(host.title == "Second")
        #expect(!host.exists(.button("first 1")))
        try await host.tap(.button("to first"))
        #expect(host.exists(.button("first 1")))
        #expect(try host.find(.tab("First")).isSelected)
        #expect(log.value == ["a", "not b", "a"])
    }

    @Test func theEditButtonSwitchesTheModeOfItsPage() async throws {
        struct Inner: View {
            @Environment(\.editMode) var editMode
            var body: some View { Text(editMode?.wrappedValue.isEditing == true ? "editing" : "reading") }
        }
        let host = UIHost.pair(NavigationView { Inner().navigationBarItems(leading: EditButton()) })
        try await host.tap(.button("Edit"))
        #expect(host.exists(.text("editing")))
        try await host.tap(.button("Done"))
        #expect(host.exists(.text("reading")))
    }
}
