// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import OpenCombine
import RegnumUI
import RegnumUITesting
import Testing

/// State, bindings, focus, and storage.
@MainActor @Suite struct StateTests {
    @Test func bindingsOfBindingsWriteThrough() async throws {
        struct Model: Equatable {
            struct Inner: Equatable { var names = ["a", "b"] }
            var inner = Inner()
        }
        struct Third: View {
            @Binding var name: String
            var body: some View { TextField("name", text: $name) }
        }
        struct Second: View {
            @Binding var inner: Model.Inner
            var body: some View { Third(name: $inner.names[1]) }
        }
        struct First: View {
            @State var model = Model()
            var body: some View {
                Second(inner: $model.inner)
                Text(model.inner.names.joined(separator: " "))
            }
        }
        let host = UIHost.pair(First())
        try await host.type("c", into: .field("name"))
        #expect(host.exists(.text("a bc")))
        #expect(try host.find(.field("name")).value == "bc")
    }

    @Test func aBindingToAnOptionalsValueKeepsTheLast() throws {
        let box = Box<Int?>(3)
        let optional = Binding(get: { box.value }, set: { box.value = $0 })
        let unwrapped = try #require(Binding(optional))
        unwrapped.wrappedValue = 4
        #expect(box.value == 4)
        box.value = nil
        #expect(unwrapped.wrappedValue == 4)
        unwrapped.wrappedValue = 5
        #expect(box.value == nil)
        #expect(Binding<Int?>(.constant(1)).wrappedValue == 1)
        #expect(Binding(optional) == nil)
    }

    @Test func aBindingToARemovedElementIsHarmless() throws {
        let box = Box([1, 2, 3])
        let all = Binding(get: { box.value }, set: { box.value = $0 })
        let last = all[2]
        last.wrappedValue = 9
        #expect(box.value == [1, 2, 9])
        box.value = [1]
        #expect(last.wrappedValue == 9)
        last.wrappedValue = 7
        #expect(box.value == [1])
    }

    @Test func stateOutsideOfAViewIsItsOwn() {
        let state = State(initialValue: 1)
        state.wrappedValue = 2
        #expect(state.wrappedValue == 2)
        #expect(State<Int?>().wrappedValue == nil)
    }

    @Test func stateMaySetFromAnotherThread() async throws {
        struct Parent: View {
            @State var text = "before"
            var body: some View {
                let state = _text
                Button(text) { Task.detached { state.wrappedValue = "after" } }
            }
        }
        let host = UIHost.pair(Parent())
        try await host.tap(.button("before"))
        try await host.settle { host.exists(.button("after")) }
    }

    @Test func aStateObjectIsCreatedOnceAndObserved() async throws {
        struct Child: View {
            let step: Int
            @StateObject var model: Model
            init(step: Int, made: Box<Int>) {
                self.step = step
                _model = StateObject(
                    wrappedValue: {
                        made.value += 1
                        return Model()
                    }())
            }
            var body: some View {
                Button("\(model.count) \(step)") { model.count += 1 }
                TextField("name", text: $model.name)
            }
        }
        struct Parent: View {
            let made: Box<Int>
            @State var step = 0
            @State var isShown = true
            var body: some View {
                if isShown { Child(step: step, made: made) }
                Button("next") { step += 1 }
                Button("hide") { isShown = false }
            }
        }
        let made = Box(0)
        let host = UIHost.pair(Parent(made: made))
        try await host.tap(.button("next"))
        try await host.tap(.button("0 1"))
        #expect(host.exists(.button("1 1")))
        try await host.type("x", into: .field("name"))
        #expect(try host.find(.field("name")).value == "x")
        #expect(made.value == 1)
        #expect(Model.alive.value == 1)
        try await host.tap(.button("hide"))
        #expect(Model.alive.value == 0)
        #expect(host.log.isEmpty)
    }

    @Test func subscriptionsEndWithTheirViews() async throws {
        struct Reader: View {
            @ObservedObject var model: Watched
            var body: some View { Text("\(model.count)") }
        }
        struct Parent: View {
            let model: Watched
            @State var isShown = true
            var body: some View {
                if isShown { ForEach(0..<10) { _ in Reader(model: model) } }
                Button("hide") { isShown = false }
            }
        }
        let model = Watched()
        let host = UIHost.pair(Parent(model: model))
        #expect(model.watchers == 10)
        model.count = 5
        await host.settle()
        #expect(host.all(.text("5")).count == 10)
        #expect(host.evaluations(of: Reader.self) == 20)
        #expect(model.watchers == 10)
        try await host.tap(.button("hide"))
        #expect(model.watchers == 0)
    }

    @Test func anObjectMayBeChangedFromAnotherThread() async throws {
        struct Reader: View {
            @ObservedObject var model: Elsewhere
            var body: some View { Text("\(model.count)") }
        }
        let model = Elsewhere()
        let host = UIHost.pair(Reader(model: model))
        nonisolated(unsafe) let unsafe = model
        // The first change can be shown before it's complete, because it's published before.
        await Task.detached { for _ in 0..<2 { unsafe.count = 7 } }.value
        try await host.settle { host.exists(.text("7")) }
        #expect(Set(host.log) == ["Publishing changes from background threads is not allowed."])
    }

    @Test func valuesOfAPublisherAreReceived() async throws {
        struct Parent: View {
            let subject: PassthroughSubject<Int, Never>
            @State var last = 0
            var body: some View { Text("\(last)").onReceive(subject) { last = $0 } }
        }
        let subject = PassthroughSubject<Int, Never>()
        let host = UIHost.pair(Parent(subject: subject))
        subject.send(3)
        await host.settle()
        subject.send(4)
        await host.settle()
        #expect(host.exists(.text("4")))
    }

    @Test func focusIsFollowedAndSet() async throws {
        enum Field: Hashable { case first, second }
        struct Parent: View {
            @State var first = ""
            @State var second = ""
            @FocusState var focus: Field?
            var body: some View {
                TextField("first", text: $first).focused($focus, equals: .first)
                TextField("second", text: $second).focused($focus, equals: .second)
                Button("next") { focus = .second }
                Button("none") { focus = nil }
                Text(focus.map { "\($0)" } ?? "nothing")
            }
        }
        let host = UIHost.pair(Parent())
        #expect(host.exists(.text("nothing")))
        try await host.type("a", into: .field("first"))
        #expect(host.exists(.text("first")))
        try await host.tap(.button("next"))
        #expect(try host.find(.field("second")).isFocused)
        #expect(host.exists(.text("second")))
        try await host.tap(.button("none"))
        #expect(host.exists(.text("nothing")))
        #expect(host.log.isEmpty)
    }

    @Test func storedValuesAreShared() async throws {
        struct Reader: View {
            @AppStorage("regnum-test-count") var count = 1
            var body: some View { Button("\(count)") { count += 1 } }
        }
        UserDefaults.standard.removeObject(forKey: "regnum-test-count")
        let host = UIHost.pair(
            VStack {
                Reader()
                Reader()
            })
        try await host.tap(UIQuery.button("1").at(0))
        #expect(host.all(.button("2")).count == 2)
        #expect(UserDefaults.standard.integer(forKey: "regnum-test-count") == 2)
        UserDefaults.standard.removeObject(forKey: "regnum-test-count")
    }
}

@MainActor final class Box<Value> {
    var value: Value
    init(_ value: Value) { self.value = value }
}

private final class Elsewhere: ObservableObject {
    @Published var count = 0
}

private final class Model: ObservableObject {
    @MainActor static let alive = Box(0)
    @Published var count = 0
    @Published var name = ""

    init() { MainActor.assumeIsolated { Model.alive.value += 1 } }
    deinit { MainActor.assumeIsolated { Model.alive.value -= 1 } }
}

private final class Watched: ObservableObject {
    struct Counting: Publisher {
        typealias Output = Void
        typealias Failure = Never
        let subject = PassthroughSubject<Void, Never>()
        let change: (Int) -> Void

        func receive<S: Subscriber>(subscriber: S) where S.Input == Void, S.Failure == Never {
            change(1)
            subject.handleEvents(receiveCancel: { change(-1) }).subscribe(subscriber)
        }
    }

    private(set) var watchers = 0
    lazy var objectWillChange = Counting { [unowned self] in watchers += $0 }
    var count = 0 {
        willSet { objectWillChange.subject.send() }
    }
}
