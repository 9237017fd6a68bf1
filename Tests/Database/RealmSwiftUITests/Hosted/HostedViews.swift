// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmSwift
import SwiftUI

// Views for any host, which record their content for the test.

struct RecordedDogs: View {
    let record: ViewRecord
    @ObservedResults(UIDog.self, sortDescriptor: RealmSwift.SortDescriptor(keyPath: "_id", ascending: true)) var dogs

    var body: some View {
        Text(
            record.show(
                dogs.map(\.name).joined(separator: " ") + (dogs.isFrozen ? "" : " (live)"),
                [
                    "append": { $dogs.append(UIDog(9, "Zed", weight: 5)) },
                    "remove": { $dogs.remove(atOffsets: IndexSet(integer: 0)) },
                    "filter": { $dogs.filter = NSPredicate(format: "weight > 15", argumentArray: nil) },
                    "where": { $dogs.where = { $0.breed == "boxer" } },
                    "all": { $dogs.filter = nil },
                ]))
    }
}

struct RecordedDog: View {
    let record: ViewRecord
    @ObservedRealmObject var dog: UIDog

    var body: some View {
        Text(
            record.show(
                "\(dog.name) \(dog.isGood)",
                [
                    "rename": { $dog.name.wrappedValue = "Zed" },
                    "praise": { $dog.isGood.wrappedValue = true },
                    "delete": { $dog.delete() },
                ]))
    }
}

struct RecordedDraft: View {
    let record: ViewRecord
    @StateRealmObject var dog = UIDog(50, "")
    @ObservedResults(UIDog.self) var dogs

    var body: some View {
        Text(
            record.show(
                "\(dog.name) of \(dogs.count)",
                ["name": { $dog.name.wrappedValue += "Pip" }, "save": { $dogs.append(dog) }]))
    }
}

struct RecordedPerson: View {
    let record: ViewRecord
    @ObservedRealmObject var person: UIPerson

    var body: some View {
        Text(
            record.show(
                "\(person.dogs.map(\.name).joined(separator: " ")), \(person.byRole.count) roles",
                [
                    "append": { $person.dogs.append(UIDog(70, "Pup")) },
                    "move": { $person.dogs.move(fromOffsets: IndexSet(integer: 0), toOffset: 2) },
                    "employ": { $person.byRole.set(object: person.dogs.first, for: "guard") },
                    "dismiss": { $person.byRole.set(object: nil, for: "guard") },
                ]))
    }
}

struct RecordedSections: View {
    let record: ViewRecord
    @ObservedSectionedResults(UIDog.self, sectionKeyPath: \.breed) var sections

    var body: some View {
        Text(record.show(sections.map { "\($0.key ?? ""): \($0.count)" }.joined(separator: ", ")))
    }
}

struct RecordedSearch: View {
    let record: ViewRecord
    @ObservedResults(UIDog.self, sortDescriptor: RealmSwift.SortDescriptor(keyPath: "_id", ascending: true)) var dogs
    @State private var text = ""

    var body: some View {
        Text(
            record.show(
                dogs.map(\.name).joined(separator: " "),
                ["search": { text = "Ada" }, "clear": { text = "" }])
        )
        .searchable(text: $text, collection: $dogs, keyPath: \.name)
    }
}
