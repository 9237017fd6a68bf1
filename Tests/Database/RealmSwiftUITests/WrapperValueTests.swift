// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift
import RegnumUITesting
import SwiftUI
import TestTraits
import Testing

private struct DogsView: View {
    @ObservedResults(UIDog.self, sortDescriptor: SortDescriptor(keyPath: "_id", ascending: true)) var dogs
    var nextID = 10

    var body: some View {
        List {
            ForEach(dogs) { dog in Text("\(dog.name)\(dogs.isFrozen ? "" : " (live)")") }
                .onDelete(perform: $dogs.remove)
        }
        Button("Add") { $dogs.append(UIDog(nextID, "New")) }
        Button("Remove the first") { if let first = dogs.first { $dogs.remove(first) } }
        Button("Add in a write") {
            guard let realm = dogs.thaw()?.realm else { return }
            realm.beginWrite()
            $dogs.append(UIDog(20, "Twenty"))
            $dogs.append(UIDog(21, "Twenty-one"))
            realm.cancelWrite()
        }
        Button("Heavy only") { $dogs.filter = NSPredicate(format: "weight > 15") }
        Button("Boxers") { $dogs.where = { $0.breed == "boxer" } }
        Button("All") { $dogs.filter = nil }
        Button("By weight") { $dogs.sortDescriptor = SortDescriptor(keyPath: "weight", ascending: true) }
    }
}

private struct DogEditor: View {
    @ObservedRealmObject var dog: UIDog

    var body: some View {
        Text("name: \(dog.name)")
        TextField("Name", text: $dog.name)
        Toggle("Good", isOn: $dog.isGood)
        Button("Set to Zed") { $dog.name.wrappedValue = "Zed" }
        Button("Delete") { $dog.delete() }
        Button("Assign") { dog.name = "frozen" }
        Button("Thaw and write") {
            guard let live = dog.thaw(), let realm = live.realm else { return }
            try? realm.write { live.name = "thawed" }
        }
    }
}

private struct NewDogView: View {
    @StateRealmObject var dog = UIDog(50, "")
    @ObservedResults(UIDog.self) var dogs

    var body: some View {
        Text("draft: \(dog.name)")
        TextField("Name", text: $dog.name)
        Button("Save") { $dogs.append(dog) }
    }
}

private struct PersonView: View {
    @ObservedRealmObject var person: UIPerson
    @ObservedResults(UIDog.self) var dogs

    var body: some View {
        List {
            ForEach(person.dogs) { Text($0.name) }.onDelete(perform: $person.dogs.remove).onMove(
                perform: $person.dogs.move)
        }
        Text("roles: \(person.byRole.count)")
        Button("Add the first") { if let first = dogs.first { $person.dogs.append(first) } }
        Button("Add a new one") { $person.dogs.append(UIDog(70, "Pup")) }
        Button("Give a role") { $person.byRole.set(object: dogs.first, for: "guard") }
        Button("Take the role") { $person.byRole.set(object: nil, for: "guard") }
    }
}

private struct SearchView: View {
    @ObservedResults(UIDog.self) var dogs
    @State private var text = ""

    var body: some View {
        NavigationView {
            List { ForEach(dogs) { Text($0.name) } }
                .searchable(text: $text, collection: $dogs, keyPath: \.name)
                .navigationTitle("Dogs")
        }
        Button("Clear") { text = "" }
        Button("Look for Ada") { text = "Ada" }
    }
}

extension WrapperTests {
    /// The numbered behaviours of the wrappers, observed through views.
    @MainActor @Suite struct WrapperValueTests {
        @Test(.behaviour("B-521")) func resultsAreFrozenAndFollowChanges() async throws {
            let kennel = try Kennel.rexAdaBo()
            let host = show(DogsView(), kennel)
            #expect(rows(host) == ["Rex", "Ada", "Bo"])
            try kennel.realm.write { try kennel.dog(2).name = "Ada Lovelace" }
            await host.settle()
            #expect(rows(host) == ["Rex", "Ada Lovelace", "Bo"])
            #expect(host.log.isEmpty)
        }

        @Test(.behaviour("B-522")) func anAppendIsAWriteOfItsOwnOrPartOfTheOneInProgress() async throws {
            let kennel = try Kennel()
            let host = show(DogsView(), kennel)
            try await host.tap(.button("Add"))
            #expect(kennel.names == ["New"])
            #expect(rows(host) == ["New"])
            try await host.tap(.button("Add in a write"))
            #expect(kennel.names == ["New"], "the write in progress was cancelled, with all that had joined it")
        }

        @Test(.behaviour("B-523")) func removingDeletesFromTheRealm() async throws {
            let kennel = try Kennel.rexAdaBo()
            let host = show(DogsView(), kennel)
            try await host.delete(.row(containing: "Ada"))
            #expect(kennel.names == ["Rex", "Bo"])
            try await host.tap(.button("Remove the first"))
            #expect(kennel.names == ["Bo"])
            #expect(rows(host) == ["Bo"])
        }

        @Test(.behaviour("B-524")) func settingABindingIsPersistedAtOnce() async throws {
            let kennel = try Kennel.rexAdaBo()
            let host = show(DogEditor(dog: try kennel.dog(1)), kennel)
            try await host.tap(.button("Set to Zed"))
            #expect(kennel.names == ["Zed", "Ada", "Bo"])
            #expect(host.exists(.text("name: Zed")))
        }

        @Test(.behaviour("B-525")) func theSameValueIsNotWritten() async throws {
            let kennel = try Kennel.rexAdaBo()
            let host = show(DogEditor(dog: try kennel.dog(1)), kennel)
            try await host.tap(.button("Set to Zed"))
            let version = kennel.realm.version
            try await host.tap(.button("Set to Zed"))
            #expect(kennel.realm.version == version)
        }

        @Test(.behaviour("B-526")) func aDeletedObjectShowsDefaultsAndItsBindingsIgnoreSets() async throws {
            let kennel = try Kennel.rexAdaBo()
            let host = show(DogEditor(dog: try kennel.dog(1)), kennel)
            try kennel.realm.write { kennel.realm.delete(try kennel.dog(1)) }
            await host.settle()
            #expect(host.exists(.text("name:")))
            try await host.type("x", into: .field("Name"))
            try await host.tap(.button("Set to Zed"))
            try await host.tap(.button("Delete"))
            #expect(kennel.names == ["Ada", "Bo"])
        }

        @Test(.behaviour("B-527")) func bindingsChangeAnUnmanagedObjectInMemory() async throws {
            let kennel = try Kennel()
            let host = show(NewDogView(), kennel)
            try await host.type("Pip", into: .field("Name"))
            #expect(host.exists(.text("draft: Pip")))
            #expect(kennel.names.isEmpty)
            try await host.tap(.button("Save"))
            #expect(kennel.names == ["Pip"])
            try await host.type("pin", into: .field("Name"))
            #expect(kennel.names == ["Pippin"])
            #expect(host.exists(.text("draft: Pippin")))
        }

        @Test(.behaviour("B-528")) func assigningToTheFrozenValueEndsTheProcess() async {
            await #expect(processExitsWith: .failure, observing: .errorText) { @MainActor in
                let kennel = try Kennel.rexAdaBo()
                let host = UIHost(DogEditor(dog: try kennel.dog(1)))
                try await host.tap(.button("Assign"))
            }.expectText("Attempting to modify a frozen object")
        }

        @Test(.behaviour("B-529", "B-539")) func appendedDogsAreLinkedAndAddedIfTheyAreNew() async throws {
            let kennel = try Kennel.rexAdaBo()
            let person = UIPerson(1, "Pia")
            try kennel.realm.write { kennel.realm.add(person) }
            let host = show(PersonView(person: person), kennel)
            try await host.tap(.button("Add the first"))
            #expect(rows(host) == ["Rex"])
            try await host.tap(.button("Add a new one"))
            #expect(rows(host) == ["Rex", "Pup"])
            #expect(kennel.names == ["Rex", "Ada", "Bo", "Pup"])
            #expect(Array(person.dogs.map(\._id)) == [1, 70])
        }

        @Test(.behaviour("B-530")) func anObjectOfAnotherRealmIsRefused() async {
            let result = await #expect(processExitsWith: .failure, observing: .errorText) { @MainActor in
                let (kennel, other) = (try Kennel(), try Kennel.rexAdaBo())
                let person = UIPerson(1, "Pia")
                try kennel.realm.write { kennel.realm.add(person) }
                person.bind(\.dogs).append(try other.dog(1))
            }
            let parent = await #expect(processExitsWith: .failure, observing: .errorText) { @MainActor in
                let (kennel, other) = (try Kennel(), try Kennel.rexAdaBo())
                let person = UIPerson(1, "Pia")
                person.dogs.append(try other.dog(1))
                let people = ObservedResults(UIPerson.self, configuration: kennel.configuration)
                people.append(person)
            }
            for result in [result, parent] {
                result.expectText(
                    "Object is already managed by another Realm. Use create instead to copy it into this Realm.")
            }
        }

        @Test(.behaviour("B-531")) func changingTheProjectedValueRunsANewQuery() async throws {
            let kennel = try Kennel.rexAdaBo()
            let host = show(DogsView(), kennel)
            try await host.tap(.button("Heavy only"))
            #expect(rows(host) == ["Rex", "Bo"])
            try await host.tap(.button("By weight"))
            #expect(rows(host) == ["Bo", "Rex"])
            try await host.tap(.button("All"))
            #expect(rows(host) == ["Ada", "Bo", "Rex"])
            try await host.tap(.button("Boxers"))
            #expect(rows(host) == ["Bo", "Rex"])
        }

        @Test(.behaviour("B-532")) func searchingRestrictsAndAnEmptyTextClears() async throws {
            let kennel = try Kennel.rexAdaBo()
            let host = show(SearchView(), kennel)
            try await host.search("R")
            #expect(rows(host) == ["Rex"])
            try await host.search("r")
            #expect(rows(host) == [], "upper and lower case differ")
            try await host.search("")
            #expect(rows(host).count == 3)
            try await host.tap(.button("Look for Ada"))
            #expect(rows(host) == ["Ada"])
            try await host.tap(.button("Clear"))
            #expect(rows(host).count == 3)
        }

        @Test(.behaviour("B-533")) func theEnvironmentsConfigurationIsUsedUnlessOneWasPassed() async throws {
            struct Both: View {
                @ObservedResults(UIDog.self) var here
                @ObservedResults var there: Results<UIDog>

                init(_ configuration: Realm.Configuration) {
                    _there = ObservedResults(UIDog.self, configuration: configuration)
                }

                var body: some View { Text("\(here.count) and \(there.count)") }
            }
            let (kennel, other) = (try Kennel.rexAdaBo(), try Kennel([UIDog(1, "One")]))
            #expect(show(Both(other.configuration), kennel).exists(.text("3 and 1")))
        }

        @Test(.behaviour("B-534")) func sectionsByABlockNeedAnOrder() async {
            await #expect(processExitsWith: .failure, observing: .errorText) { @MainActor in
                _ = ObservedSectionedResults(UIDog.self, sectionBlock: { $0.name }, filter: nil as NSPredicate?)
            }.expectText(
                "sortDescriptors must not be empty when sectioning ObservedSectionedResults with `sectionBlock`")
        }

        @Test(.behaviour("B-535")) func bindMakesABindingWithTheSameRules() async throws {
            let kennel = try Kennel.rexAdaBo()
            let name = try kennel.dog(1).freeze().bind(\.name)
            name.wrappedValue = "Rexy"
            #expect(kennel.names.first == "Rexy")
            #expect(name.wrappedValue == "Rexy")
            let version = kennel.realm.version
            name.wrappedValue = "Rexy"
            #expect(kennel.realm.version == version)
            try kennel.realm.write { kennel.realm.delete(try kennel.dog(1)) }
            name.wrappedValue = "nobody"
            #expect(name.wrappedValue == "Rexy")
            let unmanaged = UIDog(9, "Nine")
            unmanaged.bind(\.name).wrappedValue = "Neuf"
            #expect(unmanaged.name == "Neuf")
        }

        @Test(.behaviour("B-535")) func bindingADeletedFrozenObjectEndsTheProcess() async {
            await #expect(processExitsWith: .failure, observing: .errorText) { @MainActor in
                let kennel = try Kennel.rexAdaBo()
                let frozen = try kennel.dog(1).freeze()
                try kennel.realm.write { kennel.realm.delete(try kennel.dog(1)) }
                _ = frozen.bind(\.name)
            }.expectText("Could not bind value")
        }

        @Test(.behaviour("B-536")) func settingNilForAKeyRemovesIt() async throws {
            let kennel = try Kennel.rexAdaBo()
            let person = UIPerson(1, "Pia")
            try kennel.realm.write { kennel.realm.add(person) }
            let host = show(PersonView(person: person), kennel)
            try await host.tap(.button("Give a role"))
            #expect(host.exists(.text("roles: 1")))
            #expect(person.byRole["guard"]??.name == "Rex")
            try await host.tap(.button("Take the role"))
            #expect(host.exists(.text("roles: 0")))
        }

        @Test(.behaviour("B-537")) func deleteDeletesTheRow() async throws {
            let kennel = try Kennel.rexAdaBo()
            let host = show(DogEditor(dog: try kennel.dog(1)), kennel)
            try await host.tap(.button("Delete"))
            #expect(kennel.names == ["Ada", "Bo"])
        }

        @Test(.behaviour("B-538")) func eachEditOfAFieldIsOneWrite() async throws {
            let kennel = try Kennel.rexAdaBo()
            let host = show(DogEditor(dog: try kennel.dog(1)), kennel)
            let version = kennel.realm.version
            try await host.type("abc", into: .field("Name"))
            #expect(kennel.names.first == "Rexabc")
            #expect(kennel.realm.version == version + 3)
            try await host.toggle(.toggle("Good"))
            #expect(kennel.realm.version == version + 4)
            #expect(try kennel.dog(1).isGood)
        }

        @Test(.behaviour("B-540")) func rowsAreMovedAndRemovedAndRemovedDogsStayInTheRealm() async throws {
            let kennel = try Kennel.rexAdaBo()
            let person = UIPerson(1, "Pia")
            try kennel.realm.write {
                kennel.realm.add(person)
                person.dogs.append(objectsIn: kennel.dogs.sorted(by: \._id))
            }
            let host = show(PersonView(person: person), kennel)
            try await host.move(.row(containing: "Rex"), to: 2)
            #expect(rows(host) == ["Ada", "Rex", "Bo"])
            try await host.delete(.row(containing: "Rex"))
            #expect(rows(host) == ["Ada", "Bo"])
            #expect(kennel.names == ["Rex", "Ada", "Bo"])
        }

        @Test(.behaviour("B-541")) func excludedObjectsAreAddedAndNotShown() async throws {
            struct Heavy: View {
                @ObservedResults(UIDog.self, where: { $0.weight > 15 }) var dogs

                var body: some View {
                    Text("\(dogs.count)")
                    Button("Add") { $dogs.append(UIDog(11, "Light", weight: 1)) }
                }
            }
            let kennel = try Kennel.rexAdaBo()
            let host = show(Heavy(), kennel)
            try await host.tap(.button("Add"))
            #expect(host.exists(.text("2")))
            #expect(kennel.names == ["Rex", "Ada", "Bo", "Light"])
        }

        @Test(.behaviour("B-542")) func theDefaultConfigurationIsUsedWhereNoneIsGiven() async {
            await #expect(processExitsWith: .success) { @MainActor in
                let kennel = try Kennel.rexAdaBo()
                Realm.Configuration.defaultConfiguration = kennel.configuration
                #expect(UIHost(DogsView()).all(.row()).count == 3)
            }
        }

        @Test(.behaviour("B-543")) func aFrozenObjectIsWrittenOnceItIsThawed() async throws {
            let kennel = try Kennel.rexAdaBo()
            let host = show(DogEditor(dog: try kennel.dog(1)), kennel)
            try await host.tap(.button("Thaw and write"))
            #expect(host.exists(.text("name: thawed")))
        }

        @Test(.behaviour("B-544")) func createCopiesAnUnmanagedObjectAndReusesLinkedObjects() async throws {
            let kennel = try Kennel.rexAdaBo()
            let person = UIPerson(1, "Pia")
            person.dogs.append(try kennel.dog(2))
            try kennel.realm.write { _ = kennel.realm.create(UIPerson.self, value: person, update: .modified) }
            let stored = try #require(kennel.realm.object(ofType: UIPerson.self, forPrimaryKey: 1))
            #expect(stored !== person)
            #expect(stored.dogs.first?.name == "Ada")
            #expect(kennel.names.count == 3)
        }
    }
}
