// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RegnumUI
import RegnumUITesting
import Testing

private struct Dog: Identifiable, Equatable {
    let id: Int
    var name: String
}

/// Lists: rows, deletion, movement, selection, and windows.
@MainActor @Suite struct ListTests {
    private struct Dogs: View {
        @State var dogs = [Dog(id: 1, name: "Rex"), Dog(id: 2, name: "Ada"), Dog(id: 3, name: "Bo")]
        var body: some View {
            List {
                Text("first")
                Section("dogs") {
                    ForEach(dogs) { dog in
                        Text(dog.name).deleteDisabled(dog.name == "Bo")
                    }
                    .onDelete { dogs.remove(atOffsets: $0) }
                    .onMove { dogs.move(fromOffsets: $0, toOffset: $1) }
                }
            }
            Text(dogs.map(\.name).joined(separator: " ")).accessibilityIdentifier("names")
        }
    }

    @Test func groupsAreFlattenedIntoRows() throws {
        struct Two: View {
            var body: some View {
                Text("a")
                Text("b")
            }
        }
        let host = UIHost.pair(
            List {
                Group {
                    Text("1"); Text("2")
                }
                Two()
                HStack {
                    Text("3"); Text("4")
                }
                EmptyView()
                ForEach(0..<2) { Text("n\($0)") }
            })
        #expect(host.all(.row()).map(\.name) == ["1", "2", "a", "b", "3 4", "n0", "n1"])
    }

    @Test func rowsAreDeletedByTheirIdentity() async throws {
        let host = UIHost.pair(Dogs())
        try await host.delete(.row(containing: "Ada"))
        #expect(try host.find(.id("names")).name == "Rex Bo")
        await #expect(throws: UIError.self) { try await host.delete(.row(containing: "Bo")) }
        await #expect(throws: UIError.self) { try await host.delete(.row(containing: "first")) }
        try await host.delete(.row(containing: "Rex"))
        #expect(try host.find(.id("names")).name == "Bo")
    }

    @Test func rowsAreMovedAsInSwiftUI() async throws {
        let host = UIHost.pair(Dogs())
        try await host.move(.row(containing: "Rex"), to: 2)
        #expect(try host.find(.id("names")).name == "Ada Rex Bo")
        try await host.move(.row(containing: "Bo"), to: 0)
        #expect(try host.find(.id("names")).name == "Bo Ada Rex")
        try await host.move(.row(containing: "Bo"), to: 3)
        #expect(try host.find(.id("names")).name == "Ada Rex Bo")
    }

    @Test func rowsAreSelected() async throws {
        struct Parent: View {
            @State var one: Int?
            @State var several: Set<Int> = []
            var body: some View {
                List(selection: $one) { ForEach(0..<3) { Text("one \($0)") } }
                List(selection: $several) { ForEach(0..<3) { Text("many \($0)") } }
                Text("\(one ?? -1) \(several.sorted())")
            }
        }
        let host = UIHost.pair(Parent())
        try await host.tap(.row(containing: "one 1"))
        try await host.tap(.row(containing: "many 2"))
        try await host.tap(.row(containing: "many 0"))
        #expect(host.exists(.text("1 [0, 2]")))
        #expect(try host.find(.row(containing: "one 1")).isSelected)
        try await host.tap(.row(containing: "many 2"))
        #expect(host.exists(.text("1 [0]")))
    }

    @Test func aLongListIsMadeInWindows() async throws {
        struct Row: View {
            let number: Int
            var body: some View { Text("\(number)") }
        }
        struct Parent: View {
            @State var numbers = Array(0..<1000)
            var body: some View {
                List(numbers, id: \.self) { Row(number: $0) }
                Button("before") { numbers.insert(-1, at: 0) }
            }
        }
        let host = UIHost.pair(Parent())
        #expect(host.all(.row()).count == 200)
        #expect(host.evaluations(of: Row.self) == 200)
        try await host.scrollToEnd(.list())
        #expect(host.all(.row()).count == 400)
        #expect(host.evaluations(of: Row.self) == 400)
        try await host.tap(.button("before"))
        #expect(host.all(.row()).count == 400)
        #expect(host.evaluations(of: Row.self) == 401)
    }

    @Test func bindingsToElementsFollowTheirPlaces() async throws {
        struct Parent: View {
            @State var dogs = [Dog(id: 1, name: "Rex"), Dog(id: 2, name: "Ada")]
            var body: some View {
                List {
                    ForEach($dogs) { $dog in TextField("name \(dog.id)", text: $dog.name) }
                        .onDelete { dogs.remove(atOffsets: $0) }
                }
                Text(dogs.map(\.name).joined(separator: " "))
            }
        }
        let host = UIHost.pair(Parent())
        try await host.type("!", into: .field("name 2"))
        #expect(host.exists(.text("Rex Ada!")))
        try await host.delete(UIQuery.row().at(0))
        try await host.type("?", into: .field("name 2"))
        #expect(host.exists(.text("Ada!?")))
    }

    @Test func rowsHaveActions() async throws {
        struct Parent: View {
            @State var count = 0
            var body: some View {
                List {
                    Text("Rex").swipeActions { Button("pet") { count += 1 } }
                    HStack { Text("Ada").contextMenu { Button("feed") { count += 10 } } }
                    Text("Bo").listRowBackground(Color.red).badge(2)
                }
                Text("\(count)")
            }
        }
        let host = UIHost.pair(Parent())
        try await host.swipe(.row(containing: "Rex"), action: "pet")
        try await host.swipe(.row(containing: "Ada"), action: "feed")
        #expect(host.exists(.text("11")))
        #expect(try host.find(.row(containing: "Rex")).name == "Rex")
        #expect(try host.find(.row(containing: "Bo")).badge == "2")
    }

    @Test func sectionsAreShownAndHidden() async throws {
        struct Parent: View {
            @State var isOpen = true
            var body: some View {
                Form {
                    Section("open", isExpanded: $isOpen) { Text("inside") }
                    Section {
                        Text("x")
                    } header: {
                        Text("head")
                    } footer: {
                        Text("foot")
                    }
                    DisclosureGroup("details") { Text("hidden") }
                }
            }
        }
        let host = UIHost.pair(Parent())
        #expect(host.exists(UIQuery.row(containing: "inside").inside(.section("open"))))
        try await host.tap(.text("open"))
        #expect(!host.exists(.text("inside")))
        #expect(host.exists(UIQuery.text("foot").inside(.section("head"))))
        #expect(!host.exists(.text("hidden")))
        try await host.tap(.button("details"))
        #expect(host.exists(.text("hidden")))
    }

    @Test(arguments: 0..<6) func anySequenceOfEventsIsAsInAModel(seed: Int) async throws {
        struct Row: View {
            let id: Int
            @State var taps = 0
            var body: some View { Button("row \(id) \(taps)") { taps += 1 } }
        }
        struct Parent: View {
            let box: Box<[Int]>
            @State var version = 0
            var body: some View {
                List {
                    if version % 3 == 0 { Text("third") }
                    ForEach(box.value, id: \.self) { Row(id: $0) }
                        .onDelete {
                            box.value.remove(atOffsets: $0); version += 1
                        }
                        .onMove {
                            box.value.move(fromOffsets: $0, toOffset: $1); version += 1
                        }
                }
                Button("changed") { version += 1 }
            }
        }
        var random = Random(state: UInt64(seed) &* 77 &+ 5)
        let box = Box(Array(0..<5))
        var (next, taps) = (5, [Int: Int]())
        let host = UIHost.pair(Parent(box: box))
        for _ in 0..<40 {
            let shown = box.value
            switch Int.random(in: 0..<5, using: &random) {
            case 0:
                box.value.insert(next, at: Int.random(in: 0...shown.count, using: &random))
                next += 1
                try await host.tap(.button("changed"))
            case 1:
                guard let id = shown.randomElement(using: &random) else { continue }
                try await host.delete(.row(containing: "row \(id) "))
                #expect(box.value == shown.filter { $0 != id })
            case 2:
                guard let id = shown.randomElement(using: &random) else { continue }
                let target = Int.random(in: 0...shown.count, using: &random)
                let header = host.exists(.row(containing: "third")) ? 1 : 0
                try await host.move(.row(containing: "row \(id) "), to: target + header)
                var expected = shown
                if let from = shown.firstIndex(of: id) { expected.move(fromOffsets: [from], toOffset: target) }
                #expect(box.value == expected)
            case 3:
                box.value.shuffle(using: &random)
                try await host.tap(.button("changed"))
            default:
                guard let id = shown.randomElement(using: &random) else { continue }
                try await host.tap(.row(containing: "row \(id) "))
                taps[id, default: 0] += 1
            }
            let expected = box.value.map { "row \($0) \(taps[$0] ?? 0)" }
            #expect(host.all(.row()).map(\.name).filter { $0 != "third" } == expected)
        }
        #expect(host.log.isEmpty)
    }
}

struct Random: RandomNumberGenerator {
    var state: UInt64

    mutating func next() -> UInt64 {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return state ^ (state >> 29)
    }
}
