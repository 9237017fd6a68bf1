// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A view that shows the completed fraction of an operation, or that an operation of unknown duration is running.
nonisolated public struct ProgressView<Label, CurrentValueLabel>: View, Primitive
where Label: View, CurrentValueLabel: View {
    private let label: Label?
    private let valueLabel: CurrentValueLabel?
    private let fraction: Double?

    private init(_ label: Label?, _ fraction: Double?, _ valueLabel: CurrentValueLabel? = nil) {
        (self.label, self.fraction, self.valueLabel) = (label, fraction, valueLabel)
    }

    /// Creates a progress view with a label and a label of the current value. A `nil` value makes it indeterminate.
    public init<V>(
        value: V?, total: V = 1.0, @ViewBuilder label: () -> Label,
        @ViewBuilder currentValueLabel: () -> CurrentValueLabel
    ) where V: BinaryFloatingPoint {
        self.init(label(), value.map { Double($0 / total) }, currentValueLabel())
    }

    @MainActor func evaluate(_ node: Node) {
        if let label { node.child(.part("label"), label) }
        if let valueLabel { node.child(.part("value"), valueLabel) }
    }

    @MainActor func output(_ node: Node) -> Output {
        var element = node.labelled(.progress, by: "label", node.elements("value"))
        if element.access[.label] == nil { element.access[.label] = "In progress" }
        if let fraction { element.state[.value] = .number(min(max(fraction, 0), 1)) }
        element.state[.busy] = .bool(fraction == nil)
        if let name = node.environment.styleClasses[.progress] { element.look[.classes] = name }
        return Output(element)
    }
}

extension ProgressView where Label == EmptyView, CurrentValueLabel == EmptyView {
    /// Creates a progress view of the elapsed (or remaining) fraction of an interval. The fraction is computed once,
    /// here, and doesn't advance with time.
    public init(timerInterval: ClosedRange<Date>, countsDown: Bool = true) {
        let length = timerInterval.upperBound.timeIntervalSince(timerInterval.lowerBound)
        let gone = length > 0 ? Date().timeIntervalSince(timerInterval.lowerBound) / length : 1
        self.init(nil, countsDown ? 1 - gone : gone)
    }
}

extension ProgressView where CurrentValueLabel == EmptyView {
    /// Creates an indeterminate progress view.
    public init() where Label == EmptyView { self.init(nil, nil) }
    /// Creates an indeterminate progress view with a label.
    public init(@ViewBuilder label: () -> Label) { self.init(label(), nil) }
    /// Creates an indeterminate progress view with a title.
    public init(_ titleKey: LocalizedStringKey) where Label == Text { self.init(Text(titleKey), nil) }
    /// Creates an indeterminate progress view with a title.
    @_disfavoredOverload public init<S>(_ title: S) where S: StringProtocol, Label == Text {
        self.init(Text(title), nil)
    }
    /// Creates a progress view. A `nil` value makes it indeterminate.
    public init<V>(value: V?, total: V = 1.0) where Label == EmptyView, V: BinaryFloatingPoint {
        self.init(nil, value.map { Double($0 / total) })
    }
    /// Creates a progress view with a label. A `nil` value makes it indeterminate.
    public init<V>(value: V?, total: V = 1.0, @ViewBuilder label: () -> Label) where V: BinaryFloatingPoint {
        self.init(label(), value.map { Double($0 / total) })
    }
    /// Creates a progress view with a title. A `nil` value makes it indeterminate.
    public init<V>(_ titleKey: LocalizedStringKey, value: V?, total: V = 1.0)
    where Label == Text, V: BinaryFloatingPoint {
        self.init(Text(titleKey), value.map { Double($0 / total) })
    }
    /// Creates a progress view with a title. A `nil` value makes it indeterminate.
    @_disfavoredOverload public init<S, V>(_ title: S, value: V?, total: V = 1.0)
    where S: StringProtocol, Label == Text, V: BinaryFloatingPoint {
        self.init(Text(title), value.map { Double($0 / total) })
    }
    /// Creates a progress view of the completed fraction of `progress`, which is read once, here.
    public init(_ progress: Progress) where Label == EmptyView { self.init(nil, progress.fractionCompleted) }
}

/// A link to a web, mail, or telephone URL. A link to another URL shows only its label.
@MainActor public struct Link<Label>: View, Primitive where Label: View {
    nonisolated private let destination: URL
    // Immutable, and read on the main actor only.
    nonisolated(unsafe) private let label: Label

    /// Creates a link.
    public init(destination: URL, @ViewBuilder label: () -> Label) {
        (self.destination, self.label) = (destination, label())
    }

    @MainActor func evaluate(_ node: Node) { node.child(.position(0), label) }

    @MainActor func output(_ node: Node) -> Output {
        let content = Output(merging: node.children.map(\.output)).elements
        guard destination.isAllowed else { return Output(node.element(.group, content)) }
        var element = node.control(.link, content)
        element.state[.address] = .text(destination.absoluteString)
        let (open, destination) = (node.environment.openURL, destination)
        node.handle(.tap, of: &element) { _ in open(destination) }
        return Output(element)
    }
}

extension Link where Label == Text {
    nonisolated private init(_ text: Text, _ destination: URL) { (self.destination, label) = (destination, text) }
    /// Creates a link with a title.
    nonisolated public init(_ titleKey: LocalizedStringKey, destination: URL) { self.init(Text(titleKey), destination) }
    /// Creates a link with a title.
    @_disfavoredOverload nonisolated public init<S>(_ title: S, destination: URL) where S: StringProtocol {
        self.init(Text(title), destination)
    }
}

/// A control that shows a menu of buttons.
nonisolated public struct Menu<Label, Content>: View, Primitive where Label: View, Content: View {
    private let label: Label
    private let content: Content
    private let primaryAction: (() -> Void)?

    private init(_ content: Content, _ label: Label, _ primaryAction: (() -> Void)? = nil) {
        (self.content, self.label, self.primaryAction) = (content, label, primaryAction)
    }

    /// Creates a menu.
    public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {
        self.init(content(), label())
    }
    /// Creates a menu with a primary action, which a click on the label runs.
    public init(
        @ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label, primaryAction: @escaping () -> Void
    ) {
        self.init(content(), label(), primaryAction)
    }
    /// Creates a menu with a title.
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) where Label == Text {
        self.init(content(), Text(titleKey))
    }
    /// Creates a menu with a title.
    @_disfavoredOverload public init<S>(_ title: S, @ViewBuilder content: () -> Content)
    where S: StringProtocol, Label == Text {
        self.init(content(), Text(title))
    }
    /// Creates a menu with a title and a primary action, which a click on the title runs.
    public init(
        _ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content, primaryAction: @escaping () -> Void
    ) where Label == Text {
        self.init(content(), Text(titleKey), primaryAction)
    }
    /// Creates a menu with a title and a primary action, which a click on the title runs.
    @_disfavoredOverload public init<S>(
        _ title: S, @ViewBuilder content: () -> Content, primaryAction: @escaping () -> Void
    ) where S: StringProtocol, Label == Text {
        self.init(content(), Text(title), primaryAction)
    }
    /// Creates a menu with a title and a symbol.
    public init(_ titleKey: LocalizedStringKey, systemImage: String, @ViewBuilder content: () -> Content)
    where Label == RegnumUI.Label<Text, Image> {
        self.init(content(), RegnumUI.Label(titleKey, systemImage: systemImage))
    }
    /// Creates a menu with a title and a symbol.
    @_disfavoredOverload public init<S>(_ title: S, systemImage: String, @ViewBuilder content: () -> Content)
    where S: StringProtocol, Label == RegnumUI.Label<Text, Image> {
        self.init(content(), RegnumUI.Label(title, systemImage: systemImage))
    }

    @MainActor func evaluate(_ node: Node) {
        node.child(.part("label"), label)
        node.child(.part("content"), content)
    }

    @MainActor func output(_ node: Node) -> Output {
        var element = node.labelled(.menu, by: "label", node.elements("content"))
        if let primaryAction { node.handle(.tap, of: &element) { _ in primaryAction() } }
        var output = Output(element)
        if let content = node.child(.part("content")) { output.addPreferences(of: content.output) }
        return output
    }
}

/// A view with a label that describes it.
nonisolated public struct LabeledContent<Label, Content>: View, Primitive where Label: View, Content: View {
    private let label: Label
    private let content: Content

    /// Creates a view with a label.
    public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {
        (self.content, self.label) = (content(), label())
    }
    /// Creates a view with a title as its label.
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) where Label == Text {
        (self.content, label) = (content(), Text(titleKey))
    }
    /// Creates a view with a title as its label.
    @_disfavoredOverload public init<S>(_ title: S, @ViewBuilder content: () -> Content)
    where S: StringProtocol, Label == Text {
        (self.content, label) = (content(), Text(title))
    }
    /// Creates a text with a title as its label.
    public init<S>(_ titleKey: LocalizedStringKey, value: S) where S: StringProtocol, Label == Text, Content == Text {
        (content, label) = (Text(value), Text(titleKey))
    }
    /// Creates a text with a title as its label.
    @_disfavoredOverload public init<S1, S2>(_ title: S1, value: S2)
    where S1: StringProtocol, S2: StringProtocol, Label == Text, Content == Text {
        (content, label) = (Text(value), Text(title))
    }
    /// Creates a formatted value with a title as its label.
    public init<F>(_ titleKey: LocalizedStringKey, value: F.FormatInput, format: F)
    where F: FormatStyle, F.FormatInput: Equatable, F.FormatOutput == String, Label == Text, Content == Text {
        (content, label) = (Text(value, format: format), Text(titleKey))
    }
    /// Creates a formatted value with a title as its label.
    @_disfavoredOverload public init<S, F>(_ title: S, value: F.FormatInput, format: F)
    where
        S: StringProtocol, F: FormatStyle, F.FormatInput: Equatable, F.FormatOutput == String, Label == Text,
        Content == Text
    {
        (content, label) = (Text(value, format: format), Text(title))
    }

    @MainActor func evaluate(_ node: Node) {
        node.child(.part("label"), label)
        node.child(.part("content"), content)
    }

    @MainActor func output(_ node: Node) -> Output {
        var element = node.element(.hstack, node.elements("label") + node.elements("content"))
        element.look[.classes] = "labelled"
        return Output(element)
    }
}

/// A placeholder for a view without content.
nonisolated public struct ContentUnavailableView<Label, Description, Actions>: View
where Label: View, Description: View, Actions: View {
    private let label: Label
    private let description: Description
    private let actions: Actions

    /// Creates a placeholder with a label, a description, and actions.
    public init(
        @ViewBuilder label: () -> Label, @ViewBuilder description: () -> Description = { EmptyView() },
        @ViewBuilder actions: () -> Actions = { EmptyView() }
    ) {
        (self.label, self.description, self.actions) = (label(), description(), actions())
    }

    /// A stack of the label, the description, and the actions.
    @MainActor public var body: some View {
        VStack {
            label
            description
            actions
        }
    }
}

extension ContentUnavailableView
where Label == RegnumUI.Label<Text, Image>, Description == Text?, Actions == EmptyView {
    /// Creates a placeholder with a title, a symbol, and a description.
    public init(_ title: LocalizedStringKey, systemImage name: String, description: Text? = nil) {
        (label, self.description, actions) = (RegnumUI.Label(title, systemImage: name), description, EmptyView())
    }
    /// Creates a placeholder with a title, a symbol, and a description.
    @_disfavoredOverload public init<S>(_ title: S, systemImage name: String, description: Text? = nil)
    where S: StringProtocol {
        (label, self.description, actions) = (RegnumUI.Label(title, systemImage: name), description, EmptyView())
    }
    /// The placeholder of a search without results.
    public static var search: Self { Self("No Results", systemImage: "magnifyingglass") }
    /// Returns the placeholder of a search for a text without results.
    public static func search(text: String) -> Self { Self("No Results for “\(text)”", systemImage: "magnifyingglass") }
}

/// A line that separates views.
nonisolated public struct Divider: View, Primitive {
    /// Creates a divider.
    public init() {}
    @MainActor func output(_ node: Node) -> Output { Output(node.element(.divider)) }
}

/// A flexible space that expands along the axis of its stack.
nonisolated public struct Spacer: View, Primitive {
    private let minLength: CGFloat?
    /// Creates a spacer with a minimum length, in points.
    public init(minLength: CGFloat? = nil) { self.minLength = minLength }

    @MainActor func output(_ node: Node) -> Output {
        var element = node.element(.spacer)
        if let minLength { element.look[.minWidth] = css(minLength) }
        return Output(element)
    }
}
