// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift
@testable import RealmSwiftUI
import RegnumUITesting
import SwiftUI
import TestTraits
import Testing

private typealias Order = RealmSwift.SortDescriptor

private struct Row: View {
    let dog: UIDog
    var body: some View { Text(dog.name) }
}

private struct DogList: View {
    @ObservedResults(UIDog.self, sortDescriptor: Order(keyPath: "_id", ascending: true)) var dogs
    var body: some View {
        let _ = Captured.wrapper = $dogs
        List { ForEach(dogs) { Row(dog: $0) }.onDelete(perform: $dogs.remove) }
    }
}

@MainActor private enum Captured {
    static var wrapper: ObservedResults<UIDog>?
}

private struct Sections: View {
    @ObservedSectionedResults(UIDog.self, sectionKeyPath: \.breed) var dogs
    var body: some View {
        List {
            ForEach(dogs) { section in
                Section(section.key ?? "none") {
                    ForEach(section) { dog in Text(dog.name) }
                        .onDelete { $dogs.remove(atOffsets: $0, section: section) }
                }
            }
        }
    }
}

extension WrapperTests {
    /// Problems of the original's wrappers with lists, by the rows of REPORT E.
    @MainActor @Suite struct ListViewTests {
        @Test(.behaviour("E01")) func rowsDeletedBeforeARedrawAreHarmless() async throws {
            struct Both: View {
                @ObservedResults(UIDog.self) var all
                var body: some View {
                    Text("\(all.count)")
                    DogList()
                    Sections()
                }
            }
            let kennel = try Kennel((0..<40).map { UIDog($0, "Dog \($0)", breed: ["boxer", "beagle"][$0 % 2]) })
            let host = show(Both(), kennel)
            for id in stride(from: 39, to: 1, by: -3) {
                try await kennel.writeElsewhere { realm in
                    realm.delete(realm.objects(UIDog.self).where { $0._id == id || $0._id == id / 2 })
                }
                await host.settle()
            }
            let left = kennel.dogs.count
            #expect(host.exists(.text("\(left)")))
            #expect(host.all(.row()).count == 2 * left)
            #expect(host.log.isEmpty)
        }

        @Test(.behaviour("E03")) func aRedrawRunsNoQueryAndOneChangedRowIsOneEvaluation() async throws {
            struct Parent: View {
                @State private var count = 0
                var body: some View {
                    Button("Redraw") { count += 1 }
                    Text("\(count)")
                    DogList()
                }
            }
            let kennel = try Kennel.rexAdaBo()
            let host = show(Parent(), kennel)
            for _ in 0..<5 { try await host.tap(.button("Redraw")) }
            #expect(host.evaluations(of: Parent.self) == 6)
            #expect(host.evaluations(of: DogList.self) == 1)
            #expect(host.evaluations(of: Row.self) == 3)
            try kennel.realm.write { try kennel.dog(2).name = "Adele" }
            await host.settle()
            #expect(rows(host) == ["Rex", "Adele", "Bo"])
            #expect(host.evaluations(of: DogList.self) == 2)
            #expect(host.evaluations(of: Row.self) == 4)
        }

        @Test(.behaviour("E05")) func changesOfEveryOriginAreShown() async throws {
            let kennel = try Kennel.rexAdaBo()
            let host = show(DogList(), kennel)
            try kennel.realm.write { try kennel.dog(1).name = "here" }
            await host.settle()
            #expect(rows(host).first == "here")
            try await kennel.writeElsewhere { $0.object(ofType: UIDog.self, forPrimaryKey: 1)?.name = "elsewhere" }
            await host.settle()
            #expect(rows(host).first == "elsewhere")
            try await kennel.realm.asyncWrite {
                _ = kennel.realm.create(UIDog.self, value: ["_id": 0, "name": "late"])
            }
            await host.settle()
            #expect(rows(host).first == "late")
        }

        @Test(.behaviour("E06")) func conditionsAddUpAndEachChangeIsOneEvaluation() async throws {
            struct Filtered: View {
                @ObservedResults var dogs: Results<UIDog>
                @State private var text = ""

                init(heavierThan weight: Int) {
                    _dogs = ObservedResults(UIDog.self, where: { $0.weight > weight })
                }

                var body: some View {
                    NavigationView {
                        List { ForEach(dogs) { Text($0.name) } }
                            .searchable(text: $text, collection: $dogs, keyPath: \.name)
                    }
                    Button("Boxers") { $dogs.where = { $0.breed == "boxer" } }
                    Button("Any breed") { $dogs.where = nil }
                }
            }
            struct Parent: View {
                @State private var weight = 5
                var body: some View {
                    Button("Redraw \(weight)") { weight += 0 }
                    Button("Heavier") { weight += 20 }
                    Filtered(heavierThan: weight)
                }
            }
            let kennel = try Kennel.rexAdaBo()
            let host = show(Parent(), kennel)
            #expect(rows(host) == ["Rex", "Ada", "Bo"])
            var count = host.evaluations(of: Filtered.self)
            try await host.tap(.button("Boxers"))
            #expect(rows(host) == ["Rex", "Bo"])
            #expect(host.evaluations(of: Filtered.self) == count + 1)
            count = host.evaluations(of: Filtered.self)
            try await host.search("o")
            #expect(rows(host) == ["Bo"])
            #expect(host.evaluations(of: Filtered.self) == count + 1)
            try await host.tap(.button("Redraw 5"))
            #expect(rows(host) == ["Bo"])
            try await host.search("")
            #expect(rows(host) == ["Rex", "Bo"])
            try await host.tap(.button("Heavier"))
            #expect(rows(host) == ["Rex"], "the declared condition has changed, which takes back what was set later")
        }

        @Test(.behaviour("E07")) func severalSortDescriptors() async throws {
            struct Sorted: View {
                @ObservedResults(
                    UIDog.self, sortDescriptors: [Order(keyPath: "breed"), Order(keyPath: "weight", ascending: false)])
                var dogs
                var body: some View {
                    List { ForEach(dogs) { Text($0.name) } }
                    Button("Otherwise") {
                        $dogs.sortDescriptors = [Order(keyPath: "breed", ascending: false), Order(keyPath: "weight")]
                    }
                }
            }
            let kennel = try Kennel.rexAdaBo()
            let host = show(Sorted(), kennel)
            #expect(rows(host) == ["Ada", "Rex", "Bo"])
            try await host.tap(.button("Otherwise"))
            #expect(rows(host) == ["Bo", "Rex", "Ada"])
        }

        @Test(.behaviour("E12")) func theArgumentPrecedesTheEnvironmentAndAChangeRunsANewQuery() async throws {
            struct Switching: View {
                let configurations: [Realm.Configuration]
                @State private var index = 0
                var body: some View {
                    Button("Switch") { index = 1 }
                    Counted().environment(\.realmConfiguration, configurations[index])
                }
            }
            struct Counted: View {
                @ObservedResults(UIDog.self) var dogs
                var body: some View { Text("\(dogs.count)") }
            }
            let (three, one) = (try Kennel.rexAdaBo(), try Kennel([UIDog(1, "One")]))
            let host = UIHost.pair(Switching(configurations: [three.configuration, one.configuration]))
            #expect(host.exists(.text("3")))
            try await host.tap(.button("Switch"))
            #expect(host.exists(.text("1")))
            try one.realm.write { one.realm.add(UIDog(2, "Two")) }
            await host.settle()
            #expect(host.exists(.text("2")))
        }

        @Test(.behaviour("E22")) func offsetsReferToTheShownRows() async throws {
            let kennel = try Kennel.rexAdaBo()
            let host = show(DogList(), kennel)
            let wrapper = try #require(Captured.wrapper)
            try kennel.realm.write { kennel.realm.add(UIDog(0, "Zero")) }
            wrapper.remove(atOffsets: [0, 7])
            #expect(kennel.names == ["Zero", "Ada", "Bo"])
            await host.settle()
            #expect(rows(host) == ["Zero", "Ada", "Bo"])
            Captured.wrapper = nil
        }

        @Test(.behaviour("E23", "E29")) func onlyTheKeyPathsThatWereNamedAreFollowed() async throws {
            struct Named: View {
                @ObservedResults(UIDog.self, keyPaths: ["name"]) var dogs
                var body: some View { Text(dogs.map { "\($0.name) \($0.weight)" }.joined(separator: ", ")) }
            }
            let kennel = try Kennel([UIDog(1, "Rex", weight: 30)])
            let host = show(Named(), kennel)
            try kennel.realm.write { try kennel.dog(1).weight = 31 }
            await host.settle()
            #expect(host.evaluations(of: Named.self) == 1)
            try kennel.realm.write { try kennel.dog(1).name = "Rexy" }
            await host.settle()
            #expect(host.exists(.text("Rexy 31")))
        }

        @Test(.behaviour("E26")) func sectionsAreLiveOrderedAndMadeOncePerVersion() async throws {
            struct Descending: View {
                @ObservedSectionedResults(
                    UIDog.self, sectionKeyPath: \.breed, sortDescriptors: [Order(keyPath: "breed", ascending: false)])
                var dogs
                var body: some View { Text(dogs.map { $0.key ?? "none" }.joined(separator: ", ")) }
            }
            struct Initials: View {
                static let calls = Calls()
                @ObservedSectionedResults(
                    UIDog.self,
                    sectionBlock: { dog in
                        Initials.calls.count += 1
                        return String(dog.name.prefix(1))
                    }, sortDescriptors: [Order(keyPath: "name")])
                var dogs
                var body: some View {
                    Text(dogs.allKeys.joined())
                    Text("\(dogs.count) sections, again \(dogs.map(\.count).reduce(0, +))")
                }
            }
            final class Calls { var count = 0 }
            let kennel = try Kennel.rexAdaBo()
            let host = show(Sections(), kennel)
            #expect(host.all(.section()).map(\.name).count == 2)
            try await host.delete(.row(containing: "Ada"))
            #expect(host.all(.section()).count == 1, "a section without elements is gone")
            #expect(rows(host) == ["Rex", "Bo"])
            try kennel.realm.write { kennel.realm.add(UIDog(9, "Nix", breed: "alsatian")) }
            #expect(show(Descending(), kennel).exists(.text("boxer, alsatian")))
            let initials = show(Initials(), kennel)
            #expect(initials.exists(.text("BNR")))
            #expect(Initials.calls.count == 3, "once for each element, however often the sections are read")
        }

        @Test(.behaviour("E30")) func onlyTheFirstOnes() async throws {
            struct First: View {
                @ObservedResults(UIDog.self, sortDescriptor: Order(keyPath: "weight"), limit: 2) var dogs
                var body: some View { Text(dogs.map(\.name).joined(separator: ", ")) }
            }
            let kennel = try Kennel.rexAdaBo()
            let host = show(First(), kennel)
            #expect(host.exists(.text("Ada, Bo")))
            try kennel.realm.write { try kennel.dog(1).weight = 1 }
            await host.settle()
            #expect(host.exists(.text("Rex, Ada")))
        }

        @Test(.behaviour("E31")) func atRestOneVersionIsKept() async throws {
            let kennel = try Kennel((0..<20).map { UIDog($0, "Dog \($0)") })
            let host = show(DogList(), kennel)
            for number in 0..<5 {
                try kennel.realm.write { kennel.realm.add(UIToy("toy \(number)")) }
                await host.settle()
            }
            for id in 0..<10 {
                try kennel.realm.write { try kennel.dog(id).name = "changed \(id)" }
                await host.settle()
            }
            #expect(
                try Set(kennel.realm.pins().map(\.version)).count > 1, "rows that did not change keep what they have")
            Resting.evict()
            await host.settle()
            #expect(try Set(kennel.realm.pins().map(\.version)) == [kennel.realm.version])
            #expect(rows(host).filter { $0.hasPrefix("changed") }.count == 10)
            try kennel.realm.write { kennel.realm.add(UIToy("what no view shows")) }
            await host.settle()
            Resting.evict()
            await host.settle()
            #expect(try Set(kennel.realm.pins().map(\.version)) == [kennel.realm.version])
            host.close()
        }

        @Test(.behaviour("E32")) func identifiableSuffices() async throws {
            struct Toy: View {
                let toy: UIToy
                @State private var taps = 0
                var body: some View { Button("\(toy.name) \(taps)") { taps += 1 } }
            }
            struct Toys: View {
                @ObservedResults(UIToy.self) var toys
                var body: some View { List { ForEach(toys) { Toy(toy: $0) } } }
            }
            let kennel = try Kennel()
            try kennel.realm.write { kennel.realm.add([UIToy("ball"), UIToy("bone")]) }
            let host = show(Toys(), kennel)
            try await host.tap(.button("bone 0"))
            try kennel.realm.write { kennel.realm.objects(UIToy.self).last?.name = "big bone" }
            await host.settle()
            #expect(host.exists(.button("big bone 1")), "the row is the same one, with its state")
        }

        @Test(.behaviour("E35")) func searchesWithOptionsAndInOptionalProperties() async throws {
            struct Search: View {
                @ObservedResults(UIDog.self) var byName
                @State private var name = ""
                var body: some View {
                    NavigationView {
                        List { ForEach(byName) { Text($0.name) } }
                            .searchable(text: $name, collection: $byName, keyPath: \.name, options: .caseInsensitive)
                    }
                }
            }
            struct BreedSearch: View {
                @ObservedSectionedResults(UIDog.self, sectionKeyPath: \.breed) var dogs
                @State private var breed = ""
                var body: some View {
                    NavigationView {
                        Text(dogs.map { $0.key ?? "none" }.joined(separator: ", "))
                            .searchable(text: $breed, collection: $dogs, keyPath: \.breed)
                    }
                }
            }
            let kennel = try Kennel.rexAdaBo()
            try kennel.realm.write { kennel.realm.add(UIDog(4, "Nix")) }
            let host = show(Search(), kennel)
            try await host.search("rE")
            #expect(rows(host) == ["Rex"])
            let breeds = show(BreedSearch(), kennel)
            #expect(breeds.exists(.text("none, beagle, boxer")))
            try await breeds.search("box")
            #expect(breeds.exists(.text("boxer")))
        }
    }
}
