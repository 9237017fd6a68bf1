// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A control that switches between on and off.
nonisolated public struct Toggle<Label>: View, Primitive where Label: View {
    private let isOn: Binding<Bool>
    private let label: Label

    /// Creates a toggle.
    public init(isOn: Binding<Bool>, @ViewBuilder label: () -> Label) { (self.isOn, self.label) = (isOn, label()) }

    @MainActor func evaluate(_ node: Node) { node.child(.part("label"), label) }

    @MainActor func output(_ node: Node) -> Output {
        var element = node.labelled(.toggle, by: "label")
        element.state[.checked] = .bool(node.run { isOn.wrappedValue })
        if let name = node.environment.styleClasses[.toggle] { element.look[.classes] = name }
        node.handle(.input, of: &element) { value in
            if case .bool(let value) = value { isOn.wrappedValue = value }
        }
        return Output(element)
    }
}

extension Toggle where Label == Text {
    /// Creates a toggle with a title.
    public init(_ titleKey: LocalizedStringKey, isOn: Binding<Bool>) { self.init(isOn: isOn) { Text(titleKey) } }
    /// Creates a toggle with a title.
    @_disfavoredOverload public init<S>(_ title: S, isOn: Binding<Bool>) where S: StringProtocol {
        self.init(isOn: isOn) { Text(title) }
    }
}

extension Toggle where Label == RegnumUI.Label<Text, Image> {
    /// Creates a toggle with a title and a symbol.
    public init(_ titleKey: LocalizedStringKey, systemImage: String, isOn: Binding<Bool>) {
        self.init(isOn: isOn) { RegnumUI.Label(titleKey, systemImage: systemImage) }
    }
    /// Creates a toggle with a title and a symbol.
    @_disfavoredOverload public init<S>(_ title: S, systemImage: String, isOn: Binding<Bool>) where S: StringProtocol {
        self.init(isOn: isOn) { RegnumUI.Label(title, systemImage: systemImage) }
    }
}

extension Node {
    /// Returns a control with one of its parts as the label. A hidden label remains its accessible name.
    func labelled(_ kind: Element.Kind, by part: String, _ children: [Element] = []) -> Element {
        let label = elements(part)
        var element = control(kind, (environment.areLabelsHidden ? [] : label) + children)
        let name = label.map(\.name).filter { !$0.isEmpty }.joined(separator: " ")
        if !name.isEmpty { element.access[.label] = name }
        return element
    }
}
