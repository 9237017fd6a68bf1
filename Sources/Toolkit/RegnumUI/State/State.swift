// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A value owned by a view that survives its evaluations. Setting it evaluates the views that have read it.
///
/// Any thread may set it; the evaluation runs on the main actor. Before the view is installed, reads and writes access
/// the initial value of this `State`.
@propertyWrapper public struct State<Value>: DynamicProperty, HostedProperty, ComparableField {
    private var cell: StateCell<Value>

    /// Creates a state with an initial value.
    public init(wrappedValue value: Value) { cell = StateCell(value) }

    /// Creates a state with an initial value.
    public init(initialValue value: Value) { cell = StateCell(value) }

    /// The value.
    public var wrappedValue: Value {
        get { cell.current }
        nonmutating set { cell.set(newValue, Transaction()) }
    }

    /// A binding to the value.
    public var projectedValue: Binding<Value> { Binding(cell) }

    @MainActor mutating func connect(_ slot: PropertySlot) {
        // The node has its own cell, because one view value may be shown in two positions.
        cell = slot.stored { StateCell(cell.unread) }
    }

    func isSame(as other: State) -> Bool { true }
}

extension State where Value: ExpressibleByNilLiteral {
    /// Creates a state that is initially nil.
    public init() { self.init(wrappedValue: nil) }
}

// The lock of the cell guards the value; `cell` itself is only replaced in a copy on the main actor.
extension State: @unchecked Sendable where Value: Sendable {}
