// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmSwift
import SwiftUI

/// The toys, with writes by the view itself.
struct ToysView: View {
    @ObservedResults(DogToy.self, sortDescriptor: SortDescriptor(keyPath: "name", ascending: true)) var toys
    @Environment(\.realm) private var realm
    @State private var name = ""
    @State private var failure: String?

    var body: some View {
        NavigationView {
            List {
                ForEach(toys) { toy in
                    HStack {
                        Text(toy.name)
                        Spacer()
                        Button("Shout") { shout(toy) }
                    }
                }
                .onDelete(perform: $toys.remove)
                TextField("New toy", text: $name)
                    .onSubmit(add)
                if let failure { Text(failure).foregroundColor(.red) }
            }
            .navigationBarTitle("Toys")
        }
    }

    /// Thaws and changes a frozen object in the view's own write.
    private func shout(_ toy: DogToy) {
        guard let live = toy.thaw() else { return }
        write { live.name = live.name.uppercased() }
    }

    /// Changes an existing toy with this key, or adds one.
    private func add() {
        guard !name.isEmpty else { return }
        let known = toys.first { $0.name.lowercased() == name.lowercased() }
        write {
            realm.create(
                DogToy.self, value: ["_id": known?._id ?? ObjectId.generate(), "name": name], update: .modified)
        }
        name = ""
    }

    private func write(_ body: () -> Void) {
        do {
            try realm.write(body)
            failure = nil
        } catch {
            failure = "\(error)"
        }
    }
}
