// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A movement of the user that a view reacts to. Taps, long presses, and drags are recognized here.
@MainActor @preconcurrency public protocol Gesture<Value> {
    /// The type of what the gesture tells.
    associatedtype Value
    /// The events of the toolkit that make up the gesture. Programs compose gestures of those that there are.
    var _recognizers: [_Recognizer<Value>] { get }
}

/// Makes the values of a gesture from one kind of event.
public struct _Recognizer<Value> {
    struct Event {
        let value: Value
        let isEnd: Bool
    }

    let kind: ActionKind
    let event: (ActionValue) -> Event?

    func map<T>(_ transform: @escaping (Value) -> T) -> _Recognizer<T> {
        _Recognizer<T>(kind: kind) { action in
            event(action).map { .init(value: transform($0.value), isEnd: $0.isEnd) }
        }
    }

    /// Calls a function with each event.
    func onEvent(_ action: @escaping (Event) -> Void) -> _Recognizer {
        _Recognizer(kind: kind) { value in
            let event = event(value)
            if let event { action(event) }
            return event
        }
    }
}

/// A gesture of any kind.
public struct AnyGesture<Value>: Gesture {
    /// The events that make up the gesture.
    public let _recognizers: [_Recognizer<Value>]

    init(_ recognizers: [_Recognizer<Value>]) { _recognizers = recognizers }

    /// Erases the type of a gesture.
    public init<T>(_ gesture: T) where T: Gesture, T.Value == Value { _recognizers = gesture._recognizers }
}

extension Gesture {
    /// Runs an action with each value before the last.
    public func onChanged(_ action: @escaping (Value) -> Void) -> AnyGesture<Value> {
        AnyGesture(_recognizers.map { $0.onEvent { if !$0.isEnd { action($0.value) } } })
    }

    /// Runs an action with the last value.
    public func onEnded(_ action: @escaping (Value) -> Void) -> AnyGesture<Value> {
        AnyGesture(_recognizers.map { $0.onEvent { if $0.isEnd { action($0.value) } } })
    }

    /// Changes a state with each value, until the gesture ends and the state is reset.
    public func updating<State>(
        _ state: GestureState<State>, body: @escaping (Value, inout State, inout Transaction) -> Void
    ) -> AnyGesture<Value> {
        AnyGesture(
            _recognizers.map {
                $0.onEvent { event in
                    if event.isEnd { return state.reset() }
                    var (value, transaction) = (state.wrappedValue, Transaction())
                    body(event.value, &value, &transaction)
                    state.set(value)
                }
            })
    }

    /// A gesture that tells something else.
    public func map<T>(_ body: @escaping (Value) -> T) -> AnyGesture<T> {
        AnyGesture(_recognizers.map { $0.map(body) })
    }

    /// This gesture and another at the same time.
    public func simultaneously<Other>(with other: Other) -> SimultaneousGesture<Self, Other> where Other: Gesture {
        SimultaneousGesture(self, other)
    }

    /// This gesture and then another.
    public func sequenced<Other>(before other: Other) -> SequenceGesture<Self, Other> where Other: Gesture {
        SequenceGesture(self, other)
    }

    /// This gesture, or another if that comes first.
    public func exclusively<Other>(before other: Other) -> ExclusiveGesture<Self, Other> where Other: Gesture {
        ExclusiveGesture(self, other)
    }
}

/// Two gestures at the same time.
public struct SimultaneousGesture<First, Second>: Gesture where First: Gesture, Second: Gesture {
    /// What the two tell.
    public struct Value {
        /// The value of the first, if it has one.
        public var first: First.Value?
        /// The value of the second, if it has one.
        public var second: Second.Value?
    }

    private let first: First
    private let second: Second

    /// Makes a gesture of two.
    public init(_ first: First, _ second: Second) { (self.first, self.second) = (first, second) }

    /// The events of both.
    public var _recognizers: [_Recognizer<Value>] {
        first._recognizers.map { $0.map { Value(first: $0, second: nil) } }
            + second._recognizers.map { $0.map { Value(first: nil, second: $0) } }
    }
}

extension SimultaneousGesture.Value: Equatable where First.Value: Equatable, Second.Value: Equatable {}

/// A gesture and then another. The second one is recognized after the first one has ended.
public struct SequenceGesture<First, Second>: Gesture where First: Gesture, Second: Gesture {
    /// How far the sequence is.
    public enum Value {
        case first(First.Value)
        case second(First.Value, Second.Value?)
    }

    private final class Progress { var first: First.Value? }

    private let first: First
    private let second: Second

    /// Makes a gesture of two.
    public init(_ first: First, _ second: Second) { (self.first, self.second) = (first, second) }

    /// The events of both.
    public var _recognizers: [_Recognizer<Value>] {
        let progress = Progress()
        let firsts = first._recognizers.map { recognizer in
            _Recognizer<Value>(kind: recognizer.kind) { action in
                guard let event = recognizer.event(action) else { return nil }
                if event.isEnd { progress.first = event.value }
                return .init(value: .first(event.value), isEnd: false)
            }
        }
        let seconds = second._recognizers.map { recognizer in
            _Recognizer<Value>(kind: recognizer.kind) { action in
                guard let first = progress.first, let event = recognizer.event(action) else { return nil }
                if event.isEnd { progress.first = nil }
                return .init(value: .second(first, event.value), isEnd: event.isEnd)
            }
        }
        return firsts + seconds
    }
}

extension SequenceGesture.Value: Equatable where First.Value: Equatable, Second.Value: Equatable {}

/// One of two gestures.
public struct ExclusiveGesture<First, Second>: Gesture where First: Gesture, Second: Gesture {
    /// Which of the two it is.
    public enum Value {
        case first(First.Value)
        case second(Second.Value)
    }

    private let first: First
    private let second: Second

    /// Makes a gesture of two.
    public init(_ first: First, _ second: Second) { (self.first, self.second) = (first, second) }

    /// The events of the first, and those of the second that are of other kinds.
    public var _recognizers: [_Recognizer<Value>] {
        let firsts = first._recognizers
        return firsts.map { $0.map { .first($0) } }
            + second._recognizers.filter { new in !firsts.contains { $0.kind == new.kind } }.map {
                $0.map { .second($0) }
            }
    }
}

extension ExclusiveGesture.Value: Equatable where First.Value: Equatable, Second.Value: Equatable {}

/// A tap.
public struct TapGesture: Gesture {
    /// How many taps; here one is enough.
    public var count: Int
    /// Makes a tap.
    public init(count: Int = 1) { self.count = count }
    /// A tap is one event.
    public var _recognizers: [_Recognizer<Void>] { [_Recognizer(kind: .tap) { _ in .init(value: (), isEnd: true) }] }
}

/// A press of half a second, whatever the gesture declares.
public struct LongPressGesture: Gesture {
    /// How long, in seconds.
    public var minimumDuration: Double
    /// How far the finger may move.
    public var maximumDistance: CGFloat
    /// Makes a long press.
    public init(minimumDuration: Double = 0.5, maximumDistance: CGFloat = 10) {
        (self.minimumDuration, self.maximumDistance) = (minimumDuration, maximumDistance)
    }
    /// A long press is one event.
    public var _recognizers: [_Recognizer<Bool>] {
        [_Recognizer(kind: .longPress) { _ in .init(value: true, isEnd: true) }]
    }
}

/// A movement with the finger or the mouse button down.
public struct DragGesture: Gesture {
    /// Where the finger is.
    public struct Value: Equatable, Sendable {
        /// The time of the event.
        public var time: Date
        /// The place of the finger, in the view where it was put down.
        public var location: CGPoint
        /// The place where it was put down.
        public var startLocation: CGPoint
        /// How far it has moved.
        public var translation: CGSize {
            CGSize(width: location.x - startLocation.x, height: location.y - startLocation.y)
        }
        /// The place of the finger: nothing is predicted here.
        public var predictedEndLocation: CGPoint { location }
        /// How far it has moved: nothing is predicted here.
        public var predictedEndTranslation: CGSize { translation }
        /// Zero here.
        public var velocity: CGSize { .zero }
    }

    /// How far the finger has to move before the gesture begins.
    public var minimumDistance: CGFloat
    /// The space of the places; here always that of the view.
    public var coordinateSpace: CoordinateSpace
    /// Makes a drag.
    public init(minimumDistance: CGFloat = 10, coordinateSpace: CoordinateSpace = .local) {
        (self.minimumDistance, self.coordinateSpace) = (minimumDistance, coordinateSpace)
    }

    /// Each movement is an event.
    public var _recognizers: [_Recognizer<Value>] {
        let minimumDistance = minimumDistance
        return [
            _Recognizer(kind: .drag) { action in
                guard case .drag(let drag) = action, drag.distance >= minimumDistance else { return nil }
                return .init(
                    value: Value(time: Date(), location: drag.location, startLocation: drag.start), isEnd: drag.isEnd)
            }
        ]
    }
}

/// Has no effect here.
public struct MagnificationGesture: Gesture {
    /// Has no effect here.
    public init(minimumScaleDelta: CGFloat = 0.01) {}
    /// Has no effect here.
    public var _recognizers: [_Recognizer<CGFloat>] { [] }
}

/// Has no effect here.
public struct RotationGesture: Gesture {
    /// Has no effect here.
    public init(minimumAngleDelta: Angle = .degrees(1)) {}
    /// Has no effect here.
    public var _recognizers: [_Recognizer<Angle>] { [] }
}

/// Has no effect here.
public struct GestureMask: OptionSet, Sendable {
    /// A bit for each.
    public let rawValue: UInt32
    /// Makes a set of its bits.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// No gesture.
    public static let none: GestureMask = []
    /// That of the view itself.
    public static let gesture = GestureMask(rawValue: 1)
    /// Those of the views below.
    public static let subviews = GestureMask(rawValue: 2)
    /// All.
    public static let all: GestureMask = [.gesture, .subviews]
}

/// The modifier of gestures. Where a view below does something at the same kind of event, that goes first.
nonisolated struct GestureModification<Value>: Modification {
    let recognizers: @MainActor () -> [_Recognizer<Value>]
    /// Whether the gesture is recognized beside one of the same element.
    var isSimultaneous = false

    @MainActor func apply(to output: inout Output, _ node: Node) {
        guard node.environment.isEnabled else { return }
        for recognizer in recognizers() {
            let kind = recognizer.kind
            for index in output.elements.indices {
                let element = output.elements[index]
                let isTaken =
                    element.first { $0.actions.contains(kind) && (!isSimultaneous || $0.id != element.id) } != nil
                if isTaken { continue }
                node.handle(kind, of: &output.elements[index]) { _ = recognizer.event($0) }
            }
        }
    }
}

extension View {
    nonisolated private func recognize<T: Gesture>(
        _ gesture: T, _ mask: GestureMask, isSimultaneous: Bool = false
    ) -> some View {
        nonisolated(unsafe) let gesture = gesture
        return modifier(
            GestureModification<T.Value>(
                recognizers: { mask.contains(.gesture) ? gesture._recognizers : [] }, isSimultaneous: isSimultaneous))
    }

    /// Reacts to a gesture that no view below reacts to.
    nonisolated public func gesture<T>(_ gesture: T, including mask: GestureMask = .all) -> some View where T: Gesture {
        recognize(gesture, mask)
    }
    /// Reacts to a gesture beside the views below.
    nonisolated public func simultaneousGesture<T>(_ gesture: T, including mask: GestureMask = .all) -> some View
    where T: Gesture { recognize(gesture, mask, isSimultaneous: true) }
    /// Reacts to a gesture; here as `gesture(_:including:)` does.
    nonisolated public func highPriorityGesture<T>(_ gesture: T, including mask: GestureMask = .all) -> some View
    where T: Gesture { recognize(gesture, mask) }

    /// Runs an action at a tap.
    nonisolated public func onTapGesture(count: Int = 1, perform action: @escaping () -> Void) -> some View {
        nonisolated(unsafe) let action = action
        return modifier(GestureModification { TapGesture(count: count).onEnded(action)._recognizers })
    }
    /// Runs an action at a long press.
    nonisolated public func onLongPressGesture(
        minimumDuration: Double = 0.5, maximumDistance: CGFloat = 10, perform action: @escaping () -> Void,
        onPressingChanged: ((Bool) -> Void)? = nil
    ) -> some View {
        nonisolated(unsafe) let action = action
        return modifier(GestureModification { LongPressGesture().onEnded { _ in action() }._recognizers })
    }
}
