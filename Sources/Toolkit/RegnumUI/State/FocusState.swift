// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A property whose value indicates the control with the focus. Setting it moves the focus.
@propertyWrapper public struct FocusState<Value>: DynamicProperty, HostedProperty, ComparableField
where Value: Hashable {
    /// A binding to the focus, for use with `focused(_:)`.
    @propertyWrapper public struct Binding {
        let cell: StateCell<Value>
        let none: Value

        /// The value of the control with the focus.
        public var wrappedValue: Value {
            get { cell.current }
            nonmutating set { cell.set(newValue, Transaction()) }
        }

        /// The binding itself.
        public var projectedValue: Binding { self }
    }

    private var cell: StateCell<Value>
    private let none: Value

    /// Creates a state that is true while its control has the focus.
    public init() where Value == Bool { (cell, none) = (StateCell(false), false) }

    /// Creates a state with the value of the control that has the focus, or `nil`.
    public init<T>() where Value == T?, T: Hashable { (cell, none) = (StateCell(nil), nil) }

    /// The value of the control with the focus.
    public var wrappedValue: Value {
        get { cell.current }
        nonmutating set { cell.set(newValue, Transaction()) }
    }

    /// A binding to the focus, for use with `focused(_:)`.
    public var projectedValue: Binding { Binding(cell: cell, none: none) }

    @MainActor mutating func connect(_ slot: PropertySlot) { cell = slot.stored { StateCell(none) } }

    func isSame(as other: FocusState) -> Bool { true }
}

nonisolated struct FocusModification<Value: Hashable>: Modification {
    let binding: FocusState<Value>.Binding
    let value: Value

    @MainActor func apply(to output: inout Output, _ node: Node) {
        let isWanted = node.run { binding.wrappedValue } == value
        guard let index = output.elements.firstIndex(where: { $0.first(where: \.isFocusable) != nil }) else { return }
        output.elements[index].change(first: \.isFocusable) { element in
            let id = element.id
            if isWanted { element.state[.focused] = .bool(true) }
            node.handle(.focus, of: &element) { value in
                if value == .bool(true) {
                    binding.wrappedValue = self.value
                } else if binding.cell.unread == self.value {
                    binding.wrappedValue = binding.none
                }
            }
            let graph = node.graph
            if isWanted, graph.focused != id { graph.afterPass { graph.moveFocus(to: id) } }
            if !isWanted, graph.focused == id { graph.afterPass { graph.moveFocus(to: nil) } }
        }
    }
}

extension View {
    /// Binds a state to whether the first focusable control in the view has the focus.
    nonisolated public func focused(_ condition: FocusState<Bool>.Binding) -> some View {
        modifier(FocusModification(binding: condition, value: true))
    }

    /// Binds a state to the focus. It has the given value while the first focusable control in the view has the focus.
    nonisolated public func focused<Value>(_ binding: FocusState<Value>.Binding, equals value: Value) -> some View
    where Value: Hashable {
        modifier(FocusModification(binding: binding, value: value))
    }
}
