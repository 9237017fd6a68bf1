// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A value that a view owns and that persists across evaluations. Setting it evaluates the views that have read it.
///
/// Any thread can set the value; the evaluation runs on the main actor. Before the view is in the tree, the property
/// reads and writes only this `State` value.
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
        // Each node has its own cell, because a view value can be shown in two positions.
        cell = slot.stored { StateCell(cell.unread) }
    }

    func isSame(as other: State) -> Bool { true }
}

extension State where Value: ExpressibleByNilLiteral {
    /// Creates a state with an initial value of `nil`.
    public init() { self.init(wrappedValue: nil) }
}

// The lock of the cell guards the value; `cell` itself is only replaced in a copy on the main actor.
extension State: @unchecked Sendable where Value: Sendable {}
