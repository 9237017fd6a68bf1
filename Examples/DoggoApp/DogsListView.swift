// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift
import SwiftUI

/// All dogs, with search and a choice of the order. Rows can be deleted, and the button below adds a dog.
struct DogsListView: View {
    @ObservedResults(Dog.self, sortDescriptor: SortDescriptor(keyPath: "name", ascending: true)) var dogs
    @State private var searchText = ""
    @State private var order = "name"

    var body: some View {
        NavigationView {
            VStack {
                Picker("Order", selection: $order) {
                    Text("by name").tag("name")
                    Text("by weight").tag("weight")
                }
                .onChange(of: order) { property in
                    $dogs.sortDescriptor = SortDescriptor(keyPath: property, ascending: property == "name")
                }
                List {
                    ForEach(dogs) { dog in
                        NavigationLink(destination: EditDogDetails(dog: dog)) { DogRow(dog: dog) }
                    }
                    .onDelete(perform: $dogs.remove)
                }
                .listStyle(GroupedListStyle())
                .searchable(text: $searchText, collection: $dogs, keyPath: \.name)
                .navigationBarTitle("Dogs", displayMode: .large)
                .navigationBarBackButtonHidden(true)
                .navigationBarItems(trailing: EditButton())
                HStack {
                    Text("\(dogs.count) dogs")
                    Spacer()
                    Button(action: { $dogs.append(Dog(value: ["_id": UUID(), "name": "New dog"])) }) {
                        Image(systemName: "plus")
                    }
                    .accessibilityIdentifier("addDogButton")
                }
                .padding()
            }
        }
    }
}

struct DogRow: View {
    @ObservedRealmObject var dog: Dog

    var body: some View {
        HStack {
            Text(dog.name)
            Spacer()
            Text("\(dog.weight) kg").foregroundColor(.secondary)
        }
    }
}
