// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Combine
import RealmSwift
import RegnumUITesting
import SwiftUI
import TestTraits
import Testing

private final class FrozenDogs: ObservableObject {
    @Published var dogs: [UIDog]
    private var token: NotificationToken?

    init(_ all: Results<UIDog>) {
        dogs = Array(all.freeze())
        token = all.observe { [unowned self] change in
            if case .update(let results, _, _, _) = change { dogs = Array(results.freeze()) }
        }
    }
}

private struct LiveRow: View {
    let dog: UIDog
    let gone: (String) -> Void

    var body: some View {
        let live = dog.thaw()
        if live == nil { let _ = gone(dog.name) }
        Text(live?.name ?? "gone")
    }
}

private struct FrozenList: View {
    @StateObject var model: FrozenDogs
    let delete: () -> Void
    let gone: (String) -> Void

    var body: some View {
        Rows(dogs: model.dogs, gone: gone)
        Button("Delete") { delete() }
    }

    struct Rows: View {
        let dogs: [UIDog]
        let gone: (String) -> Void
        var body: some View {
            SwiftUI.List {
                ForEach(dogs) { dog in
                    let live = dog.thaw()
                    if live == nil { let _ = gone(dog.name) }
                    HStack {
                        Text(live?.name ?? "gone")
                        LiveRow(dog: dog, gone: gone)
                    }
                }
            }
        }
    }
}

private struct SortedList: View {
    @ObservedResults(UIDog.self, sortDescriptor: SortDescriptor(keyPath: "name")) var dogs
    let delete: () -> Void
    let gone: (String) -> Void
    var body: some View {
        SwiftUI.List { ForEach(dogs) { LiveRow(dog: $0, gone: gone) } }
        Button("Delete") { delete() }
    }
}

private struct DogField: View {
    @ObservedRealmObject var dog: UIDog
    var body: some View { TextField("Name", text: $dog.name) }
}

private struct PackView: View {
    @ObservedRealmObject var person: UIPerson
    @ObservedRealmObject var dogs: RealmSwift.List<UIDog>
    @ObservedRealmCollection var all: Results<UIDog>
    var body: some View {
        Text("list \(dogs.count) \(person.dogs.count) all \(all.count)")
        Button("Append") { $person.dogs.append(UIDog(77, "New")) }
    }
}

private struct ResultsCount: View {
    @ObservedResults(UIDog.self) var dogs
    @ObservedSectionedResults(UIDog.self, sectionKeyPath: \.name) var sections
    var body: some View { Text("dogs \(dogs.count) sections \(sections.count)") }
}

private struct MapView: View {
    @ObservedRealmObject var dog: UIDog
    @ObservedRealmObject var person: UIPerson
    var body: some View {
        Text(dog.scores.map { "\($0.key)=\($0.value)" }.sorted().joined(separator: " "))
        Button("Set") { $dog.scores["agility"].wrappedValue = 7 }
        Button("Add") { $dog.scores["speed"].wrappedValue = 3 }
        Button("Remove") { $dog.scores["agility"].wrappedValue = nil }
        Button("Name the guard") { if let dog = Binding($person.byRole["guard"]) { dog.wrappedValue?.name = "no" } }
        Button("Give a role") { $person.byRole["guard"].wrappedValue = dog }
    }
}

extension WrapperTests {
    /// The rows of the compatibility reviews about views.
    @MainActor @Suite struct WrapperLifetimeTests {
        @Test(.behaviour("W04")) func rowsOfADeletedObjectDoNotRunBeforeTheViewThatOwnsTheList() async throws {
            let kennel = try Kennel.rexAdaBo()
            var gone: [String] = []
            func delete(_ id: Int) {
                try? kennel.realm.write { if let dog = try? kennel.dog(id) { kennel.realm.delete(dog) } }
            }
            let frozen = show(
                FrozenList(model: FrozenDogs(kennel.dogs), delete: { delete(2) }, gone: { gone.append($0) }), kennel)
            let sorted = show(SortedList(delete: { delete(1) }, gone: { gone.append($0) }), kennel)
            await frozen.settle()
            #expect(frozen.all(.row()).count == 3 && sorted.all(.row()).count == 3)
            try await frozen.tap(.button("Delete"))
            try await frozen.settle { frozen.all(.row()).count == 2 && sorted.all(.row()).count == 2 }
            #expect(gone == [])
            try await sorted.tap(.button("Delete"))
            try await frozen.settle { frozen.all(.row()).count == 1 && sorted.all(.row()).count == 1 }
            #expect(gone == [])
            try await kennel.writeElsewhere { realm in realm.delete(realm.objects(UIDog.self).where { $0.name == "Bo" })
            }
            try await frozen.settle { frozen.all(.row()).isEmpty && sorted.all(.row()).isEmpty }
            #expect(gone == [])
        }

        @Test(.behaviour("W04")) func aDeletionIsSeenWithoutObserversToo() async throws {
            struct Live: View {
                let dog: UIDog
                var body: some View { Text(dog.isInvalidated ? "deleted" : dog.name) }
            }
            let kennel = try Kennel.rexAdaBo()
            let host = show(Live(dog: try kennel.dog(2)), kennel)
            try kennel.realm.write { kennel.realm.delete(try kennel.dog(2)) }
            await host.settle()
            #expect(host.exists(.text("deleted")))
        }

        @Test(.behaviour("U06")) func aFieldSurvivesTheInvalidationOfItsRealm() async throws {
            let kennel = try Kennel.rexAdaBo()
            let host = show(DogField(dog: try kennel.dog(1)), kennel)
            kennel.realm.invalidate()
            try await host.type("x", into: .field("Name"))
            #expect(try host.find(.field("Name")).value == "Rexx")
            #expect(try kennel.dog(1).name == "Rexx")
            kennel.realm.invalidate()
            try await kennel.writeElsewhere { $0.objects(UIDog.self).where { $0.name == "Rexx" }.first?.name = "Max" }
            try await host.settle { (try? host.find(.field("Name")).value) == "Max" }
            #expect(host.log.isEmpty)
        }

        @Test(.behaviour("U06")) func collectionsAndQueriesSurviveTheInvalidationOfTheirRealm() async throws {
            let kennel = try Kennel.rexAdaBo()
            try kennel.realm.write { kennel.realm.add(UIPerson(1, "Ann")) }
            let person = try #require(kennel.realm.objects(UIPerson.self).first)
            let host = show(PackView(person: person, dogs: person.dogs, all: kennel.dogs), kennel)
            let results = show(ResultsCount(), kennel)
            kennel.realm.invalidate()
            await host.settle()
            #expect(host.exists(.text("list 0 0 all 3")))
            try await host.tap(.button("Append"))
            #expect(host.exists(.text("list 1 1 all 4")))
            kennel.realm.invalidate()
            try await kennel.writeElsewhere { $0.add(UIDog(78, "Other")) }
            try await host.settle { host.exists(.text("list 1 1 all 5")) }
            try await results.settle { results.exists(.text("dogs 5 sections 5")) }
        }

        @Test(.behaviour("U08")) func aBindingToTheValueOfAKeyWrites() async throws {
            let kennel = try Kennel.rexAdaBo()
            try kennel.realm.write {
                try kennel.dog(1).scores["agility"] = 1
                kennel.realm.add(UIPerson(1, "Ann"))
            }
            let person = try #require(kennel.realm.objects(UIPerson.self).first)
            let host = show(MapView(dog: try kennel.dog(1), person: person), kennel)
            try await host.tap(.button("Set"))
            #expect(host.exists(.text("agility=7")))
            try await host.tap(.button("Add"))
            #expect(host.exists(.text("agility=7 speed=3")))
            try await host.tap(.button("Remove"))
            #expect(host.exists(.text("speed=3")))
            try await host.tap(.button("Give a role"))
            #expect(person.byRole["guard"]??.name == "Rex")
        }

        @Test(.behaviour("T18")) func aPublisherOfAnUnmanagedValueStaysSilentOnceItIsAdded() async throws {
            let kennel = try Kennel.rexAdaBo()
            let state = StateRealmObject(wrappedValue: UIDog(99, "New"))
            var count = 0
            let sink = state._publisher.sink(receiveCompletion: { _ in }, receiveValue: { _ in count += 1 })
            let dog = state.wrappedValue
            try kennel.realm.write { kennel.realm.add(dog) }
            try kennel.realm.write { dog.name = "Newer" }
            try await kennel.writeElsewhere {
                $0.objects(UIDog.self).where { $0.name == "Newer" }.first?.name = "Newest"
            }
            _ = kennel.realm.refresh()
            #expect(dog.name == "Newest")
            #expect(count == 0)
            withExtendedLifetime(sink) {}
        }

        @Test(.behaviour("T15")) func removingAnObjectThatNoRealmManagesEndsTheProcess() async throws {
            await #expect(processExitsWith: .failure, observing: .errorText) { @MainActor in
                let kennel = try Kennel.rexAdaBo()
                let dogs = ObservedResults(UIDog.self, configuration: kennel.configuration)
                dogs.projectedValue.remove(UIDog(99, "Stranger"))
            }.expectText("Can only delete an object from the Realm it belongs to.")
        }

        @Test(.behaviour("T10")) func aConditionSetOutsideOfAViewTakesEffect() throws {
            let kennel = try Kennel.rexAdaBo()
            let dogs = ObservedResults(UIDog.self, configuration: kennel.configuration)
            #expect(dogs.wrappedValue.count == 3)
            dogs.where = { $0.name == "Ada" }
            #expect(dogs.wrappedValue.count == 1)
            dogs.filter = NSPredicate(format: "name != %@", "Ada")
            #expect(dogs.wrappedValue.count == 2)
            dogs.sortDescriptor = SortDescriptor(keyPath: "weight")
            #expect(dogs.wrappedValue.map(\.name) == ["Bo", "Rex"])
            let sections = ObservedSectionedResults(
                UIDog.self, sectionKeyPath: \.name, configuration: kennel.configuration)
            sections.where = { $0.name == "Ada" }
            #expect(sections.wrappedValue.count == 1)
            sections.filter = nil
            #expect(sections.wrappedValue.count == 3)
        }
    }
}
