// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift
import SwiftUI

struct PeopleView: View {
    @ObservedResults(
        Person.self,
        sortDescriptors: [SortDescriptor(keyPath: "lastName"), SortDescriptor(keyPath: "firstName")])
    var people

    var body: some View {
        NavigationView {
            List {
                ForEach(people) { person in
                    NavigationLink(destination: PersonView(person: person)) {
                        LabeledContent(person.name, value: "\(person.dogs.count)")
                    }
                }
                .onDelete(perform: $people.remove)
            }
            .navigationBarTitle("People")
        }
    }
}

/// A person, with dogs in the person's preferred order.
struct PersonView: View {
    @ObservedRealmObject var person: Person
    @State private var isInAddDogView = false

    var body: some View {
        Form {
            TextField("First name", text: $person.firstName)
            TextField("Last name", text: $person.lastName)
            if let address = person.address { AddressView(address: address) }
            Section(header: Text("Dogs")) {
                ForEach(person.dogs) { dog in DogRow(dog: dog) }
                    .onDelete(perform: $person.dogs.remove)
                    .onMove(perform: $person.dogs.move)
            }
            Button("Add a dog") { isInAddDogView.toggle() }
        }
        .navigationBarTitle(person.name)
        .navigationBarItems(trailing: EditButton())
        .sheet(isPresented: $isInAddDogView) {
            AddDogToPersonView(person: person, isInAddDogView: $isInAddDogView)
        }
    }
}

/// The address of a person, an embedded object.
struct AddressView: View {
    @ObservedRealmObject var address: Address

    var body: some View {
        Section(header: Text("Address")) {
            Text([address.street, address.city].compactMap { $0 }.joined(separator: ", "))
            TextField("City", text: city)
        }
    }

    private var city: Binding<String> {
        Binding(get: { address.city ?? "" }, set: { $address.city.wrappedValue = $0.isEmpty ? nil : $0 })
    }
}
