// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import SwiftUI

// Each form of SwiftUI's controls, containers, and modifiers, with a literal, which is a key, and with a string. The
// test is that this file compiles. DeclarationTests shows the views.

private let name = "name"
private let site = URL(fileURLWithPath: "/site")

struct ButtonForms: View {
    @State private var isOn = false
    @State private var choice = 0
    @State private var date = Date(timeIntervalSince1970: 0)

    var body: some View {
        Group {
            Button("key") {}
            Button(name) {}
            Button("key", role: .cancel) {}
            Button(name, role: .cancel) {}
            Button("key", systemImage: "star") {}
            Button(name, systemImage: "star") {}
            Button("key", systemImage: "star", role: .destructive) {}
            Button(name, systemImage: "star", role: .destructive) {}
            Button(action: {}, label: { Text("label") })
            Button(role: .cancel, action: {}, label: { Text("label") })
        }
        Group {
            Toggle("key", isOn: $isOn)
            Toggle(name, isOn: $isOn)
            Toggle("key", systemImage: "star", isOn: $isOn)
            Toggle(name, systemImage: "star", isOn: $isOn)
            Toggle(isOn: $isOn) { Text("label") }
            Picker("key", selection: $choice) { Text("0").tag(0) }
            Picker(name, selection: $choice) { Text("0").tag(0) }
            Picker("key", systemImage: "star", selection: $choice) { Text("0").tag(0) }
            Picker(name, systemImage: "star", selection: $choice) { Text("0").tag(0) }
            Picker(selection: $choice, content: { Text("0").tag(0) }, label: { Text("label") })
            Picker(selection: $choice, label: Text("label")) { Text("0").tag(0) }
        }
        Group {
            DatePicker("key", selection: $date)
            DatePicker(name, selection: $date, displayedComponents: .date)
            DatePicker("key", selection: $date, in: date...date)
            DatePicker(name, selection: $date, in: date...)
            DatePicker("key", selection: $date, in: ...date, displayedComponents: [.hourAndMinute])
            DatePicker(name, selection: $date, in: date...date)
            DatePicker(selection: $date) { Text("label") }
            DatePicker(selection: $date, in: date...date) { Text("label") }
        }
    }
}

struct FieldForms: View {
    @State private var text = ""
    @State private var number = 1
    @State private var optional: Int?

    var body: some View {
        Group {
            TextField("key", text: $text)
            TextField(name, text: $text)
            TextField("key", text: $text, prompt: Text("prompt"))
            TextField(name, text: $text, prompt: Text("prompt"))
            TextField("key", text: $text, axis: .vertical)
            TextField(name, text: $text, axis: .vertical)
            TextField("key", text: $text, prompt: Text("prompt"), axis: .vertical)
            TextField("key", text: $text, onEditingChanged: { _ in }, onCommit: {})
            TextField(name, text: $text, onEditingChanged: { _ in })
            TextField("key", text: $text, onCommit: {})
            TextField(text: $text) { Text("label") }
            TextField(text: $text, prompt: Text("prompt"), axis: .vertical) { Text("label") }
        }
        Group {
            TextField("key", value: $number, format: .number)
            TextField(name, value: $number, format: .number, prompt: Text("prompt"))
            TextField("key", value: $optional, format: .number)
            TextField(name, value: $optional, format: .number)
            TextField(value: $number, format: .number) { Text("label") }
            TextField(value: $optional, format: .number) { Text("label") }
            TextField("key", value: $number, formatter: NumberFormatter())
            TextField(name, value: $number, formatter: NumberFormatter())
            TextField(value: $number, formatter: NumberFormatter()) { Text("label") }
        }
        Group {
            SecureField("key", text: $text)
            SecureField(name, text: $text)
            SecureField("key", text: $text, prompt: Text("prompt"))
            SecureField(name, text: $text, onCommit: {})
            SecureField(text: $text) { Text("label") }
        }
    }
}

struct NumberForms: View {
    @State private var value = 0.5
    @State private var count = 1

    var body: some View {
        Group {
            Slider(value: $value)
            Slider(value: $value, in: 0...1, step: 0.1)
            Slider(value: $value, in: 0...1) { Text("label") }
            Slider(value: $value, in: 0...1, step: 0.1) { Text("label") }
            Slider(
                value: $value, in: 0...1, label: { Text("label") }, minimumValueLabel: { Text("0") },
                maximumValueLabel: { Text("1") })
        }
        Group {
            Stepper("key", value: $count)
            Stepper(name, value: $count, step: 2)
            Stepper("key", value: $count, in: 0...9)
            Stepper(name, value: $count, in: 0...9, step: 3)
            Stepper("key", onIncrement: {}, onDecrement: nil)
            Stepper(name, onIncrement: {}, onDecrement: {})
            Stepper(value: $count) { Text("label") }
            Stepper(value: $count, in: 0...9) { Text("label") }
            Stepper(label: { Text("label") }, onIncrement: {}, onDecrement: {})
        }
        Group {
            ProgressView()
            ProgressView("key")
            ProgressView(name)
            ProgressView { Text("label") }
            ProgressView(value: 0.5)
            ProgressView(value: 1, total: 2) { Text("label") }
            ProgressView("key", value: 0.5)
            ProgressView(name, value: 0.5, total: 2)
            ProgressView(Progress(totalUnitCount: 3))
        }
    }
}

struct LabelForms: View {
    var body: some View {
        Group {
            Label("key", systemImage: "star")
            Label(name, systemImage: "star")
            Label("key", image: "picture")
            Label(name, image: "picture")
            Label(title: { Text("title") }, icon: { Image(systemName: "star") })
            Link("key", destination: site)
            Link(name, destination: site)
            Link(destination: site) { Text("label") }
        }
        Group {
            Menu("key") { Text("item") }
            Menu(name) { Text("item") }
            Menu("key", systemImage: "star") { Text("item") }
            Menu(name, systemImage: "star") { Text("item") }
            Menu("key", content: { Text("item") }, primaryAction: {})
            Menu(name, content: { Text("item") }, primaryAction: {})
            Menu(content: { Text("item") }, label: { Text("label") })
            Menu(content: { Text("item") }, label: { Text("label") }, primaryAction: {})
        }
        Group {
            LabeledContent("key", value: name)
            LabeledContent(name, value: name)
            LabeledContent("key", value: 1, format: .number)
            LabeledContent(name, value: 1, format: .number)
            LabeledContent("key") { Text("content") }
            LabeledContent(name) { Text("content") }
            LabeledContent(content: { Text("content") }, label: { Text("label") })
            ContentUnavailableView("key", systemImage: "star")
            ContentUnavailableView(name, systemImage: "star", description: Text("description"))
            ContentUnavailableView.search
            ContentUnavailableView.search(text: name)
        }
    }
}

struct ListForms: View {
    @State private var one: Int?
    @State private var several: Set<Int> = []
    @State private var isExpanded = true
    @State private var dogs = [NamedDog(id: 1, name: "Rex")]

    var body: some View {
        Group {
            List { Text("row") }
            List(dogs) { Text($0.name) }
            List(dogs, id: \.name) { Text($0.name) }
            List(0..<2) { Text("\($0)") }
            List($dogs) { Text($0.wrappedValue.name) }
            List(selection: $one) { Text("row").tag(1) }
            List(selection: $several) { Text("row").tag(1) }
            List(dogs, selection: $one) { Text($0.name) }
            List(dogs, selection: $several) { Text($0.name) }
            List(dogs, id: \.id, selection: $one) { Text($0.name) }
            List(dogs, id: \.id, selection: $several) { Text($0.name) }
        }
        Group {
            ForEach(dogs) { Text($0.name) }
            ForEach(dogs, id: \.name) { Text($0.name) }
            ForEach(0..<2) { Text("\($0)") }
            ForEach($dogs) { $dog in TextField("Name", text: $dog.name) }
            ForEach($dogs, id: \.name) { $dog in TextField("Name", text: $dog.name) }
        }
        List {
            Section { Text("row") }
            Section("key") { Text("row") }
            Section(name) { Text("row") }
            Section("key", isExpanded: $isExpanded) { Text("row") }
            Section(name, isExpanded: $isExpanded) { Text("row") }
            Section(content: { Text("row") }, header: { Text("header") })
            Section(content: { Text("row") }, footer: { Text("footer") })
            Section(content: { Text("row") }, header: { Text("header") }, footer: { Text("footer") })
            Section(header: Text("header")) { Text("row") }
            Section(footer: Text("footer")) { Text("row") }
            Section(header: Text("header"), footer: Text("footer")) { Text("row") }
            Section(isExpanded: $isExpanded, content: { Text("row") }, header: { Text("header") })
        }
    }
}

struct LinkForms: View {
    @State private var isActive = false
    @State private var selection: Int?
    @State private var title = "editable"

    var body: some View {
        Group {
            NavigationLink(destination: { Text("page") }, label: { Text("label") })
            NavigationLink(destination: Text("page")) { Text("label") }
            NavigationLink(isActive: $isActive, destination: { Text("page") }, label: { Text("label") })
            NavigationLink(destination: Text("page"), isActive: $isActive) { Text("label") }
            NavigationLink(tag: 1, selection: $selection, destination: { Text("page") }, label: { Text("label") })
            NavigationLink(destination: Text("page"), tag: 1, selection: $selection) { Text("label") }
            NavigationLink(value: 1) { Text("label") }
        }
        Group {
            NavigationLink("key") { Text("page") }
            NavigationLink(name) { Text("page") }
            NavigationLink("key", destination: Text("page"))
            NavigationLink(name, destination: Text("page"))
            NavigationLink("key", isActive: $isActive) { Text("page") }
            NavigationLink(name, destination: Text("page"), isActive: $isActive)
            NavigationLink("key", destination: Text("page"), tag: 1, selection: $selection)
            NavigationLink(name, tag: 1, selection: $selection) { Text("page") }
            NavigationLink("key", value: 1)
            NavigationLink(name, value: 1)
        }
        Group {
            Text("title").navigationTitle("key").navigationTitle(name).navigationTitle(Text("text"))
            Text("title").navigationTitle($title)
            Text("title").navigationBarTitle("key").navigationBarTitle(name).navigationBarTitle(Text("text"))
            Text("title").navigationBarTitle(name, displayMode: .large)
            Text("items").navigationBarItems(leading: Text("leading"), trailing: Text("trailing"))
            Text("items").navigationBarItems(leading: Text("leading"))
            Text("items").toolbar { Text("item") }
            Text("items").toolbar {
                ToolbarItem(id: "one", placement: .primaryAction) { Text("one") }
                ToolbarItemGroup(placement: .bottomBar) { Text("two") }
                ToolbarSpacer()
                if isActive { ToolbarItem { Text("three") } } else { ToolbarItem { Text("four") } }
            }
            Text("hidden").toolbar(.hidden, for: .tabBar).navigationBarHidden(true)
        }
    }
}

struct PresentationForms: View {
    struct Failure: LocalizedError { var errorDescription: String? { "failure" } }

    @State private var isPresented = false
    @State private var item: NamedDog?
    @State private var search = ""

    var body: some View {
        Group {
            Text("alert").alert("key", isPresented: $isPresented) { Text("ok") }
            Text("alert").alert(name, isPresented: $isPresented) { Text("ok") }
            Text("alert").alert(Text("text"), isPresented: $isPresented) { Text("ok") }
            Text("alert").alert("key", isPresented: $isPresented, actions: { Text("ok") }, message: { Text("why") })
            Text("alert").alert(name, isPresented: $isPresented, actions: { Text("ok") }, message: { Text("why") })
            Text("alert").alert("key", isPresented: $isPresented, presenting: item) { Text($0.name) }
            Text("alert").alert(name, isPresented: $isPresented, presenting: item) { Text($0.name) }
            Text("alert").alert(
                name, isPresented: $isPresented, presenting: item, actions: { Text($0.name) },
                message: { Text($0.name) })
            Text("alert").alert(isPresented: $isPresented, error: Failure()) { Text("ok") }
            Text("alert").alert(
                isPresented: $isPresented, error: Failure(), actions: { _ in Text("ok") }, message: { _ in Text("why") }
            )
            Text("alert").alert(item: $item) { Alert(title: Text($0.name)) }
        }
        Group {
            Text("dialog").confirmationDialog("key", isPresented: $isPresented) { Text("ok") }
            Text("dialog").confirmationDialog(name, isPresented: $isPresented, titleVisibility: .visible) { Text("ok") }
            Text("dialog").confirmationDialog(
                Text("text"), isPresented: $isPresented, actions: { Text("ok") }, message: { Text("why") })
            Text("dialog").confirmationDialog(name, isPresented: $isPresented, presenting: item) { Text($0.name) }
            Text("dialog").confirmationDialog(
                "key", isPresented: $isPresented, presenting: item, actions: { Text($0.name) },
                message: { Text($0.name) })
            Text("sheet").sheet(item: $item, onDismiss: {}) { Text($0.name) }
            Text("cover").fullScreenCover(item: $item) { Text($0.name) }
            Text("popover").popover(isPresented: $isPresented) { Text("content") }
            Text("popover").popover(item: $item, arrowEdge: .bottom) { Text($0.name) }
            Text("page").navigationDestination(isPresented: $isPresented) { Text("page") }
            Text("page").navigationDestination(item: $item) { Text($0.name) }
        }
        Group {
            Text("search").searchable(text: $search)
            Text("search").searchable(text: $search, placement: .toolbar, prompt: "key")
            Text("search").searchable(text: $search, prompt: name)
            Text("search").searchable(text: $search, prompt: Text("text")) { Text("suggestion") }
            Text("search").searchable(text: $search, prompt: "key") { Text("suggestion") }
            Text("search").searchable(text: $search, prompt: name) { Text("suggestion") }
            Text("search").searchable(text: $search, isPresented: $isPresented)
        }
    }
}

struct LookForms: View {
    var body: some View {
        Group {
            Text("look").padding(EdgeInsets()).padding(.horizontal, 2).padding(3).padding([.top, .bottom])
            Text("look").frame(minWidth: 1, idealWidth: 2, maxWidth: .infinity, minHeight: 1, maxHeight: .infinity)
            Text("look").background(Color.red).background(alignment: .top) { Text("behind") }
            Text("look").background(.thinMaterial, in: RoundedRectangle(cornerRadius: 2)).background(Text("behind"))
            Text("look").overlay(Text("front"), alignment: .bottom).overlay(alignment: .top) { Text("front") }
            Text("look").foregroundStyle(.red, .blue).foregroundStyle(.tertiary).tint(Color.red).tint(.blue)
            Text("look").clipShape(Circle()).border(.red, width: 2).shadow(color: .gray, radius: 1, x: 1, y: 1)
            Text("look").lineLimit(1...3).lineLimit(2, reservesSpace: true).lineSpacing(2).minimumScaleFactor(0.5)
            Text("look").listRowBackground(Color.red).listRowInsets(EdgeInsets()).listRowSeparator(.hidden, edges: .top)
        }
        Group {
            Text("stub").animation(.easeIn(duration: 1).delay(1).repeatForever()).animation(.spring(), value: 1)
            Text("stub").transition(.asymmetric(insertion: .slide, removal: .scale)).contentTransition(.opacity)
            Text("stub").alignmentGuide(.leading) { $0.width / 2 }.alignmentGuide(.top) { $0[.top] + $0.height }
            Text("stub").sensoryFeedback(.success, trigger: 1).toolbarBackground(.visible, for: .navigationBar)
            Text("stub").redacted(reason: .placeholder).unredacted().drawingGroup().compositingGroup()
            Text("access").accessibilityLabel("key").accessibilityLabel(name).accessibilityLabel(Text("text"))
            Text("access").accessibilityValue("key").accessibilityHint(name).accessibilityAddTraits([.isHeader])
            Text("access").accessibilityElement(children: .combine).accessibilityAction {}.accessibilityHidden(false)
            Text("keys").keyboardShortcut("s", modifiers: [.command, .shift]).keyboardShortcut(.defaultAction)
            Text("badge").badge(3).badge(Text("three")).help("help")
        }
    }
}
