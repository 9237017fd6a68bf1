// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A control for choosing a number between two bounds. A number outside of them leaves the value unchanged.
nonisolated public struct Slider<Label, ValueLabel>: View, Primitive where Label: View, ValueLabel: View {
    private let read: () -> Double
    private let write: (Double) -> Void
    private let bounds: ClosedRange<Double>
    private let step: Double?
    private let onEditingChanged: (Bool) -> Void
    private let label: Label
    private let ends: (minimum: ValueLabel, maximum: ValueLabel)?

    fileprivate init<V: BinaryFloatingPoint>(
        _ value: Binding<V>, _ bounds: ClosedRange<V>, _ step: V.Stride?,
        _ onEditingChanged: @escaping (Bool) -> Void, _ label: Label, _ ends: (ValueLabel, ValueLabel)? = nil
    ) where V.Stride: BinaryFloatingPoint {
        read = { Double(value.wrappedValue) }
        write = { value.wrappedValue = V($0) }
        self.bounds = Double(bounds.lowerBound)...Double(bounds.upperBound)
        self.step = step.map { Double($0) }
        (self.onEditingChanged, self.label) = (onEditingChanged, label)
        self.ends = ends.map { (minimum: $0.0, maximum: $0.1) }
    }

    /// Creates a slider with labels for its bounds.
    public init<V>(
        value: Binding<V>, in bounds: ClosedRange<V> = 0...1, @ViewBuilder label: () -> Label,
        @ViewBuilder minimumValueLabel: () -> ValueLabel, @ViewBuilder maximumValueLabel: () -> ValueLabel,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V: BinaryFloatingPoint, V.Stride: BinaryFloatingPoint {
        self.init(value, bounds, nil, onEditingChanged, label(), (minimumValueLabel(), maximumValueLabel()))
    }

    @MainActor func evaluate(_ node: Node) {
        node.child(.part("label"), label)
        if let ends {
            node.child(.part("minimum"), ends.minimum)
            node.child(.part("maximum"), ends.maximum)
        }
    }

    @MainActor func output(_ node: Node) -> Output {
        var element = node.labelled(.slider, by: "label", node.elements("minimum") + node.elements("maximum"))
        element.state[.value] = .number(node.run(read))
        element.state[.minimum] = .number(bounds.lowerBound)
        element.state[.maximum] = .number(bounds.upperBound)
        element.state[.step] = step.map { .number($0) }
        node.handle(.input, of: &element) { value in
            guard case .number(let number) = value, bounds.contains(number) else { return }
            onEditingChanged(true)
            write(snapped(number))
            onEditingChanged(false)
        }
        return Output(element)
    }

    private func snapped(_ number: Double) -> Double {
        guard let step, step > 0 else { return number }
        let snapped = bounds.lowerBound + ((number - bounds.lowerBound) / step).rounded() * step
        return min(snapped, bounds.upperBound)
    }
}

extension Slider where ValueLabel == EmptyView {
    /// Creates a slider with a label.
    public init<V>(
        value: Binding<V>, in bounds: ClosedRange<V> = 0...1, @ViewBuilder label: () -> Label,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V: BinaryFloatingPoint, V.Stride: BinaryFloatingPoint {
        self.init(value, bounds, nil, onEditingChanged, label())
    }
    /// Creates a slider with a label, whose value is a multiple of `step` above the lower bound.
    public init<V>(
        value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1, @ViewBuilder label: () -> Label,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V: BinaryFloatingPoint, V.Stride: BinaryFloatingPoint {
        self.init(value, bounds, step, onEditingChanged, label())
    }
}

extension Slider where Label == EmptyView, ValueLabel == EmptyView {
    /// Creates a slider.
    public init<V>(
        value: Binding<V>, in bounds: ClosedRange<V> = 0...1, onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V: BinaryFloatingPoint, V.Stride: BinaryFloatingPoint {
        self.init(value, bounds, nil, onEditingChanged, EmptyView())
    }
    /// Creates a slider whose value is a multiple of `step` above the lower bound.
    public init<V>(
        value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V: BinaryFloatingPoint, V.Stride: BinaryFloatingPoint {
        self.init(value, bounds, step, onEditingChanged, EmptyView())
    }
}

/// A control that increments and decrements a value.
nonisolated public struct Stepper<Label>: View, Primitive where Label: View {
    private let label: Label
    private let state: () -> (value: String?, canIncrement: Bool, canDecrement: Bool)
    private let change: (Bool) -> Void

    /// Creates a stepper that runs two actions. A `nil` action disables its direction.
    public init(
        @ViewBuilder label: () -> Label, onIncrement: (() -> Void)?, onDecrement: (() -> Void)?,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) {
        self.label = label()
        state = { (nil, onIncrement != nil, onDecrement != nil) }
        change = { isUp in
            onEditingChanged(true)
            (isUp ? onIncrement : onDecrement)?()
            onEditingChanged(false)
        }
    }

    /// Creates a stepper that adds `step` to a value or subtracts it.
    public init<V>(
        value: Binding<V>, step: V.Stride = 1, @ViewBuilder label: () -> Label,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V: Strideable {
        self.init(label(), value, nil, step, onEditingChanged)
    }

    /// Creates a stepper that changes a value by `step` and clamps it to two bounds.
    public init<V>(
        value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1, @ViewBuilder label: () -> Label,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V: Strideable {
        self.init(label(), value, bounds, step, onEditingChanged)
    }

    fileprivate init<V: Strideable>(
        _ label: Label, _ value: Binding<V>, _ bounds: ClosedRange<V>?, _ step: V.Stride,
        _ onEditingChanged: @escaping (Bool) -> Void
    ) {
        self.label = label
        state = {
            let now = value.wrappedValue
            return ("\(now)", bounds.map { now < $0.upperBound } ?? true, bounds.map { now > $0.lowerBound } ?? true)
        }
        change = { isUp in
            onEditingChanged(true)
            let new = value.wrappedValue.advanced(by: isUp ? step : 0 - step)
            value.wrappedValue = bounds.map { min(max(new, $0.lowerBound), $0.upperBound) } ?? new
            onEditingChanged(false)
        }
    }

    @MainActor func evaluate(_ node: Node) { node.child(.part("label"), label) }

    @MainActor func output(_ node: Node) -> Output {
        let (value, canIncrement, canDecrement) = node.run(state)
        let buttons = [("Decrement", false, canDecrement), ("Increment", true, canIncrement)].map { name, isUp, can in
            var button = node.element(.button, part: name)
            button.access[.label] = name
            if !can || !node.environment.isEnabled { button.state[.disabled] = .bool(true) }
            node.handle(.tap, of: &button) { _ in change(isUp) }
            return button
        }
        var element = node.labelled(.stepper, by: "label", buttons)
        element.state[.value] = value.map { .text($0) }
        return Output(element)
    }
}

extension Stepper where Label == Text {
    /// Creates a stepper with a title that adds `step` to a value or subtracts it.
    public init<V>(
        _ titleKey: LocalizedStringKey, value: Binding<V>, step: V.Stride = 1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V: Strideable {
        self.init(Text(titleKey), value, nil, step, onEditingChanged)
    }
    /// Creates a stepper with a title that adds `step` to a value or subtracts it.
    @_disfavoredOverload public init<S, V>(
        _ title: S, value: Binding<V>, step: V.Stride = 1, onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where S: StringProtocol, V: Strideable {
        self.init(Text(title), value, nil, step, onEditingChanged)
    }
    /// Creates a stepper with a title that changes a value by `step` and clamps it to two bounds.
    public init<V>(
        _ titleKey: LocalizedStringKey, value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where V: Strideable {
        self.init(Text(titleKey), value, bounds, step, onEditingChanged)
    }
    /// Creates a stepper with a title that changes a value by `step` and clamps it to two bounds.
    @_disfavoredOverload public init<S, V>(
        _ title: S, value: Binding<V>, in bounds: ClosedRange<V>, step: V.Stride = 1,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where S: StringProtocol, V: Strideable {
        self.init(Text(title), value, bounds, step, onEditingChanged)
    }
    /// Creates a stepper with a title that runs two actions. A `nil` action disables its direction.
    public init(
        _ titleKey: LocalizedStringKey, onIncrement: (() -> Void)?, onDecrement: (() -> Void)?,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) {
        self.init(
            label: { Text(titleKey) }, onIncrement: onIncrement, onDecrement: onDecrement,
            onEditingChanged: onEditingChanged)
    }
    /// Creates a stepper with a title that runs two actions. A `nil` action disables its direction.
    @_disfavoredOverload public init<S>(
        _ title: S, onIncrement: (() -> Void)?, onDecrement: (() -> Void)?,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }
    ) where S: StringProtocol {
        self.init(
            label: { Text(title) }, onIncrement: onIncrement, onDecrement: onDecrement,
            onEditingChanged: onEditingChanged)
    }
}
