// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A property that a gesture updates, and that is reset when the gesture ends.
@propertyWrapper public struct GestureState<Value>: DynamicProperty {
    @State private var value: Value
    private let initial: Value

    /// Creates a property with its value outside of gestures.
    public init(wrappedValue: Value) { (_value, initial) = (State(wrappedValue: wrappedValue), wrappedValue) }
    /// Creates a property with its value outside of gestures.
    public init(initialValue: Value) { self.init(wrappedValue: initialValue) }

    /// The current value.
    public var wrappedValue: Value { value }
    /// The property itself, for use with `updating(_:body:)`.
    public var projectedValue: GestureState<Value> { self }

    func set(_ new: Value) { value = new }
    func reset() { value = initial }
}

extension GestureState where Value: ExpressibleByNilLiteral {
    /// Creates a property that is `nil` outside of gestures.
    public init() { self.init(wrappedValue: nil) }
}
