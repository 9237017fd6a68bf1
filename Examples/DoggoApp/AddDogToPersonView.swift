// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift
import SwiftUI

/// A form for a new dog of a person. Appending the dog to the person's dogs adds it to the Realm.
struct AddDogToPersonView: View {
    @ObservedRealmObject var person: Person
    @Binding var isInAddDogView: Bool
    @State private var name = ""
    @State private var breed = ""
    @State private var weight = 0
    @State private var favoriteToy = ""

    var body: some View {
        Form {
            TextField("Dog's name", text: $name)
            TextField("Dog's breed", text: $breed)
            TextField("Dog's weight", value: $weight, format: .number)
            TextField("Dog's favorite toy", text: $favoriteToy)
            Section {
                Button(action: save) { Text("Save") }
                    .disabled(name.isEmpty)
                Button("Cancel", role: .cancel) { isInAddDogView.toggle() }
            }
        }
        .navigationTitle("Add Dog")
    }

    private func save() {
        let dog = Dog(value: ["_id": UUID(), "name": name, "weight": weight])
        dog.breed = breed.isEmpty ? nil : breed
        dog.favoriteToy = toy(named: favoriteToy)
        $person.dogs.append(dog)
        isInAddDogView.toggle()
    }

    /// Returns an existing toy of that name, so that the new dog links to it, or a new one.
    private func toy(named name: String) -> DogToy? {
        guard !name.isEmpty else { return nil }
        let known = person.thaw()?.realm?.objects(DogToy.self).where { $0.name == name }.first
        return known ?? DogToy(value: ["_id": ObjectId.generate(), "name": name])
    }
}
