// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A control for choosing a value among those that tag the views of its content.
nonisolated public struct Picker<Label, SelectionValue, Content>: View, Primitive
where Label: View, SelectionValue: Hashable, Content: View {
    private let selection: Binding<SelectionValue>
    private let content: Content
    private let label: Label

    /// Creates a picker.
    public init(
        selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label
    ) {
        (self.selection, self.content, self.label) = (selection, content(), label())
    }
    /// Creates a picker.
    public init(selection: Binding<SelectionValue>, label: Label, @ViewBuilder content: () -> Content) {
        (self.selection, self.content, self.label) = (selection, content(), label)
    }

    @MainActor func evaluate(_ node: Node) {
        node.child(.part("label"), label)
        node.child(.part("content"), content, environment: node.environment.with { $0.buttonStyle = .named("") })
    }

    @MainActor func output(_ node: Node) -> Output {
        let selected = AnyHashable(node.run { selection.wrappedValue })
        var isFound = false
        let options = node.elements("content").flatMap(\.choices).map { choice -> Element in
            var option = node.element(.option, part: choice.id, [choice])
            if !node.environment.isEnabled { option.state[.disabled] = .bool(true) }
            guard let tag = choice.traits.tag, let value = tag.value(as: SelectionValue.self) else { return option }
            let isSelected = AnyHashable(value).isSameTag(as: selected)
            isFound = isFound || isSelected
            option.state[.selected] = .bool(isSelected)
            node.handle(.choose, of: &option) { _ in selection.wrappedValue = value }
            return option
        }
        if !isFound, !options.isEmpty { node.graph.logOnce("A picker has no option for its selection.", node) }
        var element = node.labelled(.picker, by: "label", options)
        if let name = node.environment.styleClasses[.picker] { element.look[.classes] = name }
        return Output(element)
    }
}

extension Picker where Label == Text {
    /// Creates a picker with a title.
    public init(
        _ titleKey: LocalizedStringKey, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content
    ) {
        self.init(selection: selection, label: Text(titleKey), content: content)
    }
    /// Creates a picker with a title.
    @_disfavoredOverload public init<S>(
        _ title: S, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content
    ) where S: StringProtocol {
        self.init(selection: selection, label: Text(title), content: content)
    }
}

extension Picker where Label == RegnumUI.Label<Text, Image> {
    /// Creates a picker with a title and a symbol.
    public init(
        _ titleKey: LocalizedStringKey, systemImage: String, selection: Binding<SelectionValue>,
        @ViewBuilder content: () -> Content
    ) {
        self.init(selection: selection, label: RegnumUI.Label(titleKey, systemImage: systemImage), content: content)
    }
    /// Creates a picker with a title and a symbol.
    @_disfavoredOverload public init<S>(
        _ title: S, systemImage: String, selection: Binding<SelectionValue>, @ViewBuilder content: () -> Content
    ) where S: StringProtocol {
        self.init(selection: selection, label: RegnumUI.Label(title, systemImage: systemImage), content: content)
    }
}

extension AnyHashable {
    /// `T` may be an optional of the value's type.
    func value<T>(as type: T.Type) -> T? { base as? T }
}

extension Element {
    /// A section contributes the options of its children.
    var choices: [Element] { kind == .section ? children.flatMap(\.choices) : [self] }
}

nonisolated struct TagModification: Modification {
    let tag: AnyHashable

    @MainActor func apply(to output: inout Output, _ node: Node) {
        for index in output.elements.indices { output.elements[index].traits.tag = tag }
    }
}

extension View {
    /// Sets the value that identifies the view in a picker, list, or tab view. `includeOptional` has no effect: a tag
    /// always matches an optional selection.
    nonisolated public func tag<V>(_ tag: V, includeOptional: Bool = true) -> some View where V: Hashable {
        modifier(TagModification(tag: AnyHashable(tag)))
    }
}

/// A control for choosing an opaque colour.
nonisolated public struct ColorPicker<Label>: View, Primitive where Label: View {
    private let selection: Binding<Color>
    private let label: Label

    /// Creates a colour picker. `supportsOpacity` has no effect in the browser host.
    public init(selection: Binding<Color>, supportsOpacity: Bool = true, @ViewBuilder label: () -> Label) {
        (self.selection, self.label) = (selection, label())
    }

    @MainActor func evaluate(_ node: Node) { node.child(.part("label"), label) }

    @MainActor func output(_ node: Node) -> Output {
        var element = node.labelled(.field, by: "label")
        element.state[.role] = .text("color")
        element.state[.value] = .text(node.run { selection.wrappedValue }.css)
        node.handle(.input, of: &element) { value in
            guard case .text(let text) = value, let color = Color(hexadecimal: text) else { return }
            selection.wrappedValue = color
        }
        return Output(element)
    }
}

extension ColorPicker where Label == Text {
    /// Creates a colour picker with a title. `supportsOpacity` has no effect in the browser host.
    public init(_ titleKey: LocalizedStringKey, selection: Binding<Color>, supportsOpacity: Bool = true) {
        self.init(selection: selection) { Text(titleKey) }
    }
    /// Creates a colour picker with a title. `supportsOpacity` has no effect in the browser host.
    @_disfavoredOverload public init<S>(_ title: S, selection: Binding<Color>, supportsOpacity: Bool = true)
    where S: StringProtocol {
        self.init(selection: selection) { Text(title) }
    }
}

extension Color {
    fileprivate init?(hexadecimal text: String) {
        guard text.count == 7, text.first == "#", let value = Int(text.dropFirst(), radix: 16) else { return nil }
        self.init(
            red: Double(value >> 16) / 255, green: Double(value >> 8 & 255) / 255, blue: Double(value & 255) / 255)
    }
}
