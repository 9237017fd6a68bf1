// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RegnumUITesting
import SwiftUI

// The names that 26 apps use together with Realm's wrappers (Documentation/SwiftUI.md, "Names"), each used as in those
// apps. NameTests shows the views, and compares the table of the guide with this file.

final class NamedModel: ObservableObject {
    @Published var dogs = [NamedDog(id: 1, name: "Rex"), NamedDog(id: 2, name: "Ada")]
    @Published var city = "Oslo"
}

struct NamedDog: Identifiable, Hashable {
    let id: Int
    var name: String
}

struct NamesOfText: View {
    @State private var isOn = false
    @Binding var title: String
    @Environment(\.colorScheme) private var colorScheme
    @Namespace private var space

    var body: some View {
        VStack(alignment: .leading, spacing: 4) {
            Text(title).font(.title).fontWeight(.bold).bold().strikethrough().multilineTextAlignment(.center)
            Text("two").font(Font.system(size: 12)).lineLimit(2).foregroundColor(.red).foregroundStyle(.secondary)
            HStack { Label("Dog", systemImage: "star").imageScale(.large).symbolRenderingMode(.hierarchical) }
            ZStack { Image(systemName: "plus").resizable().renderingMode(.template).scaledToFit() }
            Spacer()
            Divider()
            Text(verbatim: colorScheme == .dark ? "dark" : "light").textCase(.uppercase).preferredColorScheme(.dark)
        }
        .padding()
        .frame(width: 100, height: 50)
        .background(Color.blue)
        .overlay(Circle().stroke(Color.gray))
        .clipShape(Capsule())
        .cornerRadius(4)
        .shadow(radius: 2)
        .opacity(0.5)
        .offset(x: 1, y: 2)
        .rotationEffect(Angle(degrees: 45))
        .aspectRatio(contentMode: .fit)
        .tint(.green)
        .fixedSize()
        .ignoresSafeArea()
        .mask(Rectangle())
        .contentShape(Rectangle())
        .animation(.default, value: isOn)
        .transition(AnyTransition.opacity.combined(with: .move(edge: .top)))
        .matchedGeometryEffect(id: "title", in: space)
        .id(title)
    }
}

struct NamesOfControls: View {
    enum Field { case name }

    @EnvironmentObject private var model: NamedModel
    @ObservedObject var other: NamedModel
    @StateObject private var own = NamedModel()
    @AppStorage("NamesOfControls.size") private var size = 1.0
    @FocusState private var field: Field?
    @State private var isGood = true
    @State private var breed = "boxer"
    @State private var born = Date(timeIntervalSince1970: 0)
    @State private var secret = ""

    var body: some View {
        Form {
            Section(header: Text("Fields")) {
                TextField("City", text: $model.city)
                    .textInputAutocapitalization(.never).autocorrectionDisabled().disableAutocorrection(true)
                    .autocapitalization(.none).keyboardType(.URL).submitLabel(.done).focused($field, equals: .name)
                    .onSubmit { field = nil }.accessibilityIdentifier("city")
                SecureField("Secret", text: $secret)
                TextEditor(text: $other.city).accessibility(identifier: "editor")
            }
            Group {
                Toggle("Good", isOn: $isGood)
                Picker("Breed", selection: $breed) {
                    ForEach(["boxer", "beagle"], id: \.self) { Text($0).tag($0) }
                }
                .pickerStyle(.menu)
                DatePicker("Born", selection: $born, displayedComponents: .date).datePickerStyle(.compact)
                Slider(value: $size, in: 0...10)
                LabeledContent("City", value: own.city)
                ProgressView()
                GroupBox("Box") { Link("Site", destination: URL(string: "https://a.example")!) }
                Button("Empty", role: .destructive) { secret = "" }
                    .buttonStyle(BorderlessButtonStyle())
                    .disabled(secret.isEmpty)
            }
        }
        .onChange(of: breed) { _ in isGood.toggle() }
        .onReceive(own.$city) { _ in }
    }
}

struct NamesOfLists: View {
    @EnvironmentObject private var model: NamedModel

    var body: some View {
        List {
            ForEach($model.dogs) { $dog in
                TextField("Name", text: $dog.name)
                    .swipeActions { Button("Bark") {} }
                    .listRowBackground(Color.yellow)
                    .listRowInsets(EdgeInsets(top: 1, leading: 2, bottom: 3, trailing: 4))
                    .listRowSeparator(.hidden)
            }
            .onDelete { model.dogs.remove(atOffsets: $0) }
            .onMove { model.dogs.move(fromOffsets: $0, toOffset: $1) }
        }
        .listStyle(GroupedListStyle())
        .scrollContentBackground(.hidden)
        .refreshable {}
    }
}

struct NamesOfPages: View {
    @Environment(\.presentationMode) private var presentationMode
    @Environment(\.dismiss) private var dismiss
    @State private var isAsking = false
    @State private var isPresented = false
    @State private var isCovered = false
    @State private var isAlerted = false
    @State private var search = ""
    @State private var item: NamedDog?

    var body: some View {
        NavigationView {
            VStack {
                NavigationLink(destination: Text("page")) { Text("Open") }.isDetailLink(false)
                EditButton()
                Button(action: { presentationMode.wrappedValue.dismiss() }) { Text("Leave") }
                Text("tap").onTapGesture { dismiss() }
            }
            .navigationTitle("Names")
            .navigationBarTitle("Names", displayMode: .inline)
            .navigationBarTitleDisplayMode(.inline)
            .navigationBarItems(trailing: EditButton())
            .navigationBarBackButtonHidden(true)
            .toolbar { ToolbarItem(placement: .navigationBarTrailing) { Button("Add") { isPresented = true } } }
            .searchable(text: $search) { Text("Rex").searchCompletion("Rex") }
            .sheet(isPresented: $isPresented) { Text("sheet").presentationDetents([.medium]) }
            .fullScreenCover(isPresented: $isCovered) { Text("cover") }
            .alert(isPresented: $isAlerted) { Alert(title: Text("Alert")) }
            .confirmationDialog("Sure?", isPresented: $isAsking) { Button("Yes") {} }
            .onAppear { search = "" }
            .onDisappear { search = "" }
            .task { search = "" }
        }
        .environment(\.locale, Locale(identifier: "en_GB"))
    }
}

struct NamesOfPlaces: View {
    @State private var chosen = 0

    private func size(_ proxy: GeometryProxy) -> String { "\(Int(proxy.size.width))" }

    var body: some View {
        TabView {
            NavigationStack {
                NavigationLink("One", value: 1).navigationDestination(for: Int.self) { Text("\($0)") }
            }
            .tabItem { Label("Stack", systemImage: "house") }
            ScrollView {
                GeometryReader { Text(size($0)) }
                ScrollViewReader { (proxy: ScrollViewProxy) in Button("Top") { proxy.scrollTo(0) } }
                LazyVStack { Text("lazy") }
                LazyVGrid(columns: [GridItem(.flexible())]) { Text("grid") }
                LazyHGrid(rows: [GridItem(.fixed(20))]) { Text("grid") }
                AsyncImage(url: URL(string: "https://a.example/dog.png"))
                RoundedRectangle(cornerRadius: 3).fill(
                    LinearGradient(colors: [.red, .blue], startPoint: .top, endPoint: .bottom))
                Triangle().fill(Color.red)
            }
            .tabItem { Text("Scroll") }
        }
        .tabViewStyle(.automatic)
        .modifier(Framed())
    }
}

struct Triangle: Shape {
    func path(in rect: CGRect) -> Path {
        var path = Path()
        path.move(to: CGPoint(x: rect.midX, y: rect.minY))
        path.addLine(to: CGPoint(x: rect.maxX, y: rect.maxY))
        path.closeSubpath()
        return path
    }
}

struct Framed: ViewModifier {
    @ViewBuilder func body(content: Content) -> some View {
        content
        AnyView(EmptyView())
        List { Text("inset") }.listStyle(InsetListStyle())
        List { Text("grouped") }.listStyle(InsetGroupedListStyle())
        TabView { Text("page") }.tabViewStyle(PageTabViewStyle())
        NamesOfText(title: Binding(get: { "bound" }, set: { _ in }))
    }
}

struct NamedProgram: SwiftUI.App {
    @StateObject private var model = NamedModel()

    var body: some SwiftUI.Scene {
        WindowGroup {
            NamesOfLists().environmentObject(model)
        }
    }
}

struct Names_Previews: PreviewProvider {
    static var previews: some View {
        NamesOfPages().previewLayout(.sizeThatFits).previewDevice(PreviewDevice(rawValue: "iPhone 15"))
    }
}

/// The names used by 49 more apps that this package lacked (compatibility-2, row W6).
struct NamesOfApps: View {
    struct Wave: AnimatableModifier {
        var animatableData: Double
        func body(content: Content) -> some View { content.offset(x: animatableData) }
    }
    struct Diamond: InsettableShape {
        func path(in rect: CGRect) -> Path { Path(rect) }
        func inset(by amount: CGFloat) -> Diamond { self }
    }

    @GestureState private var isPressed = false
    @State private var offset = CGSize.zero
    @State private var isAsking = false
    @ScaledMetric(relativeTo: .body) private var size = 20.0

    var body: some View {
        VStack(alignment: .listRowSeparatorLeading) {
            Text("colours").foregroundColor(Color(.white)).background(Color(.systemGray6))
            Text("ground").background(Color(UIColor.secondarySystemBackground)).background(.ultraThickMaterial)
                .background()
            Color(#colorLiteral(red: 0.9, green: 0.5, blue: 0.4, alpha: 1))
            Circle().trim(from: 0, to: 0.5)
                .stroke(style: StrokeStyle(lineWidth: 2, lineCap: .round, lineJoin: .round, dash: [2, 1]))
            Diamond().inset(by: 2).rotationEffect(.degrees(30) * 2.0 + -Angle.degrees(10) / 2)
                .rotation3DEffect(.degrees(20), axis: (x: 0, y: 1, z: 0)).blendMode(isAsking ? .screen : .normal)
            Text("looks").hueRotation(.degrees(20)).colorMultiply(.red).saturation(0.5).contrast(2).colorInvert()
                .symbolVariant(.fill).dynamicTypeSize(...DynamicTypeSize.large).font(.custom("Georgia", fixedSize: 12))
        }
        .modifier(Wave(animatableData: size))
        .animation(.timingCurve(0, 0, 1, 1, duration: 0.2), value: isAsking)
        .coordinateSpace(name: "apps")
        .statusBarHidden(true)
        .presentationCornerRadius(8)
        .toolbarColorScheme(.dark, for: .navigationBar)
        VStack {
            Text("drag \(Int(offset.width))").offset(offset)
                .gesture(
                    DragGesture().onChanged { offset = $0.translation }.onEnded { _ in offset = .zero }
                        .simultaneously(
                            with: LongPressGesture().updating($isPressed) { value, state, _ in state = value })
                )
                .simultaneousGesture(TapGesture(count: 1).onEnded { isAsking = true })
            ScrollView { Text("still") }.scrollDisabled(true)
            List { Text("row") }.onDeleteCommand {}
            TabView { Text("page") }.tabViewStyle(.page(indexDisplayMode: .never))
            ProgressView(timerInterval: Date.distantPast...Date.distantFuture)
            ShareLink(item: "a text")
        }
        .actionSheet(isPresented: $isAsking) {
            ActionSheet(title: Text("Sure?"), buttons: [.destructive(Text("Yes")) { offset = .zero }, .cancel()])
        }
    }
}

@MainActor final class NamedDelegate: NSObject, UIApplicationDelegate {
    var options = -1
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool {
        options = launchOptions?.count ?? 0
        return true
    }
}

struct NamedProgramWithDelegate: SwiftUI.App {
    @UIApplicationDelegateAdaptor(NamedDelegate.self) var delegate

    var body: some SwiftUI.Scene {
        WindowGroup { Text("options \(delegate.options)") }.defaultSize(width: 100, height: 100)
            .windowResizability(.contentSize)
    }
}
