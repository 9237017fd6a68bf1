// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RegnumUI
import RegnumUITesting
import Testing

/// Causes of body evaluations, and changes that must not cause any.
@MainActor @Suite struct EvaluationTests {
    private struct Child: View {
        let text: String
        var body: some View { Text(text) }
    }

    @Test func severalChangesInATurnAreOneEvaluation() async throws {
        struct Parent: View {
            @State var a = 0
            @State var b = 0
            @State var c = 0
            var body: some View {
                Button("\(a) \(b) \(c)") {
                    a += 1
                    b += 1
                    c += 1
                }
            }
        }
        let host = UIHost.pair(Parent())
        #expect(host.evaluations(of: Parent.self) == 1)
        try await host.tap(.button("0 0 0"))
        #expect(host.exists(.button("1 1 1")))
        #expect(host.evaluations(of: Parent.self) == 2)
    }

    @Test func aChildOfEqualFieldsIsNotEvaluated() async throws {
        struct Parent: View {
            @State var count = 0
            var body: some View {
                Text("\(count)")
                Child(text: "same")
                Child(text: "\(count / 2)")
                Button("add") { count += 1 }
            }
        }
        let host = UIHost.pair(Parent())
        #expect(host.evaluations(of: Child.self) == 2)
        try await host.tap(.button("add"))
        #expect(host.evaluations(of: Child.self) == 2)
        try await host.tap(.button("add"))
        #expect(host.evaluations(of: Child.self) == 3)
        #expect(host.exists(.text("2")))
    }

    @Test func settingAnEqualValueEvaluatesNothing() async throws {
        struct Parent: View {
            @State var count = 0
            var body: some View {
                Text("\(count)")
                Button("set") { count = 0 }
            }
        }
        let host = UIHost.pair(Parent())
        try await host.tap(.button("set"))
        #expect(host.evaluations(of: Parent.self) == 1)
    }

    @Test func stateThatNoBodyReadsEvaluatesNothing() async throws {
        struct Reader: View {
            @Binding var count: Int
            var body: some View { Text("\(count)") }
        }
        struct Parent: View {
            @State var count = 0
            var body: some View {
                Reader(count: $count)
                Button("add") { count += 1 }
            }
        }
        let host = UIHost.pair(Parent())
        try await host.tap(.button("add"))
        #expect(host.exists(.text("1")))
        #expect(host.evaluations(of: Parent.self) == 1)
        #expect(host.evaluations(of: Reader.self) == 2)
        #expect(host.changes == ["Reader: State"])
    }

    @Test func fieldsAreComparedByTheirTypes() async throws {
        final class Box {}
        enum Choice { case none, some(Int), view(Double) }
        struct Plain {
            var number: Double
            var choice: Choice
        }
        struct Fields: View {
            let plain: Plain
            let box: Box
            let pair: (Int, String)
            let optional: Plain?
            let list: [Int]
            var body: some View { Text("\(plain.number)") }
        }
        struct Parent: View {
            let box = Box()
            @State var step = 0
            var body: some View {
                Fields(
                    plain: Plain(number: .nan, choice: step < 2 ? .some(1) : .some(2)), box: box, pair: (1, "a"),
                    optional: step < 3 ? nil : Plain(number: 1, choice: .none), list: [1])
                Button("\(step)") { step += 1 }
            }
        }
        let host = UIHost.pair(Parent())
        try await host.tap(.button("0"))
        #expect(host.evaluations(of: Fields.self) == 1)
        try await host.tap(.button("1"))
        #expect(host.evaluations(of: Fields.self) == 2)
        try await host.tap(.button("2"))
        #expect(host.evaluations(of: Fields.self) == 3)
        try await host.tap(.button("3"))
        #expect(host.evaluations(of: Fields.self) == 3)
    }

    @Test func functionsAlwaysDiffer() async throws {
        struct Acting: View {
            let action: @MainActor () -> Void
            var body: some View { Button("act", action: action) }
        }
        struct Parent: View {
            @State var count = 0
            var body: some View {
                Acting { count += 1 }
                Text("\(count)")
            }
        }
        let host = UIHost.pair(Parent())
        try await host.tap(.button("act"))
        #expect(host.evaluations(of: Acting.self) == 2)
    }

    @Test func anEquatableViewDecidesItself() async throws {
        struct Rounded: View, Equatable {
            let number: Int
            nonisolated static func == (a: Rounded, b: Rounded) -> Bool { a.number / 10 == b.number / 10 }
            var body: some View { Text("\(number)") }
        }
        struct Parent: View {
            @State var number = 8
            var body: some View {
                Rounded(number: number).equatable()
                Button("add") { number += 1 }
            }
        }
        let host = UIHost.pair(Parent())
        try await host.tap(.button("add"))
        #expect(host.exists(.text("8")))
        try await host.tap(.button("add"))
        #expect(host.exists(.text("10")))
    }

    @Test func aChangeDuringAnEvaluationIsAppliedAfterItAndReportedOnce() async throws {
        struct Bad: View {
            @State var count = 0
            var body: some View {
                let now = count
                if now < 5 { count = now + 1 }
                return Text("\(now)")
            }
        }
        let host = UIHost.pair(Bad())
        await host.settle()
        #expect(host.exists(.text("5")))
        #expect(host.log == ["Modifying state during view update: Bad."])
    }

    @Test func aChangeAtEveryEvaluationIsBounded() async throws {
        struct Endless: View {
            @State var count = 0
            var body: some View {
                let now = count
                count = now + 1
                return Text("\(now)")
            }
        }
        let host = UIHost.pair(Endless())
        #expect(host.evaluations(of: Endless.self) <= 21)
        #expect(host.log.count == 2)
    }

    @Test func observedPropertiesAreFollowed() async throws {
        let model = ObservedModel()
        struct Reader: View {
            let model: ObservedModel
            var body: some View { Text("\(model.count)") }
        }
        let host = UIHost.pair(Reader(model: model))
        model.count = 1
        await host.settle()
        #expect(host.exists(.text("1")))
        model.other = 1
        await host.settle()
        #expect(host.evaluations(of: Reader.self) == 2)
    }

    @Test func updateIsCalledInPlaceAndAfterThePropertiesInside() async throws {
        struct Doubled: DynamicProperty {
            @State var base = 1
            @Environment(\.isEnabled) var isEnabled
            private(set) var wrapped = 0
            mutating func update() { wrapped = isEnabled ? base * 2 : -1 }
        }
        struct Reader: View {
            var doubled = Doubled()
            var body: some View {
                Button("\(doubled.wrapped)") { doubled.base += 1 }
            }
        }
        let host = UIHost.pair(Reader())
        try await host.tap(.button("2"))
        #expect(host.exists(.button("4")))
        let disabled = UIHost.pair(Reader().disabled(true))
        #expect(disabled.exists(.button("-1")))
    }

    @Test func parentsAreEvaluatedBeforeChildren() async throws {
        @MainActor final class Order { var names: [String] = [] }
        struct Inner: View {
            let order: Order
            @Binding var count: Int
            var body: some View {
                order.names.append("inner")
                return Text("\(count)")
            }
        }
        struct Outer: View {
            let order: Order
            @State var count = 0
            var body: some View {
                order.names.append("outer")
                return VStack {
                    Inner(order: order, count: $count)
                    Button("\(count)") { count += 1 }
                }
            }
        }
        let order = Order()
        let host = UIHost.pair(Outer(order: order))
        order.names = []
        try await host.tap(.button("0"))
        #expect(order.names == ["outer", "inner"])
    }
}

@Observable @MainActor private final class ObservedModel {
    var count = 0
    var other = 0
}
