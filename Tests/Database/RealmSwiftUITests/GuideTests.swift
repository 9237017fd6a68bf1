// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift
import RealmTestSupport
import RegnumUITesting
import SwiftUI
import Testing

/// The code of the article SwiftUI.
@MainActor private enum Guide {
    final class Dog: Object, ObjectKeyIdentifiable {
        @Persisted var name: String
        @Persisted var weight: Int
        @Persisted var isGood: Bool

        override class func shouldIncludeInDefaultSchema() -> Bool { false }

        convenience init(name: String) {
            self.init()
            self.name = name
        }
    }

    final class Person: Object, ObjectKeyIdentifiable {
        @Persisted var name: String
        @Persisted var dogs: RealmSwift.List<Dog>

        override class func shouldIncludeInDefaultSchema() -> Bool { false }
    }

    // begin SwiftUI
    struct EditDog: View {
        @ObservedRealmObject var dog: Dog

        var body: some View {
            Form {
                TextField("Name", text: $dog.name)
                Toggle("Good", isOn: $dog.isGood)
                Button("Delete", role: .destructive) { $dog.delete() }
            }
        }
    }
    // end

    // begin SwiftUI
    struct DogsOfPerson: View {
        @ObservedRealmObject var person: Person

        var body: some View {
            List {
                ForEach(person.dogs) { dog in Text(dog.name) }
                    .onDelete(perform: $person.dogs.remove)
                    .onMove(perform: $person.dogs.move)
            }
            Button("Add") { $person.dogs.append(Dog(name: "New")) }
        }
    }
    // end

    // begin SwiftUI
    struct AllDogs: View {
        @ObservedResults(Dog.self) var dogs

        var body: some View {
            List {
                ForEach(dogs) { dog in Text(dog.name) }
                    .onDelete(perform: $dogs.remove)
            }
            Button("Add") { $dogs.append(Dog(name: "New")) }
        }
    }
    // end

    // begin SwiftUI
    struct SwapNames: View {
        @ObservedRealmObject var first: Dog
        @ObservedRealmObject var second: Dog

        var body: some View {
            Button("Swap") {
                guard let one = first.thaw(), let other = second.thaw(), let realm = one.realm else { return }
                try? realm.write { swap(&one.name, &other.name) }
            }
        }
    }
    // end

    // begin SwiftUI
    struct NewDog: View {
        @StateRealmObject var dog = Dog(name: "")
        @ObservedResults(Dog.self) var dogs

        var body: some View {
            TextField("Name", text: $dog.name)
            Button("Save") { $dogs.append(dog) }
        }
    }
    // end

    // begin SwiftUI
    struct Names: View {
        @ObservedResults(Dog.self, keyPaths: ["name"]) var dogs

        var body: some View { Text(dogs.map(\.name).joined(separator: ", ")) }
    }
    // end

    // begin SwiftUI
    struct LiveName: View {
        let dog: Dog

        var body: some View { Text(dog.name) }
    }
    // end

    // begin SwiftUI
    struct HeavyDogs: View {
        @ObservedResults(
            Dog.self, where: { $0.weight > 20 }, sortDescriptors: [SortDescriptor(keyPath: "weight")], limit: 10)
        var dogs

        var body: some View {
            List { ForEach(dogs) { dog in Text(dog.name) } }
            Button("Good ones") { $dogs.where = { $0.isGood } }
            Button("Heaviest first") { $dogs.sortDescriptor = SortDescriptor(keyPath: "weight", ascending: false) }
        }
    }
    // end

    // begin SwiftUI
    struct SearchDogs: View {
        @ObservedResults(Dog.self) var dogs
        @State private var text = ""

        var body: some View {
            NavigationView {
                List { ForEach(dogs) { dog in Text(dog.name) } }
                    .searchable(text: $text, collection: $dogs, keyPath: \.name, options: .caseInsensitive)
            }
        }
    }
    // end

    // begin SwiftUI
    struct Household: View {
        let configuration: Realm.Configuration

        var body: some View {
            People().environment(\.realmConfiguration, configuration)
        }
    }

    struct People: View {
        @ObservedResults(Person.self) var people

        var body: some View {
            NavigationView {
                List {
                    ForEach(people) { person in
                        NavigationLink(person.name) { DogsOfPerson(person: person) }
                    }
                }
            }
        }
    }
    // end

    // begin SwiftUI
    struct AllDogs_Previews: PreviewProvider {
        static var previews: some View {
            AllDogs().environment(\.realm, sample)
        }

        static var sample: Realm {
            let realm = try! Realm(
                configuration: Realm.Configuration(inMemoryIdentifier: "preview", objectTypes: [Dog.self, Person.self]))
            try! realm.write { if realm.isEmpty { realm.add([Dog(name: "Rex"), Dog(name: "Ada")]) } }
            return realm
        }
    }
    // end

    static func userAddsADog(_ configuration: Realm.Configuration) async throws -> [String] {
        // begin SwiftUI
        let host = UIHost(AllDogs().environment(\.realmConfiguration, configuration))
        try await host.tap(.button("Add"))
        try await host.delete(.row(containing: "Rex"))
        let names = host.all(.row()).map(\.name)
        // end
        return names
    }
}

extension WrapperTests {
    /// The guide's code behaves as the guide describes.
    @MainActor @Suite struct GuideTests {
        private func realm(_ names: String...) throws -> Realm {
            let realm = try Realm(
                configuration: Realm.Configuration(
                    inMemoryIdentifier: "guide \(UUID())", objectTypes: [Guide.Dog.self, Guide.Person.self]))
            try realm.write { for name in names { realm.add(Guide.Dog(name: name)) } }
            return realm
        }

        private func show<V: View>(_ view: V, _ realm: Realm) -> UIHost { UIHost.pair(view) { $0.realm = realm } }

        @Test func writing() async throws {
            let realm = try realm("Rex", "Ada")
            let dogs = realm.objects(Guide.Dog.self)
            let editor = show(Guide.EditDog(dog: dogs[0]), realm)
            try await editor.type("y", into: .field("Name"))
            try await editor.toggle(.toggle("Good"))
            #expect(dogs[0].name == "Rexy" && dogs[0].isGood)
            try await show(Guide.SwapNames(first: dogs[0], second: dogs[1]), realm).tap(.button("Swap"))
            #expect(dogs.map(\.name) == ["Ada", "Rexy"])
            let new = show(Guide.NewDog(), realm)
            try await new.type("Pip", into: .field("Name"))
            try await new.tap(.button("Save"))
            #expect(dogs.map(\.name) == ["Ada", "Rexy", "Pip"])
            try await editor.tap(.button("Delete"))
            #expect(dogs.map(\.name).sorted() == ["Pip", "Rexy"])
        }

        @Test func reactingFilteringAndSearching() async throws {
            let realm = try realm("Rex", "Ada")
            let names = show(Guide.Names(), realm)
            let live = show(Guide.LiveName(dog: realm.objects(Guide.Dog.self)[1]), realm)
            let heavy = show(Guide.HeavyDogs(), realm)
            try realm.write {
                realm.objects(Guide.Dog.self)[1].name = "Adele"
                for (index, dog) in realm.objects(Guide.Dog.self).enumerated() { dog.weight = 30 + index }
            }
            for host in [names, live, heavy] { await host.settle() }
            #expect(names.exists(.text("Rex, Adele")))
            #expect(live.exists(.text("Adele")))
            #expect(rows(heavy) == ["Rex", "Adele"])
            try await heavy.tap(.button("Heaviest first"))
            #expect(rows(heavy) == ["Adele", "Rex"])
            try await heavy.tap(.button("Good ones"))
            #expect(rows(heavy).isEmpty)
            let search = show(Guide.SearchDogs(), realm)
            try await search.search("ADE")
            #expect(rows(search) == ["Adele"])
        }

        @Test func passingPreviewingAndTesting() async throws {
            let realm = try realm("Rex", "Ada")
            try realm.write { realm.create(Guide.Person.self, value: ["name": "Pia"]) }
            let host = UIHost.pair(Guide.Household(configuration: realm.configuration))
            try await host.tap(.row(containing: "Pia"))
            try await host.tap(.button("Add"))
            #expect(rows(host) == ["New"])
            #expect(rows(PreviewHost.render(Guide.AllDogs_Previews.self)) == ["Rex", "Ada"])
            #expect(try await Guide.userAddsADog(realm.configuration).sorted() == ["Ada", "New", "New"])
        }
    }
}
