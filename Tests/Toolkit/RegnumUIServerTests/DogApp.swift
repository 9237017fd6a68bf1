// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import OpenCombine
import RegnumUI

// A small app with plain data, for the tests of its page. All windows share the kennel.

struct Dog: Identifiable {
    let id: Int
    var name: String
    var weight = 10
    var isFavourite = false
    var toy = "Ball"
}

@MainActor final class Kennel: ObservableObject {
    @Published var dogs = [Dog(id: 1, name: "Rex"), Dog(id: 2, name: "Ada"), Dog(id: 3, name: "Bo")]
    @Published var note = ""
    @Published var secret = ""
    var nextID = 4

    func add(_ name: String) {
        dogs.append(Dog(id: nextID, name: name))
        nextID += 1
    }
}

struct DogApp: App {
    @StateObject var kennel = Kennel()
    @State var visits = 0

    var body: some Scene {
        WindowGroup { DogsView().environmentObject(kennel).environment(\.visits, $visits) }
        WindowGroup(id: "rows") { RowsView() }
        WindowGroup(id: "controls") { ControlsView() }
        WindowGroup(id: "gestures") { GesturesView() }
        WindowGroup(id: "fields") { FieldsView().environmentObject(kennel) }
    }
}

private struct VisitsKey: EnvironmentKey { static var defaultValue: Binding<Int> { .constant(0) } }

extension EnvironmentValues {
    var visits: Binding<Int> {
        get { self[VisitsKey.self] }
        set { self[VisitsKey.self] = newValue }
    }
}

struct DogsView: View {
    @EnvironmentObject var kennel: Kennel
    @Environment(\.visits) var visits
    @State private var isAdding = false
    @State private var isAsking = false
    @State private var search = ""

    private var shown: [Dog] {
        kennel.dogs.filter { search.isEmpty || $0.name.localizedCaseInsensitiveContains(search) }
    }

    var body: some View {
        NavigationView {
            List {
                Section("Dogs") {
                    ForEach(shown) { dog in
                        NavigationLink {
                            DogView(dog: $kennel.dogs[id: dog.id])
                        } label: {
                            Text(dog.name)
                        }
                    }
                    .onDelete { kennel.dogs.remove(atOffsets: $0) }
                    .onMove { kennel.dogs.move(fromOffsets: $0, toOffset: $1) }
                }
                Section("Visits") {
                    Button("Visit \(visits.wrappedValue)") { visits.wrappedValue += 1 }
                    Button("Send all home", role: .destructive) { isAsking = true }
                }
            }
            .searchable(text: $search)
            .navigationTitle("Kennel")
            .navigationBarItems(
                trailing: Button {
                    isAdding = true
                } label: {
                    Image(systemName: "plus")
                }
            )
            .sheet(isPresented: $isAdding) { AddDogView() }
            .alert("All?", isPresented: $isAsking) {
                Button("Send", role: .destructive) { kennel.dogs = [] }
                Button("Cancel", role: .cancel) {}
            }
        }
    }
}

struct DogView: View {
    @Binding var dog: Dog

    var body: some View {
        Form {
            TextField("Name", text: $dog.name)
            TextField("Weight", value: $dog.weight, format: .number)
            Toggle("Favourite", isOn: $dog.isFavourite)
            Picker("Toy", selection: $dog.toy) {
                ForEach(["Ball", "Bone", "Rope"], id: \.self) { Text($0) }
            }
            Text("\(dog.name) weighs \(dog.weight) and has a \(dog.toy)\(dog.isFavourite ? ", a favourite" : "")")
        }
        .navigationTitle(dog.name)
    }
}

struct AddDogView: View {
    @EnvironmentObject var kennel: Kennel
    @Environment(\.dismiss) var dismiss
    @State private var name = ""
    @FocusState private var isNaming: Bool

    var body: some View {
        NavigationView {
            Form {
                TextField("Name of the dog", text: $name).focused($isNaming)
                Button("Save") {
                    kennel.add(name)
                    dismiss()
                }
                .disabled(name.isEmpty)
            }
            .navigationTitle("New dog")
        }
        .onAppear { isNaming = true }
    }
}

struct RowsView: View {
    var body: some View {
        List(0..<10_000) { Text("Row \($0)") }.navigationTitle("Rows")
    }
}

struct FieldsView: View {
    @EnvironmentObject var kennel: Kennel
    @State private var loud = ""
    @State private var size = 0.5

    var body: some View {
        VStack {
            TextField("Note", text: $kennel.note).accessibilityIdentifier("note")
            Text("Said: \(kennel.note)")
            TextField("Loud", text: Binding(get: { loud }, set: { loud = String($0.uppercased().prefix(8)) }))
            SecureField("Secret", text: $kennel.secret)
            Text("\(kennel.secret.count) secret letters")
            Slider(value: $size, in: 0...1) { Text("Size") }
            GeometryReader { Text("\($0.size.width > 500 ? "wide" : "narrow")") }
            Menu("Do") { Button("Clear") { kennel.note = "" } }
            Link("Web", destination: URL(fileURLWithPath: "/etc/passwd"))
            Image(systemName: "never.heard.of")
        }
        .navigationTitle("Fields")
    }
}

struct ControlsView: View {
    @State private var isOn = false
    @State private var choice = "small"
    @State private var date = Date(timeIntervalSince1970: 0)
    @State private var color = Color.black
    @State private var count = 1
    @State private var text = ""

    var body: some View {
        NavigationView {
            Form {
                Stepper("Count", value: $count, in: 0...9)
                DatePicker("Born", selection: $date, displayedComponents: .date)
                DatePicker("Fed", selection: $date, displayedComponents: .hourAndMinute)
                DatePicker("Seen", selection: $date)
                ColorPicker("Colour", selection: $color)
                Picker("Size", selection: $choice) {
                    ForEach(["small", "large"], id: \.self) { Text($0) }
                }
                .pickerStyle(.segmented)
                ProgressView("Loading", value: 0.5)
                ProgressView()
                TextEditor(text: $text).accessibilityLabel("Notes")
                DisclosureGroup("More") { Text("inside") }
                Toggle(isOn: $isOn) { Image(systemName: "star") }
                Button(action: {}, label: { Image(systemName: "trash") })
                TextField("Nickname", text: $text).labelsHidden()
                Text("Bark").onTapGesture { count += 1 }
                Menu("Do") { Button("Feed") {} }
            }
            .refreshable {}
            .navigationTitle("Controls")
        }
    }
}

extension Array where Element == Dog {
    subscript(id id: Int) -> Dog {
        get { first { $0.id == id } ?? Dog(id: id, name: "") }
        set { if let index = firstIndex(where: { $0.id == id }) { self[index] = newValue } }
    }
}

struct GesturesView: View {
    @State private var state = "still"
    @State private var taps = 0

    var body: some View {
        Text("handle").frame(width: 100, height: 40)
            .gesture(
                DragGesture().onChanged { state = "at \(Int($0.translation.width))" }
                    .onEnded { state = "ended \(Int($0.translation.width))" }
            )
            .simultaneousGesture(TapGesture().onEnded { taps += 1 })
        Text("\(state), taps \(taps)")
    }
}
