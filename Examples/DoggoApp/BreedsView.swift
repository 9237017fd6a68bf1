// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift
import SwiftUI

/// The dogs in sections by their breed.
struct BreedsView: View {
    @ObservedSectionedResults(Dog.self, sectionKeyPath: \.breed) var dogs

    var body: some View {
        NavigationView {
            List {
                ForEach(dogs) { section in
                    Section(header: Text(section.key ?? "mixed")) {
                        ForEach(section) { dog in DogRow(dog: dog) }
                            .onDelete { $dogs.remove(atOffsets: $0, section: section) }
                    }
                }
            }
            .navigationBarTitle("Breeds")
        }
    }
}
