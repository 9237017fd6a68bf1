// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A value that belongs to a view and survives its evaluations. Setting it evaluates the views that have read it.
///
/// Any thread may set it; the evaluation happens on the main actor. Before the view is installed, reading and setting
/// concern the initial value of this very `State`.
@propertyWrapper public struct State<Value>: DynamicProperty, HostedProperty, ComparableField {
    private var cell: StateCell<Value>

    /// Makes a state with its first value.
    public init(wrappedValue value: Value) { cell = StateCell(value) }

    /// Makes a state with its first value.
    public init(initialValue value: Value) { cell = StateCell(value) }

    /// The value.
    public var wrappedValue: Value {
        get { cell.current }
        nonmutating set { cell.set(newValue, Transaction()) }
    }

    /// A binding to the value.
    public var projectedValue: Binding<Value> { Binding(cell) }

    @MainActor mutating func connect(_ slot: PropertySlot) {
        // A cell of the node's own: one view value may be shown at two places.
        cell = slot.stored { StateCell(cell.unread) }
    }

    func isSame(as other: State) -> Bool { true }
}

extension State where Value: ExpressibleByNilLiteral {
    /// Makes a state that is nil at first.
    public init() { self.init(wrappedValue: nil) }
}

// Guarded by the lock of its cell.
extension State: @unchecked Sendable where Value: Sendable {}
