// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A state that a gesture changes while it lasts.
@propertyWrapper public struct GestureState<Value>: DynamicProperty {
    @State private var value: Value
    private let initial: Value

    /// Makes a state with the value that it has while there is no gesture.
    public init(wrappedValue: Value) { (_value, initial) = (State(wrappedValue: wrappedValue), wrappedValue) }
    /// Makes a state with the value that it has while there is no gesture.
    public init(initialValue: Value) { self.init(wrappedValue: initialValue) }

    /// The value.
    public var wrappedValue: Value { value }
    /// The state itself, for `updating(_:body:)`.
    public var projectedValue: GestureState<Value> { self }

    func set(_ new: Value) { value = new }
    func reset() { value = initial }
}

extension GestureState where Value: ExpressibleByNilLiteral {
    /// Makes a state that is nil while there is no gesture.
    public init() { self.init(wrappedValue: nil) }
}
