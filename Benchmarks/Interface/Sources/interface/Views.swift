// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift
import SwiftUI

final class Dog: Object, ObjectKeyIdentifiable {
    @Persisted(primaryKey: true) var id: Int
    @Persisted var name: String
    @Persisted var breed: String
    @Persisted var weight: Int
}

/// All dogs, in a view whose parent is evaluated again at a tap.
struct ListOfDogs: View {
    @State private var count = 0

    var body: some View {
        Text("Dogs, shown \(count) times")
        Button("Again") { count += 1 }
        Rows(title: "\(count)")
    }
}

struct Rows: View {
    let title: String
    @ObservedResults(Dog.self) var dogs

    var body: some View {
        List { ForEach(dogs) { dog in Row(dog: dog) } }
    }
}

struct SortedRows: View {
    @ObservedResults(Dog.self, where: { $0.weight > 10 }, sortDescriptor: SortDescriptor(keyPath: "name")) var dogs

    var body: some View {
        List { ForEach(dogs) { dog in Row(dog: dog) } }
    }
}

struct SectionsOfDogs: View {
    @ObservedSectionedResults(Dog.self, sectionKeyPath: \.breed) var dogs

    var body: some View {
        List {
            ForEach(dogs) { section in
                Section(section.key) { ForEach(section) { dog in Row(dog: dog) } }
            }
        }
    }
}

struct Row: View {
    @ObservedRealmObject var dog: Dog

    var body: some View {
        HStack {
            Text(dog.name)
            Spacer()
            Text("\(dog.weight) kg")
        }
    }
}

struct NameField: View {
    @ObservedRealmObject var dog: Dog

    var body: some View { TextField("Name", text: $dog.name) }
}
