// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift
import SwiftUI

/// The properties of a dog. Each edit is written at once.
struct EditDogDetails: View {
    @ObservedRealmObject var dog: Dog
    @ObservedResults(DogToy.self, sortDescriptor: SortDescriptor(keyPath: "name", ascending: true)) var toys
    @Environment(\.dismiss) private var dismiss

    var body: some View {
        Form {
            Text(dog.name)
                .font(.title2)
            TextField("New name", text: $dog.name)
                .navigationBarTitle(dog.name)
            TextField("New breed", text: breed)
                .textInputAutocapitalization(.never)
                .disableAutocorrection(true)
            TextField("New weight", value: $dog.weight, format: .number)
            DatePicker("Born", selection: $dog.dateOfBirth, displayedComponents: .date)
            Picker("Favorite toy", selection: $dog.favoriteToy) {
                Text("none").tag(nil as DogToy?)
                ForEach(toys) { toy in Text(toy.name).tag(toy as DogToy?) }
            }
            Section(header: Text("Owners")) {
                ForEach(dog.owners) { person in Text(person.name) }
            }
            Button("Delete", role: .destructive) {
                dismiss()
                $dog.delete()
            }
        }
    }

    /// A text field can't represent nil.
    private var breed: Binding<String> {
        Binding(get: { dog.breed ?? "" }, set: { $dog.breed.wrappedValue = $0.isEmpty ? nil : $0 })
    }
}
