// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RegnumUI
import RegnumUITesting
import Testing

/// Modifiers of appearance, and those without their own suite.
@MainActor @Suite struct ModifierTests {
    @Test func appearanceModifiersBecomeStyleProperties() throws {
        let host = UIHost.pair(
            VStack {
                Text("fixed").fixedSize()
                Text("tall").fixedSize(horizontal: false, vertical: true)
                Text("important").layoutPriority(1)
                Text("dark").preferredColorScheme(.dark)
                Text("selectable").textSelection(.enabled)
                Text("locked").textSelection(.disabled)
                List { Text("row") }.scrollContentBackground(.hidden)
                ScrollView { Text("scrolled") }.scrollIndicators(.hidden).accessibilityIdentifier("scroll")
            })
        #expect(try host.find(.text("fixed")).look("white-space") == "nowrap")
        #expect(try host.find(.text("fixed")).look("flex-shrink") == "0")
        #expect(try host.find(.text("tall")).look("white-space") == nil)
        #expect(try host.find(.text("important")).look("flex-shrink") == "0")
        #expect(try host.find(.text("dark")).look("color-scheme") == "dark")
        #expect(try host.find(.text("selectable")).look("user-select") == "text")
        #expect(try host.find(.text("locked")).look("user-select") == "none")
        #expect(try host.find(.list()).look("background") == "none")
        #expect(try host.find(.id("scroll")).look("scrollbar-width") == "none")
    }

    @Test func gradientsBecomeCSSGradients() throws {
        let host = UIHost.pair(
            VStack {
                RadialGradient(colors: [.black, .white], center: .center, startRadius: 0, endRadius: 40)
                    .accessibilityIdentifier("radial")
                AngularGradient(colors: [.black, .white], center: .top).accessibilityIdentifier("angular")
            })
        #expect(
            try host.find(.id("radial")).look("background")
                == "radial-gradient(circle at 50% 50%, #000 0px, #fff 40px)")
        #expect(
            try host.find(.id("angular")).look("background")
                == "conic-gradient(from 90deg at 50% 0%, #000 0%, #fff 100%)")
    }

    @Test func anInsetIsAboveOrBelow() {
        let host = UIHost.pair(
            Text("middle")
                .safeAreaInset(edge: .top) { Text("top") }
                .safeAreaInset(edge: .bottom) { Text("bottom") })
        #expect(host.all(.role(.text)).map(\.name) == ["top", "middle", "bottom"])
    }

    @Test func onOpenURLReceivesTheAddress() async {
        struct Page: View {
            @State var address = "none"
            var body: some View {
                VStack { Text(address) }.onOpenURL { address = $0.absoluteString }
            }
        }
        let host = UIHost.pair(Page())
        await host.open(URL(fileURLWithPath: "/dogs"))
        #expect(host.exists(.text("file:///dogs")))
    }

    @Test func aSheetIsAsHighAsItsLowestHeight() async throws {
        struct Page: View {
            @State var isPresented = false
            var body: some View {
                Button("Open") { isPresented = true }
                    .sheet(isPresented: $isPresented) {
                        Text("sheet").presentationDetents([.large, .medium, .fraction(0.9)])
                    }
            }
        }
        let host = UIHost.pair(Page())
        try await host.tap(.button("Open"))
        #expect(host.presented?.look("height") == "50vh")
    }

    @Test func suggestionsMayBeGivenFromOutside() async throws {
        struct Page: View {
            @State var text = ""
            var body: some View {
                NavigationStack {
                    Text("found \(text)")
                        .searchable(text: $text)
                        .searchSuggestions { Text("Rex the dog").searchCompletion("Rex") }
                }
            }
        }
        let host = UIHost.pair(Page())
        #expect(!host.exists(.option("Rex the dog")))
        try await host.search("R")
        try await host.choose(.option("Rex the dog"))
        #expect(host.exists(.text("found Rex")))
    }

    @Test func settingsThatTheBrowserAppliesHaveTheirDefaults() {
        struct Page: View {
            @Environment(\.dynamicTypeSize) var size
            @Environment(\.sizeCategory) var category
            @Environment(\.controlSize) var control
            @Environment(\.redactionReasons) var reasons
            @Environment(\.accessibilityReduceMotion) var isStill
            var body: some View { Text("\(size) \(category) \(control) \(reasons.isEmpty) \(isStill)") }
        }
        #expect(UIHost.pair(Page()).exists(.text("large large regular true false")))
    }
}
