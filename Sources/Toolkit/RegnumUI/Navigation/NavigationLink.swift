// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A control that pushes a page onto the navigation stack.
///
/// The page is a child view of the link, so the page is removed when its link is removed. The page of a link with a
/// value is a child of the stack instead.
nonisolated public struct NavigationLink<Label, Destination>: View, Primitive where Label: View, Destination: View {
    private enum Activation {
        case own
        case bound(Binding<Bool>)
        case value(AnyHashable?)
    }

    private let label: Label
    private let destination: Destination?
    private let activation: Activation

    private init(_ destination: Destination?, _ label: Label, _ activation: Activation = .own) {
        (self.destination, self.label, self.activation) = (destination, label, activation)
    }

    private static func isSelected<V: Hashable>(_ tag: V, _ selection: Binding<V?>) -> Binding<Bool> {
        Binding(
            DerivedLocation(
                selection.location, at: AnyHashable(tag), read: { $0 == tag },
                write: { selected, isOn in
                    if isOn { selected = tag } else if selected == tag { selected = nil }
                }))
    }

    @MainActor private func binding(_ node: Node) -> Binding<Bool>? {
        switch activation {
        case .bound(let binding): return binding
        case .value: return nil
        case .own:
            let cell = node.memory as? StateCell<Bool> ?? StateCell(false)
            node.memory = cell
            return Binding(cell)
        }
    }

    @MainActor func evaluate(_ node: Node) {
        node.child(.part("label"), label)
        guard let binding = binding(node), let destination, node.run({ binding.wrappedValue }) else { return }
        node.child(.part("page"), PageScope(content: destination) { binding.wrappedValue = false })
    }

    @MainActor func output(_ node: Node) -> Output {
        var element = node.control(.link, node.elements("label"))
        let navigator = node.environment.navigator
        if let binding = binding(node) {
            node.handle(.tap, of: &element) { _ in binding.wrappedValue = true }
        } else if case .value(let value?) = activation, let navigator {
            node.handle(.tap, of: &element) { _ in navigator.values.append(value) }
        } else {
            element.state[.disabled] = .bool(true)
        }
        var output = Output(element)
        if let label = node.child(.part("label")) { output.addPreferences(of: label.output) }
        if let page = node.child(.part("page")), let binding = binding(node) {
            output.add(
                [PushedPage(node: page, output: page.output) { binding.wrappedValue = false }], PushedKey.self)
        }
        return output
    }

    /// Sets whether the link shows its page in the detail column. Has no effect in the browser host.
    public func isDetailLink(_ isDetailLink: Bool) -> some View { self }
}

extension NavigationLink {
    /// Creates a navigation link with a label.
    public init(@ViewBuilder destination: () -> Destination, @ViewBuilder label: () -> Label) {
        self.init(destination(), label())
    }
    /// Creates a navigation link with a label.
    public init(destination: Destination, @ViewBuilder label: () -> Label) { self.init(destination, label()) }
    /// Creates a link whose page is shown while `isActive` is true.
    public init(isActive: Binding<Bool>, @ViewBuilder destination: () -> Destination, @ViewBuilder label: () -> Label) {
        self.init(destination(), label(), .bound(isActive))
    }
    /// Creates a link whose page is shown while `isActive` is true.
    public init(destination: Destination, isActive: Binding<Bool>, @ViewBuilder label: () -> Label) {
        self.init(destination, label(), .bound(isActive))
    }
    /// Creates a link whose page is shown while `selection` is `tag`.
    public init<V>(
        tag: V, selection: Binding<V?>, @ViewBuilder destination: () -> Destination, @ViewBuilder label: () -> Label
    ) where V: Hashable {
        self.init(destination(), label(), .bound(Self.isSelected(tag, selection)))
    }
    /// Creates a link whose page is shown while `selection` is `tag`.
    public init<V>(destination: Destination, tag: V, selection: Binding<V?>, @ViewBuilder label: () -> Label)
    where V: Hashable {
        self.init(destination, label(), .bound(Self.isSelected(tag, selection)))
    }
}

extension NavigationLink where Label == Text {
    /// Creates a link with a title.
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder destination: () -> Destination) {
        self.init(destination(), Text(titleKey))
    }
    /// Creates a link with a title.
    @_disfavoredOverload public init<S>(_ title: S, @ViewBuilder destination: () -> Destination)
    where S: StringProtocol {
        self.init(destination(), Text(title))
    }
    /// Creates a link with a title.
    public init(_ titleKey: LocalizedStringKey, destination: Destination) { self.init(destination, Text(titleKey)) }
    /// Creates a link with a title.
    @_disfavoredOverload public init<S>(_ title: S, destination: Destination) where S: StringProtocol {
        self.init(destination, Text(title))
    }
    /// Creates a link with a title whose page is shown while `isActive` is true.
    public init(
        _ titleKey: LocalizedStringKey, isActive: Binding<Bool>, @ViewBuilder destination: () -> Destination
    ) {
        self.init(destination(), Text(titleKey), .bound(isActive))
    }
    /// Creates a link with a title whose page is shown while `isActive` is true.
    @_disfavoredOverload public init<S>(
        _ title: S, isActive: Binding<Bool>, @ViewBuilder destination: () -> Destination
    ) where S: StringProtocol {
        self.init(destination(), Text(title), .bound(isActive))
    }
    /// Creates a link with a title whose page is shown while `isActive` is true.
    public init(_ titleKey: LocalizedStringKey, destination: Destination, isActive: Binding<Bool>) {
        self.init(destination, Text(titleKey), .bound(isActive))
    }
    /// Creates a link with a title whose page is shown while `isActive` is true.
    @_disfavoredOverload public init<S>(_ title: S, destination: Destination, isActive: Binding<Bool>)
    where S: StringProtocol {
        self.init(destination, Text(title), .bound(isActive))
    }
    /// Creates a link with a title whose page is shown while `selection` is `tag`.
    public init<V>(_ titleKey: LocalizedStringKey, destination: Destination, tag: V, selection: Binding<V?>)
    where V: Hashable {
        self.init(destination, Text(titleKey), .bound(Self.isSelected(tag, selection)))
    }
    /// Creates a link with a title whose page is shown while `selection` is `tag`.
    @_disfavoredOverload public init<S, V>(_ title: S, destination: Destination, tag: V, selection: Binding<V?>)
    where S: StringProtocol, V: Hashable {
        self.init(destination, Text(title), .bound(Self.isSelected(tag, selection)))
    }
    /// Creates a link with a title whose page is shown while `selection` is `tag`.
    public init<V>(
        _ titleKey: LocalizedStringKey, tag: V, selection: Binding<V?>, @ViewBuilder destination: () -> Destination
    ) where V: Hashable {
        self.init(destination(), Text(titleKey), .bound(Self.isSelected(tag, selection)))
    }
    /// Creates a link with a title whose page is shown while `selection` is `tag`.
    @_disfavoredOverload public init<S, V>(
        _ title: S, tag: V, selection: Binding<V?>, @ViewBuilder destination: () -> Destination
    ) where S: StringProtocol, V: Hashable {
        self.init(destination(), Text(title), .bound(Self.isSelected(tag, selection)))
    }
}

extension NavigationLink where Destination == Never {
    /// Creates a link that appends a value to the stack's path. `nil` disables the link.
    public init<P>(value: P?, @ViewBuilder label: () -> Label) where P: Hashable {
        self.init(nil, label(), .value(value.map { AnyHashable($0) }))
    }
}

extension NavigationLink where Label == Text, Destination == Never {
    /// Creates a link with a title that appends a value to the stack's path. `nil` disables the link.
    public init<P>(_ titleKey: LocalizedStringKey, value: P?) where P: Hashable {
        self.init(nil, Text(titleKey), .value(value.map { AnyHashable($0) }))
    }
    /// Creates a link with a title that appends a value to the stack's path. `nil` disables the link.
    @_disfavoredOverload public init<S, P>(_ title: S, value: P?) where S: StringProtocol, P: Hashable {
        self.init(nil, Text(title), .value(value.map { AnyHashable($0) }))
    }
}
