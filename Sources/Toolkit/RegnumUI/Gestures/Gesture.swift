// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A user interaction that a view responds to. The browser host recognizes taps, long presses, and drags.
@MainActor @preconcurrency public protocol Gesture<Value> {
    /// The type of the gesture's value.
    associatedtype Value
    /// The recognizers of the events that belong to the gesture. Apps don't implement this property; they combine
    /// built-in gestures.
    var _recognizers: [_Recognizer<Value>] { get }
}

/// A recognizer that converts events of one kind into values of a gesture.
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

    func onEvent(_ action: @escaping (Event) -> Void) -> _Recognizer {
        _Recognizer(kind: kind) { value in
            let event = event(value)
            if let event { action(event) }
            return event
        }
    }
}

/// A type-erased gesture.
public struct AnyGesture<Value>: Gesture {
    /// The recognizers of the gesture's events.
    public let _recognizers: [_Recognizer<Value>]

    init(_ recognizers: [_Recognizer<Value>]) { _recognizers = recognizers }

    /// Creates a type-erased gesture.
    public init<T>(_ gesture: T) where T: Gesture, T.Value == Value { _recognizers = gesture._recognizers }
}

extension Gesture {
    /// Returns a gesture that runs an action with each value before the last.
    public func onChanged(_ action: @escaping (Value) -> Void) -> AnyGesture<Value> {
        AnyGesture(_recognizers.map { $0.onEvent { if !$0.isEnd { action($0.value) } } })
    }

    /// Returns a gesture that runs an action with the last value.
    public func onEnded(_ action: @escaping (Value) -> Void) -> AnyGesture<Value> {
        AnyGesture(_recognizers.map { $0.onEvent { if $0.isEnd { action($0.value) } } })
    }

    /// Returns a gesture that updates `state` with each value. The state is reset when the gesture ends.
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

    /// Returns a gesture whose values are transformed by a closure.
    public func map<T>(_ body: @escaping (Value) -> T) -> AnyGesture<T> {
        AnyGesture(_recognizers.map { $0.map(body) })
    }

    /// Returns a gesture that recognizes this gesture and `other` independently of each other.
    public func simultaneously<Other>(with other: Other) -> SimultaneousGesture<Self, Other> where Other: Gesture {
        SimultaneousGesture(self, other)
    }

    /// Returns a gesture that recognizes this gesture and then `other`.
    public func sequenced<Other>(before other: Other) -> SequenceGesture<Self, Other> where Other: Gesture {
        SequenceGesture(self, other)
    }

    /// Returns a gesture that recognizes either gesture. For the same kind of event, this gesture takes precedence over
    /// `other`.
    public func exclusively<Other>(before other: Other) -> ExclusiveGesture<Self, Other> where Other: Gesture {
        ExclusiveGesture(self, other)
    }
}

/// A gesture that recognizes two gestures independently of each other.
public struct SimultaneousGesture<First, Second>: Gesture where First: Gesture, Second: Gesture {
    /// The value of one of the two gestures.
    public struct Value {
        /// The value of the first gesture if it was recognized, otherwise `nil`.
        public var first: First.Value?
        /// The value of the second gesture if it was recognized, otherwise `nil`.
        public var second: Second.Value?
    }

    private let first: First
    private let second: Second

    /// Creates a gesture that recognizes both gestures.
    public init(_ first: First, _ second: Second) { (self.first, self.second) = (first, second) }

    /// The recognizers of both gestures.
    public var _recognizers: [_Recognizer<Value>] {
        first._recognizers.map { $0.map { Value(first: $0, second: nil) } }
            + second._recognizers.map { $0.map { Value(first: nil, second: $0) } }
    }
}

extension SimultaneousGesture.Value: Equatable where First.Value: Equatable, Second.Value: Equatable {}

/// A gesture followed by another, which is recognized only after the first one has ended.
public struct SequenceGesture<First, Second>: Gesture where First: Gesture, Second: Gesture {
    /// The value of the first gesture, or the values of both.
    public enum Value {
        case first(First.Value)
        case second(First.Value, Second.Value?)
    }

    private final class Progress { var first: First.Value? }

    private let first: First
    private let second: Second

    /// Creates a sequence of two gestures.
    public init(_ first: First, _ second: Second) { (self.first, self.second) = (first, second) }

    /// The recognizers of both gestures.
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

/// A gesture that recognizes either of two gestures.
public struct ExclusiveGesture<First, Second>: Gesture where First: Gesture, Second: Gesture {
    /// The value of the recognized gesture.
    public enum Value {
        case first(First.Value)
        case second(Second.Value)
    }

    private let first: First
    private let second: Second

    /// Creates a gesture that recognizes either gesture.
    public init(_ first: First, _ second: Second) { (self.first, self.second) = (first, second) }

    /// The recognizers of the first gesture, and those of the second for other kinds of events.
    public var _recognizers: [_Recognizer<Value>] {
        let firsts = first._recognizers
        return firsts.map { $0.map { .first($0) } }
            + second._recognizers.filter { new in !firsts.contains { $0.kind == new.kind } }.map {
                $0.map { .second($0) }
            }
    }
}

extension ExclusiveGesture.Value: Equatable where First.Value: Equatable, Second.Value: Equatable {}

/// A gesture that recognizes a tap on the view.
public struct TapGesture: Gesture {
    /// The number of taps. Has no effect in the browser host, which recognizes each tap.
    public var count: Int
    /// Creates a tap gesture.
    public init(count: Int = 1) { self.count = count }
    /// The recognizer of taps.
    public var _recognizers: [_Recognizer<Void>] { [_Recognizer(kind: .tap) { _ in .init(value: (), isEnd: true) }] }
}

/// A gesture that recognizes a press of half a second. The durations and distances have no effect in the browser host.
public struct LongPressGesture: Gesture {
    /// The minimum duration, in seconds. Has no effect in the browser host.
    public var minimumDuration: Double
    /// The maximum movement of the finger, in points. Has no effect in the browser host.
    public var maximumDistance: CGFloat
    /// Creates a long-press gesture.
    public init(minimumDuration: Double = 0.5, maximumDistance: CGFloat = 10) {
        (self.minimumDuration, self.maximumDistance) = (minimumDuration, maximumDistance)
    }
    /// The recognizer of long presses.
    public var _recognizers: [_Recognizer<Bool>] {
        [_Recognizer(kind: .longPress) { _ in .init(value: true, isEnd: true) }]
    }
}

/// A gesture that recognizes the movement of a finger, or of the mouse while a button is pressed.
public struct DragGesture: Gesture {
    /// The state of a drag.
    public struct Value: Equatable, Sendable {
        /// The time at which the event was received.
        public var time: Date
        /// The location of the finger, in points relative to the view where the drag started.
        public var location: CGPoint
        /// The location where the drag started, in points relative to that view.
        public var startLocation: CGPoint
        /// The distance from the start to the current location, in points.
        public var translation: CGSize {
            CGSize(width: location.x - startLocation.x, height: location.y - startLocation.y)
        }
        /// The predicted final location. In the browser host, it's the current location.
        public var predictedEndLocation: CGPoint { location }
        /// The predicted final translation. In the browser host, it's the current translation.
        public var predictedEndTranslation: CGSize { translation }
        /// The velocity of the drag. It's always zero in the browser host.
        public var velocity: CGSize { .zero }
    }

    /// The minimum distance that the finger moves before the gesture starts, in points.
    public var minimumDistance: CGFloat
    /// The coordinate space of locations. Has no effect in the browser host, where it's that of the view.
    public var coordinateSpace: CoordinateSpace
    /// Creates a drag gesture.
    public init(minimumDistance: CGFloat = 10, coordinateSpace: CoordinateSpace = .local) {
        (self.minimumDistance, self.coordinateSpace) = (minimumDistance, coordinateSpace)
    }

    /// The recognizer of movements.
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

/// A gesture that recognizes magnification. Has no effect in the browser host, which doesn't recognize it.
public struct MagnificationGesture: Gesture {
    /// Creates a magnification gesture.
    public init(minimumScaleDelta: CGFloat = 0.01) {}
    /// An empty array.
    public var _recognizers: [_Recognizer<CGFloat>] { [] }
}

/// A gesture that recognizes rotation. Has no effect in the browser host, which doesn't recognize it.
public struct RotationGesture: Gesture {
    /// Creates a rotation gesture.
    public init(minimumAngleDelta: Angle = .degrees(1)) {}
    /// An empty array.
    public var _recognizers: [_Recognizer<Angle>] { [] }
}

/// The gestures to recognize: those of the view and those of its descendants. Without `gesture`, the added gesture is
/// ignored.
public struct GestureMask: OptionSet, Sendable {
    /// The raw value, which has a bit for each option.
    public let rawValue: UInt32
    /// Creates a set from its raw value.
    public init(rawValue: UInt32) { self.rawValue = rawValue }
    /// No gestures.
    public static let none: GestureMask = []
    /// The added gesture.
    public static let gesture = GestureMask(rawValue: 1)
    /// The gestures of the view's descendants. Has no effect in the browser host, where they are always recognized.
    public static let subviews = GestureMask(rawValue: 2)
    /// The added gesture and those of the view's descendants.
    public static let all: GestureMask = [.gesture, .subviews]
}

/// A descendant's handler of the same kind of event takes precedence.
nonisolated struct GestureModification<Value>: Modification {
    let recognizers: @MainActor () -> [_Recognizer<Value>]
    /// Whether the gesture is recognized in addition to another one of the same element.
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
        // Immutable, and read on the main actor only, where `recognizers` runs.
        nonisolated(unsafe) let gesture = gesture
        return modifier(
            GestureModification<T.Value>(
                recognizers: { mask.contains(.gesture) ? gesture._recognizers : [] }, isSimultaneous: isSimultaneous))
    }

    /// Adds a gesture. A descendant that handles the same kind of event takes precedence.
    nonisolated public func gesture<T>(_ gesture: T, including mask: GestureMask = .all) -> some View where T: Gesture {
        recognize(gesture, mask)
    }
    /// Adds a gesture that is recognized in addition to other gestures of the view.
    nonisolated public func simultaneousGesture<T>(_ gesture: T, including mask: GestureMask = .all) -> some View
    where T: Gesture { recognize(gesture, mask, isSimultaneous: true) }
    /// Adds a gesture. In the browser host, it's the same as `gesture(_:including:)`.
    nonisolated public func highPriorityGesture<T>(_ gesture: T, including mask: GestureMask = .all) -> some View
    where T: Gesture { recognize(gesture, mask) }

    /// Runs an action when the user taps the view. `count` has no effect in the browser host.
    nonisolated public func onTapGesture(count: Int = 1, perform action: @escaping () -> Void) -> some View {
        // Called only on the main actor, which handles the events.
        nonisolated(unsafe) let action = action
        return modifier(GestureModification { TapGesture(count: count).onEnded(action)._recognizers })
    }
    /// Runs an action when the user presses the view for half a second. The other parameters have no effect in the
    /// browser host.
    nonisolated public func onLongPressGesture(
        minimumDuration: Double = 0.5, maximumDistance: CGFloat = 10, perform action: @escaping () -> Void,
        onPressingChanged: ((Bool) -> Void)? = nil
    ) -> some View {
        // Called only on the main actor, which handles the events.
        nonisolated(unsafe) let action = action
        return modifier(GestureModification { LongPressGesture().onEnded { _ in action() }._recognizers })
    }
}
