// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

struct FieldSource {
    let read: () -> String
    /// Returns whether the text could be parsed.
    let write: (String) -> Bool
    /// Whether each edit is written, instead of the whole text on Return and when the editing ends.
    let isLive: Bool

    init(_ text: Binding<String>) {
        (read, isLive) = ({ text.wrappedValue }, true)
        write = {
            text.wrappedValue = $0
            return true
        }
    }

    init(read: @escaping () -> String, write: @escaping (String) -> Bool) {
        (self.read, self.write, isLive) = (read, write, false)
    }

    init<F: ParseableFormatStyle>(_ value: Binding<F.FormatInput>, _ format: F) where F.FormatOutput == String {
        self.init(
            read: { format.format(value.wrappedValue) },
            write: { text in
                guard let parsed = try? format.parseStrategy.parse(text) else { return false }
                value.wrappedValue = parsed
                return true
            })
    }

    init<F: ParseableFormatStyle>(_ value: Binding<F.FormatInput?>, _ format: F) where F.FormatOutput == String {
        self.init(
            read: { value.wrappedValue.map(format.format) ?? "" },
            write: { text in
                let isEmpty = text.allSatisfy(\.isWhitespace)
                guard let parsed = isEmpty ? .some(nil) : (try? format.parseStrategy.parse(text)).map(Optional.some)
                else { return false }
                value.wrappedValue = parsed
                return true
            })
    }

    init<V>(_ value: Binding<V>, _ formatter: Formatter) {
        self.init(
            read: { formatter.string(for: value.wrappedValue) ?? "" },
            write: { text in
                guard let parsed = formatter.parsed(text) as? V else { return false }
                value.wrappedValue = parsed
                return true
            })
    }
}

extension Formatter {
    fileprivate func parsed(_ text: String) -> Any? {
        if let numbers = self as? NumberFormatter { return numbers.number(from: text) }
        return (self as? DateFormatter)?.date(from: text)
    }
}

@MainActor final class FieldState {
    var isFocused = false
    var draft: String?
}

@MainActor struct FieldBehaviour {
    let kind: Element.Kind
    let source: FieldSource
    let prompt: Text?
    var onEditingChanged: (Bool) -> Void = { _ in }
    var onCommit: () -> Void = {}

    func output(_ node: Node, label: [Element]) -> Output {
        let state = node.memory as? FieldState ?? FieldState()
        node.memory = state
        var element = node.control(kind)
        let name = label.map(\.name).joined(separator: " ")
        if !name.isEmpty { element.access[.label] = name }
        let placeholder = prompt.map { $0.runs(node).map(\.text).joined() } ?? name
        if kind != .editor { element.state[.placeholder] = .text(placeholder) }
        element.state[.value] = .text(state.draft ?? node.run(source.read))
        element.access.merge(node.environment.fieldAttributes) { inner, _ in inner }
        if !node.environment.classes(.field).isEmpty { element.look[.classes] = node.environment.styleClasses[.field] }
        handle(&element, node, state)
        return Output(element)
    }

    private func handle(_ element: inout Element, _ node: Node, _ state: FieldState) {
        node.handle(.input, of: &element) { value in
            guard case .text(let text) = value else { return }
            if source.isLive { _ = source.write(text) } else { state.draft = text }
            node.markShown()
        }
        node.handle(.commit, of: &element) { _ in
            commit(state)
            onCommit()
            for action in node.environment.submitActions.text { action() }
            node.markShown()
        }
        node.handle(.focus, of: &element) { value in
            let isFocused = value == .bool(true)
            guard state.isFocused != isFocused else { return }
            state.isFocused = isFocused
            if !isFocused {
                commit(state)
                state.draft = nil
            }
            onEditingChanged(isFocused)
            node.markShown()
        }
    }

    private func commit(_ state: FieldState) {
        if let draft = state.draft, source.write(draft) { state.draft = nil }
    }
}

extension Node {
    func markShown() { graph.follow(self) }
}

/// A control for editing a line of text, or a value formatted as text.
///
/// Each edit of a text is written to its binding. An edited value is written on Return and when the editing ends, if
/// the user's text can be parsed. Until then, the field shows the user's text.
nonisolated public struct TextField<Label>: View, Primitive where Label: View {
    private let source: FieldSource
    private let prompt: Text?
    private let isMultiline: Bool
    private let onEditingChanged: (Bool) -> Void
    private let onCommit: () -> Void
    private let label: Label

    fileprivate init(
        _ source: FieldSource, _ label: Label, prompt: Text? = nil, axis: Axis = .horizontal,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }, onCommit: @escaping () -> Void = {}
    ) {
        (self.source, self.label, self.prompt) = (source, label, prompt)
        isMultiline = axis == .vertical
        (self.onEditingChanged, self.onCommit) = (onEditingChanged, onCommit)
    }

    /// Creates a text field with a label, and a prompt shown as its placeholder.
    public init(text: Binding<String>, prompt: Text? = nil, @ViewBuilder label: () -> Label) {
        self.init(FieldSource(text), label(), prompt: prompt)
    }
    /// Creates a text field. It has multiple lines if `axis` is vertical.
    public init(text: Binding<String>, prompt: Text? = nil, axis: Axis, @ViewBuilder label: () -> Label) {
        self.init(FieldSource(text), label(), prompt: prompt, axis: axis)
    }
    /// Creates a field for a value, formatted and parsed by a format style.
    public init<F>(value: Binding<F.FormatInput>, format: F, prompt: Text? = nil, @ViewBuilder label: () -> Label)
    where F: ParseableFormatStyle, F.FormatOutput == String {
        self.init(FieldSource(value, format), label(), prompt: prompt)
    }
    /// Creates a field for an optional value, formatted and parsed by a format style. An empty text is `nil`.
    public init<F>(value: Binding<F.FormatInput?>, format: F, prompt: Text? = nil, @ViewBuilder label: () -> Label)
    where F: ParseableFormatStyle, F.FormatOutput == String {
        self.init(FieldSource(value, format), label(), prompt: prompt)
    }
    /// Creates a field for a value formatted by `formatter`. Only a `NumberFormatter` or `DateFormatter` parses edits.
    public init<V>(value: Binding<V>, formatter: Formatter, prompt: Text? = nil, @ViewBuilder label: () -> Label) {
        self.init(FieldSource(value, formatter), label(), prompt: prompt)
    }

    @MainActor func evaluate(_ node: Node) { node.child(.part("label"), label) }

    @MainActor func output(_ node: Node) -> Output {
        FieldBehaviour(
            kind: isMultiline ? .editor : .field, source: source, prompt: prompt, onEditingChanged: onEditingChanged,
            onCommit: onCommit
        ).output(node, label: node.elements("label"))
    }
}

extension TextField where Label == Text {
    /// Creates a text field with a title, shown as its placeholder.
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>) { self.init(FieldSource(text), Text(titleKey)) }
    /// Creates a text field with a title, shown as its placeholder.
    @_disfavoredOverload public init<S>(_ title: S, text: Binding<String>) where S: StringProtocol {
        self.init(FieldSource(text), Text(title))
    }
    /// Creates a text field with a title and a prompt, shown as its placeholder.
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>, prompt: Text?) {
        self.init(FieldSource(text), Text(titleKey), prompt: prompt)
    }
    /// Creates a text field with a title and a prompt, shown as its placeholder.
    @_disfavoredOverload public init<S>(_ title: S, text: Binding<String>, prompt: Text?) where S: StringProtocol {
        self.init(FieldSource(text), Text(title), prompt: prompt)
    }
    /// Creates a text field with a title. It has multiple lines if `axis` is vertical.
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>, prompt: Text? = nil, axis: Axis) {
        self.init(FieldSource(text), Text(titleKey), prompt: prompt, axis: axis)
    }
    /// Creates a text field with a title. It has multiple lines if `axis` is vertical.
    @_disfavoredOverload public init<S>(_ title: S, text: Binding<String>, prompt: Text? = nil, axis: Axis)
    where S: StringProtocol {
        self.init(FieldSource(text), Text(title), prompt: prompt, axis: axis)
    }
    /// Creates a text field with actions that run at the start and end of editing and on Return.
    public init(
        _ titleKey: LocalizedStringKey, text: Binding<String>, onEditingChanged: @escaping (Bool) -> Void,
        onCommit: @escaping () -> Void
    ) {
        self.init(FieldSource(text), Text(titleKey), onEditingChanged: onEditingChanged, onCommit: onCommit)
    }
    /// Creates a text field with actions that run at the start and end of editing and on Return.
    @_disfavoredOverload public init<S>(
        _ title: S, text: Binding<String>, onEditingChanged: @escaping (Bool) -> Void, onCommit: @escaping () -> Void
    ) where S: StringProtocol {
        self.init(FieldSource(text), Text(title), onEditingChanged: onEditingChanged, onCommit: onCommit)
    }
    /// Creates a text field with an action that runs at the start (`true`) and end (`false`) of editing.
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>, onEditingChanged: @escaping (Bool) -> Void) {
        self.init(FieldSource(text), Text(titleKey), onEditingChanged: onEditingChanged)
    }
    /// Creates a text field with an action that runs at the start (`true`) and end (`false`) of editing.
    @_disfavoredOverload public init<S>(
        _ title: S, text: Binding<String>, onEditingChanged: @escaping (Bool) -> Void
    ) where S: StringProtocol {
        self.init(FieldSource(text), Text(title), onEditingChanged: onEditingChanged)
    }
    /// Creates a text field with an action that runs on Return.
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>, onCommit: @escaping () -> Void) {
        self.init(FieldSource(text), Text(titleKey), onCommit: onCommit)
    }
    /// Creates a text field with an action that runs on Return.
    @_disfavoredOverload public init<S>(_ title: S, text: Binding<String>, onCommit: @escaping () -> Void)
    where S: StringProtocol {
        self.init(FieldSource(text), Text(title), onCommit: onCommit)
    }
    /// Creates a field with a title for a value, formatted and parsed by a format style.
    public init<F>(
        _ titleKey: LocalizedStringKey, value: Binding<F.FormatInput>, format: F, prompt: Text? = nil
    ) where F: ParseableFormatStyle, F.FormatOutput == String {
        self.init(FieldSource(value, format), Text(titleKey), prompt: prompt)
    }
    /// Creates a field with a title for a value, formatted and parsed by a format style.
    @_disfavoredOverload public init<S, F>(
        _ title: S, value: Binding<F.FormatInput>, format: F, prompt: Text? = nil
    ) where S: StringProtocol, F: ParseableFormatStyle, F.FormatOutput == String {
        self.init(FieldSource(value, format), Text(title), prompt: prompt)
    }
    /// Creates a field with a title for an optional value, formatted and parsed by a format style. An empty text is
    /// `nil`.
    public init<F>(
        _ titleKey: LocalizedStringKey, value: Binding<F.FormatInput?>, format: F, prompt: Text? = nil
    ) where F: ParseableFormatStyle, F.FormatOutput == String {
        self.init(FieldSource(value, format), Text(titleKey), prompt: prompt)
    }
    /// Creates a field with a title for an optional value, formatted and parsed by a format style. An empty text is
    /// `nil`.
    @_disfavoredOverload public init<S, F>(
        _ title: S, value: Binding<F.FormatInput?>, format: F, prompt: Text? = nil
    ) where S: StringProtocol, F: ParseableFormatStyle, F.FormatOutput == String {
        self.init(FieldSource(value, format), Text(title), prompt: prompt)
    }
    /// Creates a field with a title for a value formatted by `formatter`. Only a `NumberFormatter` or `DateFormatter`
    /// parses edits.
    public init<V>(
        _ titleKey: LocalizedStringKey, value: Binding<V>, formatter: Formatter, prompt: Text? = nil,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }, onCommit: @escaping () -> Void = {}
    ) {
        self.init(
            FieldSource(value, formatter), Text(titleKey), prompt: prompt, onEditingChanged: onEditingChanged,
            onCommit: onCommit)
    }
    /// Creates a field with a title for a value formatted by `formatter`. Only a `NumberFormatter` or `DateFormatter`
    /// parses edits.
    @_disfavoredOverload public init<S, V>(
        _ title: S, value: Binding<V>, formatter: Formatter, prompt: Text? = nil,
        onEditingChanged: @escaping (Bool) -> Void = { _ in }, onCommit: @escaping () -> Void = {}
    ) where S: StringProtocol {
        self.init(
            FieldSource(value, formatter), Text(title), prompt: prompt, onEditingChanged: onEditingChanged,
            onCommit: onCommit)
    }
}

/// A control for entering a secret. Its text isn't sent to the page and doesn't appear in logs or dumps.
nonisolated public struct SecureField<Label>: View, Primitive where Label: View {
    private let text: Binding<String>
    private let prompt: Text?
    private let label: Label
    private let onCommit: () -> Void

    /// Creates a secure field with a label, and a prompt shown as its placeholder.
    public init(text: Binding<String>, prompt: Text? = nil, @ViewBuilder label: () -> Label) {
        (self.text, self.prompt, self.label, onCommit) = (text, prompt, label(), {})
    }

    fileprivate init(_ text: Binding<String>, _ label: Label, prompt: Text? = nil, onCommit: @escaping () -> Void = {})
    {
        (self.text, self.prompt, self.label, self.onCommit) = (text, prompt, label, onCommit)
    }

    @MainActor func evaluate(_ node: Node) { node.child(.part("label"), label) }

    @MainActor func output(_ node: Node) -> Output {
        var output = FieldBehaviour(kind: .secureField, source: FieldSource(text), prompt: prompt, onCommit: onCommit)
            .output(node, label: node.elements("label"))
        // The page receives only whether the text is empty: then it clears the field.
        output.elements[0].state[.value] = node.run { text.wrappedValue.isEmpty } ? .text("") : nil
        return output
    }
}

extension SecureField where Label == Text {
    /// Creates a secure field with a title, shown as its placeholder.
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>) { self.init(text, Text(titleKey)) }
    /// Creates a secure field with a title, shown as its placeholder.
    @_disfavoredOverload public init<S>(_ title: S, text: Binding<String>) where S: StringProtocol {
        self.init(text, Text(title))
    }
    /// Creates a secure field with a title and a prompt, shown as its placeholder.
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>, prompt: Text?) {
        self.init(text, Text(titleKey), prompt: prompt)
    }
    /// Creates a secure field with a title and a prompt, shown as its placeholder.
    @_disfavoredOverload public init<S>(_ title: S, text: Binding<String>, prompt: Text?) where S: StringProtocol {
        self.init(text, Text(title), prompt: prompt)
    }
    /// Creates a secure field with an action that runs on Return.
    public init(_ titleKey: LocalizedStringKey, text: Binding<String>, onCommit: @escaping () -> Void) {
        self.init(text, Text(titleKey), onCommit: onCommit)
    }
    /// Creates a secure field with an action that runs on Return.
    @_disfavoredOverload public init<S>(_ title: S, text: Binding<String>, onCommit: @escaping () -> Void)
    where S: StringProtocol {
        self.init(text, Text(title), onCommit: onCommit)
    }
}

/// A control for editing multiple lines of text.
nonisolated public struct TextEditor: View, Primitive {
    private let text: Binding<String>

    /// Creates a text editor.
    public init(text: Binding<String>) { self.text = text }

    @MainActor func output(_ node: Node) -> Output {
        FieldBehaviour(kind: .editor, source: FieldSource(text), prompt: nil).output(node, label: [])
    }
}
