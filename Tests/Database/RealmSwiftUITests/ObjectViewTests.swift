// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift
@testable import RealmSwiftUI
import RegnumUITesting
import SwiftUI
import TestTraits
import Testing

private struct Editor: View {
    @ObservedRealmObject var dog: UIDog
    var body: some View {
        Text("name: \(dog.name)")
        TextField("Name", text: $dog.name)
    }
}

private struct Detail: View {
    let dog: UIDog
    @Environment(\.dismiss) private var dismiss
    var body: some View {
        Text("detail of \(dog.name), \(dog.weight) kg")
        Button("Close") { dismiss() }
    }
}

private struct Collar: View {
    @ObservedRealmObject var dog: UIDog
    var body: some View { Text(dog.collar?.color ?? "none") }
}

extension WrapperTests {
    /// Problems of the original's wrappers with objects and bindings, by the rows of REPORT E.
    @MainActor @Suite struct ObjectViewTests {
        @Test(.behaviour("E02")) func aDeletedObjectIsStillReadable() async throws {
            struct Pages: View {
                @ObservedResults(UIDog.self) var dogs
                @State private var shown: UIDog?
                let left: (String) -> Void
                var body: some View {
                    ForEach(dogs) { dog in Button(dog.name) { shown = dog } }
                        .sheet(item: $shown) { dog in Detail(dog: dog).onDisappear { left(dog.name) } }
                }
            }
            let kennel = try Kennel.rexAdaBo()
            var names: [String] = []
            let host = show(Pages { names.append($0) }, kennel)
            try await host.tap(.button("Ada"))
            try kennel.realm.write { kennel.realm.delete(try kennel.dog(2)) }
            await host.settle()
            #expect(host.exists(.text("detail of Ada, 10 kg")))
            try await host.tap(.button("Close"))
            #expect(names == ["Ada"])
            let editor = show(Editor(dog: try kennel.dog(1)), kennel)
            try kennel.realm.write { kennel.realm.deleteAll() }
            await editor.settle()
            #expect(editor.exists(.text("name:")))
        }

        @Test(.behaviour("E04")) func aFrozenObjectIsChosenInAPicker() async throws {
            struct Choice: View {
                @ObservedRealmObject var dog: UIDog
                @ObservedResults(UIToy.self) var toys
                var body: some View {
                    Picker("Toy", selection: $dog.toy) {
                        Text("none").tag(nil as UIToy?)
                        ForEach(toys) { toy in Text(toy.name).tag(toy as UIToy?) }
                    }
                    Text("has \(dog.toy?.name ?? "nothing")")
                }
            }
            let kennel = try Kennel.rexAdaBo()
            try kennel.realm.write { kennel.realm.add([UIToy("ball"), UIToy("bone")]) }
            let host = show(Choice(dog: try kennel.dog(1)), kennel)
            try await host.choose("bone", in: .picker("Toy"))
            #expect(try kennel.dog(1).toy?.name == "bone")
            #expect(host.exists(.text("has bone")))
            #expect(try host.find(.picker("Toy")).value == "bone")
            try kennel.realm.write { kennel.realm.objects(UIToy.self).last?.name = "big bone" }
            await host.settle()
            #expect(try host.find(.picker("Toy")).value == "big bone", "a tag is the row, whatever its version")
            try await host.choose("none", in: .picker("Toy"))
            #expect(try kennel.dog(1).toy == nil)
        }

        @Test(.behaviour("E09", "E33")) func aLiveObjectIsFollowedWithoutAnyWrapper() async throws {
            struct Plain: View {
                let dog: UIDog
                var body: some View { Text("plain \(dog.name)") }
            }
            struct All: View {
                let dogs: Results<UIDog>
                var body: some View {
                    Plain(dog: dogs[0])
                    List { ForEach(dogs) { Text($0.name) } }
                }
            }
            let kennel = try Kennel.rexAdaBo()
            let host = show(All(dogs: kennel.dogs.sorted(by: \._id)), kennel)
            try kennel.realm.write { try kennel.dog(1).name = "Rexy" }
            await host.settle()
            #expect(host.exists(.text("plain Rexy")))
            #expect(rows(host) == ["Rexy", "Ada", "Bo"])
            try await kennel.writeElsewhere { $0.add(UIDog(4, "Dot")) }
            await host.settle()
            #expect(rows(host) == ["Rexy", "Ada", "Bo", "Dot"])
            let count = host.evaluations(of: Plain.self)
            try kennel.realm.write { try kennel.dog(1).weight = 99 }
            await host.settle()
            #expect(host.evaluations(of: Plain.self) == count, "its body does not read the weight")
        }

        @Test(.behaviour("E10")) func nothingIsSentWhileViewsAreEvaluated() async throws {
            struct Busy: View {
                @ObservedResults(UIDog.self) var dogs
                @StateRealmObject var draft = UIDog(77, "draft")
                @State private var text = ""
                var body: some View {
                    NavigationView {
                        List { ForEach(dogs) { Text($0.name) } }
                            .searchable(text: $text, collection: $dogs, keyPath: \.name)
                            .onAppear { $dogs.append(UIDog(5, "from onAppear")) }
                            .task { $dogs.append(draft) }
                    }
                }
            }
            let kennel = try Kennel.rexAdaBo()
            let host = show(Busy(), kennel)
            await host.settle()
            #expect(rows(host).count == 5)
            try await host.search("draft")
            #expect(rows(host) == ["draft"])
            #expect(host.log.isEmpty)
        }

        @Test(.behaviour("E11")) func oneObjectInManyViews() async throws {
            struct Many: View {
                let dog: UIDog
                @State private var count = 10
                var body: some View {
                    Button("Fewer") { count -= 5 }
                    ForEach(0..<count, id: \.self) { _ in Editor(dog: dog) }
                }
            }
            let kennel = try Kennel.rexAdaBo()
            let host = show(Many(dog: try kennel.dog(1)), kennel)
            #expect(host.all(.text("name: Rex")).count == 10)
            try await host.tap(.button("Fewer"))
            try kennel.realm.write { try kennel.dog(1).name = "Max" }
            await host.settle()
            #expect(host.all(.text("name: Max")).count == 5)
            host.close()
            try kennel.realm.write { try kennel.dog(1).name = "Moritz" }
        }

        @Test(.behaviour("E15")) func changesOfAnEmbeddedObjectAreChangesOfItsOwner() async throws {
            let kennel = try Kennel.rexAdaBo()
            try kennel.realm.write { try kennel.dog(1).collar = UICollar("red") }
            let host = show(Collar(dog: try kennel.dog(1)), kennel)
            try kennel.realm.write { try kennel.dog(1).collar?.color = "blue" }
            await host.settle()
            #expect(host.exists(.text("blue")))
        }

        @Test(.behaviour("E16")) func inverseLinksAndGivenCollectionsAreFollowed() async throws {
            struct Owners: View {
                @ObservedRealmObject var dog: UIDog
                var body: some View { Text("\(dog.owners.count) owners") }
            }
            struct Given: View {
                @ObservedRealmCollection var owners: LinkingObjects<UIPerson>
                @ObservedRealmCollection var dogs: Results<UIDog>
                var body: some View {
                    Text(owners.map(\.name).joined(separator: ", "))
                    List { ForEach(dogs) { Text($0.name) }.onDelete(perform: $dogs.remove) }
                }
            }
            let kennel = try Kennel.rexAdaBo()
            let dog = try kennel.dog(1)
            let (host, given) = (
                show(Owners(dog: dog), kennel),
                show(Given(owners: dog.owners, dogs: kennel.dogs.where { $0.weight > 15 }), kennel)
            )
            try kennel.realm.write {
                let person = UIPerson(1, "Pia")
                person.dogs.append(dog)
                kennel.realm.add(person)
            }
            await host.settle()
            await given.settle()
            #expect(host.exists(.text("1 owners")))
            #expect(given.exists(.text("Pia")))
            try await given.delete(.row(containing: "Bo"))
            #expect(rows(given) == ["Rex"])
            #expect(kennel.names == ["Rex", "Ada"])
        }

        @Test(.behaviour("E17")) func elementsOfAListAreEditedThroughBindings() async throws {
            struct Tags: View {
                @ObservedRealmObject var dog: UIDog
                var body: some View {
                    ForEach($dog.tags, id: \.self) { $tag in TextField(tag, text: $tag) }
                    Button("First by position") { $dog.tags[0].wrappedValue = "first" }
                }
            }
            let kennel = try Kennel.rexAdaBo()
            try kennel.realm.write { try kennel.dog(1).tags.append(objectsIn: ["a", "b"]) }
            let host = show(Tags(dog: try kennel.dog(1)), kennel)
            try await host.clear(.field("b"))
            #expect(try Array(kennel.dog(1).tags) == ["a", ""])
            try await host.tap(.button("First by position"))
            #expect(try Array(kennel.dog(1).tags) == ["first", ""])
            let draft = UIDog(9, "draft")
            draft.tags.append("x")
            let unmanaged = show(Tags(dog: draft), kennel)
            try await unmanaged.clear(.field("x"))
            #expect(Array(draft.tags) == [""])
        }

        @Test(.behaviour("E18", "E20")) func aWriteIsAnnouncedOnceAndBeforeItReturns() async throws {
            let kennel = try Kennel.rexAdaBo()
            let following = ObjectFollowing(try kennel.dog(1)) { UIDog() }
            following.install(following.given)
            var count = 0
            let subscription = following.objectWillChange.sink { count += 1 }
            let name = try kennel.dog(1).bind(\.name)
            withAnimation { name.wrappedValue = "Animated" }
            #expect(count == 1, "it came within withAnimation")
            following.install(following.given)
            await UIHost(Text("")).settle()
            #expect(count == 1, "the notification of the same version is no second change")
            subscription.cancel()
        }

        @Test(.behaviour("E20")) func typingFastIsOneEvaluationPerLetter() async throws {
            let kennel = try Kennel.rexAdaBo()
            let host = show(Editor(dog: try kennel.dog(1)), kennel)
            try await host.type("x", into: .field("Name"))
            let count = host.evaluations(of: Editor.self)
            try await host.type("abcdefgh", into: .field("Name"))
            #expect(host.evaluations(of: Editor.self) == count + 8)
            #expect(kennel.names.first == "Rexxabcdefgh")
        }

        @Test(.behaviour("E19")) func editingADetailPageKeepsItOpen() async throws {
            struct Master: View {
                @ObservedResults(UIDog.self, sortDescriptor: RealmSwift.SortDescriptor(keyPath: "name")) var dogs
                var body: some View {
                    NavigationView {
                        List { ForEach(dogs) { dog in NavigationLink(dog.name) { Editor(dog: dog) } } }
                            .navigationTitle("Dogs")
                    }
                }
            }
            let kennel = try Kennel.rexAdaBo()
            let host = show(Master(), kennel)
            try await host.tap(.row(containing: "Ada"))
            try await host.clear(.field("Name"))
            try await host.type("Zora", into: .field("Name"))
            #expect(host.exists(.text("name: Zora")))
            try await host.back()
            #expect(rows(host) == ["Bo", "Rex", "Zora"])
        }

        @Test(.behaviour("E21")) func rowsMoveToWhereTheyAreDropped() async throws {
            let kennel = try Kennel.rexAdaBo()
            let person = UIPerson(1, "Pia")
            try kennel.realm.write {
                kennel.realm.add(person)
                for color in ["a", "b", "c", "d"] { person.collars.append(UICollar(color)) }
                person.dogs.append(objectsIn: kennel.dogs.sorted(by: \._id))
            }
            let collars = person.bind(\.collars)
            collars.move(fromOffsets: [0], toOffset: 2)
            #expect(person.collars.map(\.color) == ["b", "a", "c", "d"])
            collars.move(fromOffsets: [0, 3], toOffset: 2)
            #expect(person.collars.map(\.color) == ["a", "b", "d", "c"])
            collars.remove(atOffsets: [1, 9])
            #expect(person.collars.map(\.color) == ["a", "d", "c"])
            person.bind(\.dogs).move(fromOffsets: [0], toOffset: 3)
            #expect(person.dogs.map(\.name) == ["Ada", "Bo", "Rex"])
            let unmanaged = UIDog(9, "")
            unmanaged.tags.append(objectsIn: ["x", "y", "z"])
            unmanaged.bind(\.tags).move(fromOffsets: [2], toOffset: 0)
            #expect(Array(unmanaged.tags) == ["z", "x", "y"])
        }

        @Test(.behaviour("E24")) func anUnmanagedObjectIsFollowedAndAddedAsAnyOther() async throws {
            struct Draft: View {
                @StateRealmObject var person = UIPerson(1, "")
                @ObservedResults(UIPerson.self) var people
                var body: some View {
                    Text("draft \(person.name) with \(person.dogs.count)")
                    TextField("Name", text: $person.name)
                    Button("Dog") { $person.dogs.append(UIDog(person.dogs.count, "pup")) }
                    Button("Save") { $people.append(person) }
                    Editors(person: person)
                }
            }
            struct Editors: View {
                @ObservedRealmObject var person: UIPerson
                var body: some View { Text("child sees \(person.name)") }
            }
            let kennel = try Kennel()
            let host = show(Draft(), kennel)
            try await host.type("Pia", into: .field("Name"))
            try await host.tap(.button("Dog"))
            #expect(host.exists(.text("draft Pia with 1")))
            #expect(host.exists(.text("child sees Pia")))
            try await host.tap(.button("Save"))
            try await host.tap(.button("Dog"))
            try await host.type("!", into: .field("Name"))
            #expect(host.exists(.text("draft Pia! with 2")))
            #expect(host.exists(.text("child sees Pia!")))
            #expect(kennel.realm.objects(UIPerson.self).map(\.name) == ["Pia!"])
            #expect(kennel.names == ["pup", "pup"])
            #expect(host.log.isEmpty)
        }

        @Test(.behaviour("E27")) func unmanagedCollectionsAreShownAsTheyAre() async throws {
            struct Loose: View {
                @StateRealmObject var names = RealmSwift.List<String>()
                @StateRealmObject var marks = MutableSet<String>()
                @StateRealmObject var scores = RealmSwift.Map<String, Int>()
                @ObservedRealmObject var dogs: RealmSwift.List<UIDog>
                var body: some View {
                    Text("\(names.count) \(marks.count) \(scores["a"] ?? 0) \(dogs.count)")
                    Button("Grow") {
                        $names.append("x")
                        $marks.insert("x")
                        $scores.set(object: 7, for: "a")
                    }
                }
            }
            let kennel = try Kennel()
            let host = show(Loose(dogs: RealmSwift.List<UIDog>()), kennel)
            try await host.tap(.button("Grow"))
            #expect(host.exists(.text("1 1 7 0")))
        }

        @Test(.behaviour("E28")) func frozenObjectsOfTheSameRealmAreAppended() async throws {
            let kennel = try Kennel.rexAdaBo()
            let person = UIPerson(1, "Pia")
            try kennel.realm.write { kennel.realm.add(person) }
            let (rex, ada) = (try kennel.dog(1).freeze(), try kennel.dog(2).freeze())
            person.freeze().bind(\.dogs).append(rex)
            person.freeze().bind(\.friends).insert(rex)
            person.freeze().bind(\.friends).insert(rex)
            #expect(person.dogs.map(\.name) == ["Rex"])
            #expect(person.friends.map(\.name) == ["Rex"])
            person.bind(\.friends).remove(rex)
            #expect(person.friends.isEmpty)
            try kennel.realm.write { kennel.realm.delete(try kennel.dog(2)) }
            person.bind(\.dogs).append(ada)
            #expect(person.dogs.map(\.name) == ["Rex"], "what is gone is not appended")
        }
    }
}
