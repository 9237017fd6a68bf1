// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift
import RegnumUITesting
import SwiftUI
import Testing

@testable import RealmSwiftUI

private struct ViewRow: View {
    @ObservedRealmObject var dog: UIDogView
    var body: some View {
        Text("\(dog.name) with \(dog.toyName ?? "nothing")")
        TextField("Name of \(dog.name)", text: $dog.name)
    }
}

private struct ObservedRow: View {
    @ObservedRealmObject var dog: UIDog
    var body: some View {
        Text(dog.name)
        Button("Good \(dog.name)") { $dog.isGood.wrappedValue = true }
    }
}

private struct CountingProgram: SwiftUI.App {
    @ObservedResults(UIDog.self) var dogs
    var body: some SwiftUI.Scene { WindowGroup { Text("\(dogs.count)") } }
}

extension WrapperTests {
    /// Each wrapper with each kind of value that it supports.
    @MainActor @Suite struct WrapperKindTests {
        @Test func projections() async throws {
            struct Projections: View {
                @ObservedResults(UIDogView.self, filter: NSPredicate(format: "weight > 15")) var dogs
                @ObservedSectionedResults(UIDogView.self, sectionKeyPath: \.name) var sections
                var body: some View {
                    ForEach(dogs) { dog in ViewRow(dog: dog) }
                    Text(sections.allKeys.joined(separator: "-"))
                    Button("Add") { $dogs.append(UIDogView(projecting: UIDog(9, "Zed", weight: 99))) }
                    Button("Delete") { if let dog = dogs.first { Binding.constant(dog).delete() } }
                }
            }
            let kennel = try Kennel.rexAdaBo()
            let host = show(Projections(), kennel)
            #expect(host.exists(.text("Ada-Bo-Rex")))
            #expect(host.exists(.text("Rex with nothing")))
            try kennel.realm.write { try kennel.dog(1).toy = UIToy("ball") }
            await host.settle()
            #expect(host.exists(.text("Rex with ball")))
            try await host.type("y", into: .field("Name of Rex"))
            #expect(host.exists(.text("Rexy with ball")))
            #expect(kennel.names.first == "Rexy")
            try await host.tap(.button("Add"))
            #expect(host.exists(.text("Zed with nothing")))
            try await host.tap(.button("Delete"))
            #expect(kennel.names == ["Ada", "Bo", "Zed"])
            #expect(host.log.isEmpty)
        }

        @Test func aManagedListSetAndMap() async throws {
            struct Collections: View {
                @ObservedRealmObject var dogs: RealmSwift.List<UIDog>
                @StateRealmObject var friends: MutableSet<UIDog>
                @StateRealmObject var roles: RealmSwift.Map<String, UIDog?>
                @ObservedResults(UIDog.self) var all
                var body: some View {
                    Text("\(dogs.map(\.name).joined()) \(friends.count) \(roles.count)")
                    Button("Befriend") { if let first = all.first { $friends.insert(first) } }
                    Button("Employ") { $roles.set(object: all.first, for: "guard") }
                }
            }
            let kennel = try Kennel.rexAdaBo()
            let person = UIPerson(1, "Pia")
            try kennel.realm.write { kennel.realm.add(person) }
            let host = show(
                Collections(dogs: person.dogs, friends: person.friends, roles: person.byRole), kennel)
            try kennel.realm.write { person.dogs.append(objectsIn: kennel.dogs.sorted(by: \._id)) }
            await host.settle()
            #expect(host.exists(.text("RexAdaBo 0 0")))
            try await host.tap(.button("Befriend"))
            try await host.tap(.button("Employ"))
            #expect(host.exists(.text("RexAdaBo 1 1")))
            try kennel.realm.write { kennel.realm.delete(person) }
            await host.settle()
            #expect(host.exists(.text("0 0")))
        }

        @Test func bindingsOfTheObjectsOfAList() async throws {
            struct Names: View {
                @ObservedRealmObject var person: UIPerson
                var body: some View {
                    ForEach($person.dogs) { $dog in
                        TextField("Name of \(dog._id)", text: $dog.name)
                        Toggle("Good \(dog._id)", isOn: $dog.isGood)
                    }
                }
            }
            let kennel = try Kennel.rexAdaBo()
            let person = UIPerson(1, "Pia")
            person.dogs.append(objectsIn: kennel.dogs.sorted(by: \._id))
            try kennel.realm.write { kennel.realm.add(person) }
            let host = show(Names(person: person), kennel)
            try await host.type("y", into: .field("Name of 1"))
            try await host.toggle(.toggle("Good 2"))
            #expect(kennel.names == ["Rexy", "Ada", "Bo"])
            #expect(try kennel.dog(2).isGood)
            try kennel.realm.write { kennel.realm.delete(try kennel.dog(1)) }
            await host.settle()
            #expect(host.all(.field()).map(\.name) == ["Name of 2", "Name of 3"])
            try await host.type("!", into: .field("Name of 3"))
            #expect(kennel.names == ["Ada", "Bo!"])
        }

        @Test func aProgramHasWrappersToo() async {
            await #expect(processExitsWith: .success) { @MainActor in
                let kennel = try Kennel.rexAdaBo()
                Realm.Configuration.defaultConfiguration = kennel.configuration
                let host = UIHost(CountingProgram())
                #expect(host.exists(.text("3")))
                try kennel.realm.write { kennel.realm.add(UIDog(4, "Dot")) }
                await host.settle()
                #expect(host.exists(.text("4")))
            }
        }

        @Test func aStateObjectThatIsReplaced() async throws {
            struct Replaced: View {
                @StateRealmObject var dog = UIDog(50, "draft")
                @ObservedResults(UIDog.self) var dogs
                var body: some View {
                    Text(dog.name)
                    Button("Choose") { if let first = dogs.first { dog = first } }
                    Button("Rename") { $dog.name.wrappedValue = "renamed" }
                    Button("Delete") { $dog.delete() }
                }
            }
            let kennel = try Kennel.rexAdaBo()
            let host = show(Replaced(), kennel)
            #expect(host.exists(.text("draft")))
            try await host.tap(.button("Choose"))
            #expect(host.exists(.text("Rex")))
            try await host.tap(.button("Rename"))
            #expect(host.exists(.text("renamed")))
            #expect(kennel.names == ["renamed", "Ada", "Bo"])
            try await host.tap(.button("Delete"))
            #expect(kennel.names == ["Ada", "Bo"])
        }

        @Test func sectionsByAValueOfTheParent() async throws {
            struct Child: View {
                @ObservedSectionedResults<String, UIDog> var dogs: SectionedResults<String, UIDog>
                init(letters: Int) {
                    _dogs = ObservedSectionedResults(
                        UIDog.self, sectionBlock: { String($0.name.prefix(letters)) },
                        sortDescriptors: [RealmSwift.SortDescriptor(keyPath: "name")])
                }
                var body: some View { Text(dogs.allKeys.joined(separator: "-")) }
            }
            struct Parent: View {
                @State private var letters = 1
                var body: some View {
                    Button("More") { letters += 1 }
                    Child(letters: letters)
                }
            }
            let kennel = try Kennel.rexAdaBo()
            let host = show(Parent(), kennel)
            #expect(host.exists(.text("A-B-R")))
            try await host.tap(.button("More"))
            #expect(host.exists(.text("Ad-Bo-Re")))
        }

        @Test func rowsWithWrappersKeepNoVersionAtRest() async throws {
            struct Rows: View {
                @ObservedResults(UIDog.self) var dogs
                var body: some View { List { ForEach(dogs) { dog in ObservedRow(dog: dog) } } }
            }
            let kennel = try Kennel((0..<10).map { UIDog($0, "Dog \($0)") })
            let host = show(Rows(), kennel)
            for id in 0..<5 {
                try kennel.realm.write { try kennel.dog(id).name = "changed \(id)" }
                await host.settle()
            }
            try await host.tap(.button("Good changed 3"))
            try kennel.realm.write { kennel.realm.delete(try kennel.dog(9)) }
            await host.settle()
            Resting.evict()
            await host.settle()
            #expect(try Set(kennel.realm.pins().map(\.version)) == [kennel.realm.version])
            host.close()
            await host.settle()
            #expect(try kennel.realm.pins().allSatisfy { $0.label != "observer" }, "the views' observers are gone")
        }

        @Test func aLongListIsShownInWindows() async throws {
            struct Rows: View {
                @ObservedResults(UIDog.self, sortDescriptor: RealmSwift.SortDescriptor(keyPath: "_id")) var dogs
                var body: some View { List { ForEach(dogs) { dog in ObservedRow(dog: dog) } } }
            }
            let kennel = try Kennel((0..<2000).map { UIDog($0, "Dog \($0)") })
            let host = show(Rows(), kennel)
            #expect(host.evaluations(of: ObservedRow.self) == 200)
            try kennel.realm.write { try kennel.dog(7).name = "Seven" }
            await host.settle()
            #expect(host.exists(.text("Seven")))
            #expect(host.evaluations(of: ObservedRow.self) == 201, "one row has changed")
        }
    }
}
