// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RegnumUITesting
import SwiftUI
import Testing

// Views as apps write them, with `import SwiftUI` only, and plain data.

private struct Dog: Identifiable {
    let id: Int
    var name = ""
    var breed = ""
    var weight = 0
    var favoriteToy = ""
    var profileImage: URL?
}

private final class Kennel: ObservableObject {
    @Published var dogs = [Dog(id: 1, name: "Rex", weight: 12), Dog(id: 2, name: "Ada", weight: 9)]
}

private struct EditDogDetails: View {
    @Binding var dog: Dog

    var body: some View {
        VStack {
            Text(dog.name)
                .font(.title2)
            TextField("New name", text: $dog.name)
                .navigationBarTitle(dog.name)
                .navigationBarItems(trailing: Image(systemName: "pencil"))
            TextField("Weight", value: $dog.weight, format: .number)
            TextField("Image link", value: $dog.profileImage, format: .url)
                .keyboardType(.URL)
                .textInputAutocapitalization(.never)
                .disableAutocorrection(true)
        }
        .padding()
    }
}

private struct DogsListView: View {
    @EnvironmentObject var kennel: Kennel
    @State private var isAdding = false

    var body: some View {
        NavigationView {
            VStack {
                List {
                    ForEach($kennel.dogs) { $dog in
                        NavigationLink(destination: EditDogDetails(dog: $dog)) {
                            HStack {
                                Text(dog.name)
                                Spacer()
                                Text("\(dog.weight) kg").foregroundColor(.secondary)
                            }
                        }
                    }
                    .onDelete(perform: remove)
                }
                .listStyle(GroupedListStyle())
                .navigationBarTitle("Dogs", displayMode: .large)
                .navigationBarBackButtonHidden(true)
                HStack {
                    Spacer()
                    Button(action: { isAdding = true }) { Image(systemName: "plus") }
                        .accessibilityIdentifier("addDogButton")
                }
                .padding()
            }
            .sheet(isPresented: $isAdding) { AddDogView(kennel: kennel, isPresented: $isAdding) }
        }
    }

    private func remove(_ offsets: IndexSet) { kennel.dogs.remove(atOffsets: offsets) }
}

private struct AddDogView: View {
    @ObservedObject var kennel: Kennel
    @Binding var isPresented: Bool
    @State var name = ""

    var body: some View {
        Form {
            Section(header: Text("Dog Name")) {
                TextField("Name", text: $name)
                    .accessibilityIdentifier("dogNameField")
            }
            Section {
                Button(
                    action: {
                        kennel.dogs.append(Dog(id: kennel.dogs.count + 1, name: name))
                        isPresented = false
                    },
                    label: { Text("Save") })
                Button("Cancel", role: .cancel) { isPresented = false }
            }
        }
        .navigationTitle("Add Dog")
    }
}

private struct Program: SwiftUI.App {
    @StateObject private var kennel = Kennel()

    var body: some SwiftUI.Scene {
        WindowGroup { DogsListView().environmentObject(kennel) }
    }
}

private struct Program_Previews: PreviewProvider {
    static var previews: some SwiftUI.View { DogsListView().environmentObject(Kennel()) }
}

private struct CountingProgram: SwiftUI.App {
    @StateObject private var kennel = Kennel()
    static var received: [String] = []

    var body: some SwiftUI.Scene {
        WindowGroup { DogsListView().environmentObject(kennel) }
            .onChange(of: kennel.dogs.count) { Self.received.append("now \($0)") }
            .onChange(of: kennel.dogs.count) { Self.received.append("\($0) to \($1)") }
            .onChange(of: kennel.dogs.count, initial: true) { Self.received.append("changed") }
    }
}

@MainActor @Suite struct ProgramTests {
    @Test func aSceneIsNotifiedOfChanges() async throws {
        CountingProgram.received = []
        let host = UIHost(CountingProgram())
        #expect(CountingProgram.received == ["changed"])
        try await host.delete(.row(containing: "Rex"))
        #expect(CountingProgram.received.sorted() == ["2 to 1", "changed", "changed", "now 1"])
    }

    @Test func dogsAreAddedEditedAndDeleted() async throws {
        let host = UIHost(Program())
        #expect(host.title == "Dogs")
        #expect(host.all(.row()).map(\.name) == ["Rex 12 kg", "Ada 9 kg"])
        try await host.tap(.id("addDogButton"))
        try await host.type("Bo", into: .id("dogNameField"))
        try await host.tap(.button("Save"))
        #expect(host.all(.row()).count == 3)
        try await host.tap(.row(containing: "Bo"))
        try await host.type("!", into: .field("New name"))
        #expect(host.title == "Bo!")
        try await host.clear(.field("Weight"))
        try await host.type("30", into: .field("Weight"))
        try await host.type("https://a.example/bo.png", into: .field("Image link"))
        try await host.back()
        #expect(host.all(.row()).map(\.name) == ["Rex 12 kg", "Ada 9 kg", "Bo! 30 kg"])
        try await host.delete(.row(containing: "Rex"))
        #expect(host.all(.row()).map(\.name) == ["Ada 9 kg", "Bo! 30 kg"])
        #expect(host.log.isEmpty)
    }

    @Test func previewsAreViews() { #expect(PreviewHost.render(Program_Previews.self).title == "Dogs") }
}
