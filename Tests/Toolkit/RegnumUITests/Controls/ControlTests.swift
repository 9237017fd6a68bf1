// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RegnumUI
import RegnumUITesting
import Testing

/// Each control, found by a query, with its value read and written.
@MainActor @Suite struct ControlTests {
    @Test func toggle() async throws {
        struct Parent: View {
            @State var isOn = false
            var body: some View {
                Toggle("sound", isOn: $isOn)
                Button("off") { isOn = false }
            }
        }
        let host = UIHost.pair(Parent())
        try await host.toggle(.toggle("sound"))
        #expect(try host.find(.toggle("sound")).isOn)
        try await host.tap(.button("off"))
        #expect(try !host.find(.toggle("sound")).isOn)
    }

    private enum Priority: String, CaseIterable, Identifiable {
        case low, high
        var id: String { rawValue }
    }

    @Test func pickerOfAnEnumAndOfAnOptional() async throws {
        struct Parent: View {
            @State var priority = Priority.low
            @State var choice: Int?
            @State var name = "high"
            var body: some View {
                Picker("priority", selection: $priority) {
                    ForEach(Priority.allCases) { Text($0.rawValue).tag($0) }
                }
                Picker("choice", selection: $choice) {
                    Text("none").tag(Int?.none)
                    Text("one").tag(1)
                    Section("more") { Text("two").tag(Int?.some(2)) }
                }
                Picker("name", selection: $name) {
                    ForEach(Priority.allCases) { Text($0.rawValue.uppercased()) }
                }
                .pickerStyle(.segmented)
                Text("\(priority.rawValue) \(choice ?? 0) \(name)")
            }
        }
        let host = UIHost.pair(Parent())
        try await host.choose("high", in: .picker("priority"))
        try await host.choose("one", in: .picker("choice"))
        try await host.choose("LOW", in: .picker("name"))
        #expect(host.exists(.text("high 1 low")))
        try await host.choose("two", in: .picker("choice"))
        #expect(host.exists(.text("high 2 low")))
        try await host.choose("none", in: .picker("choice"))
        #expect(host.exists(.text("high 0 low")))
        #expect(try host.find(.picker("name")).value == "LOW")
        #expect(try host.find(.picker("name")).look("class") == "SegmentedPickerStyle")
        #expect(host.log.isEmpty)
    }

    @Test func pickerWithoutTheSelectedOption() async throws {
        struct Parent: View {
            @State var choice = 9
            var body: some View {
                Picker("choice", selection: $choice) {
                    Text("one").tag(1)
                    Text("untagged")
                }
            }
        }
        let host = UIHost.pair(Parent())
        #expect(try host.find(.picker("choice")).value == nil)
        #expect(host.log == ["A picker has no option for its selection."])
        await #expect(throws: UIError.self) { try await host.choose("untagged", in: .picker("choice")) }
        try await host.choose("one", in: .picker("choice"))
        #expect(try host.find(.picker("choice")).value == "one")
    }

    @Test func sliderAndStepperKeepTheirBounds() async throws {
        struct Parent: View {
            @State var volume = 0.5
            @State var count = 1
            var body: some View {
                Slider(value: $volume, in: 0...10, step: 2) { Text("volume") }
                Stepper("count", value: $count, in: 0...2)
                Text("\(Int(volume * 10)) \(count)")
            }
        }
        let host = UIHost.pair(Parent())
        try await host.set(7.2, of: .slider("volume"))
        #expect(host.exists(.text("80 1")))
        try await host.set(11, of: .slider("volume"))
        #expect(host.exists(.text("80 1")))
        try await host.tap(.button("Increment"))
        #expect(host.exists(.text("80 2")))
        #expect(try !host.find(.button("Increment")).isEnabled)
        await #expect(throws: UIError.self) { try await host.tap(.button("Increment")) }
        try await host.tap(.button("Decrement"))
        #expect(try host.find(.stepper("count")).value == "1")
    }

    @Test func datesOutsideOfTheRangeAreNotTaken() async throws {
        struct Parent: View {
            @State var date = Date(timeIntervalSince1970: 100)
            var body: some View {
                DatePicker("day", selection: $date, in: Date(timeIntervalSince1970: 0)..., displayedComponents: .date)
                Text("\(Int(date.timeIntervalSince1970))")
            }
        }
        let host = UIHost.pair(Parent())
        try await host.set(Date(timeIntervalSince1970: -5), of: .date("day"))
        #expect(host.exists(.text("100")))
        try await host.set(Date(timeIntervalSince1970: 50), of: .date("day"))
        #expect(host.exists(.text("50")))
    }

    @Test func linksOpenAllowedAddressesOnly() async throws {
        let good = try #require(URL(string: "https://a.example"))
        let bad = try #require(URL(string: "javascript:alert(1)"))
        let host = UIHost.pair(
            VStack {
                Link("good", destination: good)
                Link("bad", destination: bad)
            })
        try await host.tap(.link("good"))
        #expect(host.openedAddresses == [good])
        #expect(!host.exists(.link("bad")))
        #expect(host.exists(.text("bad")))
    }

    @Test func aHandlerOfURLsMayLeaveThemToTheBrowser() async throws {
        let (kept, left) = (
            try #require(URL(string: "https://a.example")), try #require(URL(string: "https://b.example"))
        )
        let host = UIHost.pair(
            VStack {
                Link("kept", destination: kept)
                Link("left", destination: left)
            }
            .environment(\.openURL, OpenURLAction { $0 == kept ? .handled : .systemAction })
            .environment(\.openURL, OpenURLAction { _ in .discarded }))
        try await host.tap(.link("kept"))
        #expect(host.openedAddresses.isEmpty)
        try await host.tap(.link("left"))
        #expect(host.openedAddresses == [left])
    }

    @Test func progressMenuAndLabels() async throws {
        struct Parent: View {
            @State var count = 0
            var body: some View {
                ProgressView()
                ProgressView("loading", value: 1.0, total: 4)
                Menu("more") { Button("add") { count += 1 } }
                Label("title", systemImage: "star")
                LabeledContent("name", value: "Rex")
                Button {
                } label: {
                    Image(systemName: "plus")
                }
                Text("\(count)").badge(3)
            }
        }
        let host = UIHost.pair(Parent())
        #expect(try host.find(.progress("loading")).value == "0.25")
        #expect(host.all(.progress()).first?.isBusy == true)
        #expect(host.exists(.menu("more")))
        try await host.tap(UIQuery.button("add").inside(.menu("more")))
        #expect(host.exists(.text("1")))
        // An icon is named by the description of its symbol. A title needs none.
        #expect(host.all(.button("add")).count == 2)
        #expect(!host.exists(.image("star")))
        #expect(host.exists(.text("Rex")))
    }

    @Test func stylesOfTheProgramsOwnChangeButtons() async throws {
        struct Loud: ButtonStyle {
            @Environment(\.isEnabled) var isEnabled
            func makeBody(configuration: Configuration) -> some View {
                HStack {
                    configuration.label
                    Text(isEnabled ? "!" : "?")
                }
            }
        }
        struct Twice: PrimitiveButtonStyle {
            func makeBody(configuration: Configuration) -> some View {
                configuration.label.onTapGesture {
                    configuration.trigger()
                    configuration.trigger()
                }
            }
        }
        struct Parent: View {
            @State var count = 0
            var body: some View {
                Button("add") { count += 1 }.buttonStyle(Loud())
                Button("twice") { count += 1 }.buttonStyle(Twice())
                Button("plain") {}.buttonStyle(.plain)
                Text("\(count)")
            }
        }
        let host = UIHost.pair(Parent())
        try await host.tap(.button("add !"))
        #expect(host.exists(.text("1")))
        try await host.tap(.text("twice"))
        #expect(host.exists(.text("3")))
        #expect(try host.find(.button("plain")).look("class") == "plain")
    }

    @Test func gestures() async throws {
        struct Parent: View {
            @State var count = 0
            var body: some View {
                Text("tap \(count)").onTapGesture { count += 1 }.onLongPressGesture { count += 10 }
                HStack { Button("inner") { count += 100 } }.onTapGesture { count += 1000 }
            }
        }
        let host = UIHost.pair(Parent())
        try await host.tap(.text("tap 0"))
        try await host.longPress(.text("tap 1"))
        try await host.tap(.button("inner"))
        #expect(host.exists(.text("tap 111")))
    }
}
