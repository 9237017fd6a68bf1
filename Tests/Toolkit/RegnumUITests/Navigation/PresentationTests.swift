// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RegnumUI
import RegnumUITesting
import Testing

/// Sheets, alerts, dialogs, and search.
@MainActor @Suite struct PresentationTests {
    private struct Item: Identifiable {
        let id: Int
    }

    private struct Form: View {
        @Environment(\.presentationMode) var mode
        @State var count = 0
        var body: some View {
            Button("count \(count)") { count += 1 }
            Button("close") { mode.wrappedValue.dismiss() }
            Text(mode.wrappedValue.isPresented ? "presented" : "not presented")
        }
    }

    @Test func aSheetIsNewEachTimeAndReportsItsDismissal() async throws {
        struct Parent: View {
            let log: Box<[String]>
            @State var isShown = false
            @State var item: Item?
            var body: some View {
                VStack {
                    Button("show") { isShown = true }
                    Button("item") { item = Item(id: 7) }
                    Form()
                }
                .sheet(isPresented: $isShown, onDismiss: { log.value.append("ended \(isShown)") }) {
                    NavigationView { Form().navigationTitle("Sheet") }
                }
                .sheet(item: $item) { Text("item \($0.id)").interactiveDismissDisabled() }
            }
        }
        let log = Box<[String]>([])
        let host = UIHost.pair(Parent(log: log))
        #expect(host.exists(.text("not presented")))
        try await host.tap(.button("close"))
        try await host.tap(.button("show"))
        #expect(host.title == "Sheet")
        #expect(host.exists(.text("presented")))
        #expect(!host.exists(.button("show")))
        try await host.tap(.button("count 0"))
        try await host.tap(.button("close"))
        #expect(host.presented == nil)
        #expect(log.value == ["ended false"])
        try await host.tap(.button("show"))
        #expect(host.exists(.button("count 0")))
        try await host.dismiss()
        #expect(log.value.count == 2)
        try await host.tap(.button("item"))
        #expect(host.exists(.text("item 7")))
        await #expect(throws: UIError.self) { try await host.dismiss() }
        #expect(host.log.isEmpty)
    }

    @Test func dismissalClosesTheInnermost() async throws {
        struct Parent: View {
            @State var isShown = false
            var body: some View {
                Button("show") { isShown = true }
                    .sheet(isPresented: $isShown) {
                        NavigationView {
                            NavigationLink("page") { Form().navigationTitle("Page") }.navigationTitle("Sheet")
                                .toolbar { Form() }
                        }
                    }
            }
        }
        let host = UIHost.pair(Parent())
        try await host.tap(.button("show"))
        try await host.tap(.link("page"))
        try await host.tap(.button("close"))
        #expect(host.title == "Sheet")
        try await host.tap(.button("close"))
        #expect(host.presented == nil)
    }

    @Test func alertsCloseAtAnyButtonAndWaitForEachOther() async throws {
        struct Parent: View {
            let log: Box<[String]>
            @State var first = false
            @State var second = false
            @State var old = false
            var body: some View {
                VStack {
                    Button("both") {
                        first = true
                        second = true
                    }
                    Button("old") { old = true }
                }
                .alert("First", isPresented: $first) {
                    Button("Keep", role: .cancel) { log.value.append("kept") }
                    Button("Delete", role: .destructive) { log.value.append("deleted") }
                } message: {
                    Text("Really?")
                }
                .alert("Second", isPresented: $second) {}
                .alert(isPresented: $old) {
                    Alert(
                        title: Text("Old"), message: Text("style"),
                        primaryButton: .default(Text("Yes")) { log.value.append("yes") },
                        secondaryButton: .cancel())
                }
            }
        }
        let log = Box<[String]>([])
        let host = UIHost.pair(Parent(log: log))
        try await host.tap(.button("both"))
        #expect(host.presented?.name == "First")
        #expect(host.exists(.text("Really?")))
        await #expect(throws: UIError.self) { try await host.dismiss() }
        try await host.tap(.button("Delete"))
        #expect(host.presented?.name == "Second")
        try await host.tap(.button("OK"))
        #expect(host.presented == nil)
        try await host.tap(.button("old"))
        try await host.tap(.button("Yes"))
        #expect(host.presented == nil)
        #expect(log.value == ["deleted", "yes"])
    }

    @Test func aDialogCanAlwaysBeLeft() async throws {
        struct Parent: View {
            @State var isShown = false
            @State var count = 0
            var body: some View {
                Button("ask \(count)") { isShown = true }
                    .confirmationDialog("Sure?", isPresented: $isShown) { Button("Do it") { count += 1 } }
            }
        }
        let host = UIHost.pair(Parent())
        try await host.tap(.button("ask 0"))
        try await host.tap(.button("Cancel"))
        try await host.tap(.button("ask 0"))
        try await host.tap(.button("Do it"))
        #expect(host.exists(.button("ask 1")))
        try await host.tap(.button("ask 1"))
        try await host.press(key: .escape)
        #expect(host.presented == nil)
    }

    @Test func aSearchFieldHasSuggestionsWhileTheUserIsInIt() async throws {
        struct Results: View {
            let text: String
            @Environment(\.isSearching) var isSearching
            @Environment(\.dismissSearch) var dismissSearch
            var body: some View {
                Text("\(isSearching ? "searching" : "idle") “\(text)”")
                Button("end") { dismissSearch() }
            }
        }
        struct Parent: View {
            @State var text = ""
            var body: some View {
                NavigationView {
                    Results(text: text).searchable(text: $text, prompt: "Find dogs") {
                        Text("Rex!").searchCompletion("Rex")
                    }
                }
            }
        }
        let host = UIHost.pair(Parent())
        #expect(host.exists(.text("idle “”")))
        #expect(!host.exists(.option("Rex!")))
        try await host.search("R")
        #expect(host.exists(.text("searching “R”")))
        try await host.choose(.option("Rex!"))
        #expect(host.exists(.text("searching “Rex”")))
        #expect(try host.find(.field("Find dogs")).value == "Rex")
        try await host.tap(.button("end"))
        #expect(host.exists(.text("idle “”")))
        try await host.search("x")
        try await host.press(key: .escape)
        #expect(host.exists(.text("idle “”")))
    }

    @Test func aRefreshShowsThatItRuns() async throws {
        struct Parent: View {
            @State var count = 0
            var body: some View {
                NavigationView {
                    List { Text("\(count)") }.refreshable {
                        await Task.detached {}.value
                        count += 1
                    }
                }
            }
        }
        let host = UIHost.pair(Parent())
        try await host.refresh()
        #expect(host.exists(.text("1")))
        #expect(try !host.find(.button("Reload")).isBusy)
    }
}
