// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import OpenCombine
import RegnumUI
import Testing

/// A closed window releases everything that it retained.
@MainActor @Suite struct ClosingTests {
    private final class Kept: ObservableObject {
        @Published var count = 0
    }

    private struct Page: View {
        @StateObject var kept = Kept()
        @State var isShown = false
        @FocusState var isFocused: Bool
        let made: (Kept) -> Void

        var body: some View {
            NavigationView {
                List {
                    ForEach(0..<3, id: \.self) { Text("\($0)") }.onDelete { _ in isShown = true }
                    NavigationLink("go") { Text("there") }
                    TextField("text", text: .constant("")).focused($isFocused)
                    Text(verbatim: "\(kept.count)").onAppear { made(kept) }.onDisappear {}
                }
                .searchable(text: .constant(""))
                .refreshable {}
                .navigationTitle("Page")
                .toolbar { Button("add") { isShown = true } }
                .sheet(isPresented: $isShown) { Text("sheet") }
                .alert("alert", isPresented: $isShown) {}
            }
            .task { try? await Task.sleep(for: .seconds(600)) }
        }
    }

    @Test func nothingIsKept() async {
        weak var graph: Graph?
        weak var kept: Kept?
        do {
            let made = Graph(Page { kept = $0 }, size: CGSize(width: 390, height: 844))
            graph = made
            #expect(kept != nil)
            made.close()
        }
        for _ in 0..<60_000 where kept != nil || graph != nil { try? await Task.sleep(for: .milliseconds(10)) }
        #expect(kept == nil)
        #expect(graph == nil)
    }
}
