// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// How far something has got, or that it goes on.
nonisolated public struct ProgressView<Label, CurrentValueLabel>: View, Primitive
where Label: View, CurrentValueLabel: View {
    private let label: Label?
    private let valueLabel: CurrentValueLabel?
    private let fraction: Double?

    private init(_ label: Label?, _ fraction: Double?, _ valueLabel: CurrentValueLabel? = nil) {
        (self.label, self.fraction, self.valueLabel) = (label, fraction, valueLabel)
    }

    /// Makes a progress with labels.
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
    /// Makes the progress through an interval of time, as it is when the view is evaluated.
    public init(timerInterval: ClosedRange<Date>, countsDown: Bool = true) {
        let length = timerInterval.upperBound.timeIntervalSince(timerInterval.lowerBound)
        let gone = length > 0 ? Date().timeIntervalSince(timerInterval.lowerBound) / length : 1
        self.init(nil, countsDown ? 1 - gone : gone)
    }
}

extension ProgressView where CurrentValueLabel == EmptyView {
    /// Makes a sign that something goes on.
    public init() where Label == EmptyView { self.init(nil, nil) }
    /// Makes a sign that something goes on, with a label.
    public init(@ViewBuilder label: () -> Label) { self.init(label(), nil) }
    /// Makes a sign that something goes on, with a title.
    public init(_ titleKey: LocalizedStringKey) where Label == Text { self.init(Text(titleKey), nil) }
    /// Makes a sign that something goes on, with a title.
    @_disfavoredOverload public init<S>(_ title: S) where S: StringProtocol, Label == Text {
        self.init(Text(title), nil)
    }
    /// Makes a progress.
    public init<V>(value: V?, total: V = 1.0) where Label == EmptyView, V: BinaryFloatingPoint {
        self.init(nil, value.map { Double($0 / total) })
    }
    /// Makes a progress with a label.
    public init<V>(value: V?, total: V = 1.0, @ViewBuilder label: () -> Label) where V: BinaryFloatingPoint {
        self.init(label(), value.map { Double($0 / total) })
    }
    /// Makes a progress with a title.
    public init<V>(_ titleKey: LocalizedStringKey, value: V?, total: V = 1.0)
    where Label == Text, V: BinaryFloatingPoint {
        self.init(Text(titleKey), value.map { Double($0 / total) })
    }
    /// Makes a progress with a title.
    @_disfavoredOverload public init<S, V>(_ title: S, value: V?, total: V = 1.0)
    where S: StringProtocol, Label == Text, V: BinaryFloatingPoint {
        self.init(Text(title), value.map { Double($0 / total) })
    }
    /// Makes a progress of what an operation tells.
    public init(_ progress: Progress) where Label == EmptyView { self.init(nil, progress.fractionCompleted) }
}

/// A link to an address of the web, of mail or of a telephone. Others are texts.
@MainActor public struct Link<Label>: View, Primitive where Label: View {
    nonisolated private let destination: URL
    nonisolated(unsafe) private let label: Label

    /// Makes a link.
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
    /// Makes a link with a title.
    nonisolated public init(_ titleKey: LocalizedStringKey, destination: URL) { self.init(Text(titleKey), destination) }
    /// Makes a link with a title.
    @_disfavoredOverload nonisolated public init<S>(_ title: S, destination: URL) where S: StringProtocol {
        self.init(Text(title), destination)
    }
}

/// Buttons that come up at a tap.
nonisolated public struct Menu<Label, Content>: View, Primitive where Label: View, Content: View {
    private let label: Label
    private let content: Content
    private let primaryAction: (() -> Void)?

    private init(_ content: Content, _ label: Label, _ primaryAction: (() -> Void)? = nil) {
        (self.content, self.label, self.primaryAction) = (content, label, primaryAction)
    }

    /// Makes a menu.
    public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {
        self.init(content(), label())
    }
    /// Makes a menu with an action of its own.
    public init(
        @ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label, primaryAction: @escaping () -> Void
    ) {
        self.init(content(), label(), primaryAction)
    }
    /// Makes a menu with a title.
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) where Label == Text {
        self.init(content(), Text(titleKey))
    }
    /// Makes a menu with a title.
    @_disfavoredOverload public init<S>(_ title: S, @ViewBuilder content: () -> Content)
    where S: StringProtocol, Label == Text {
        self.init(content(), Text(title))
    }
    /// Makes a menu with a title and an action of its own.
    public init(
        _ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content, primaryAction: @escaping () -> Void
    ) where Label == Text {
        self.init(content(), Text(titleKey), primaryAction)
    }
    /// Makes a menu with a title and an action of its own.
    @_disfavoredOverload public init<S>(
        _ title: S, @ViewBuilder content: () -> Content, primaryAction: @escaping () -> Void
    ) where S: StringProtocol, Label == Text {
        self.init(content(), Text(title), primaryAction)
    }
    /// Makes a menu with a title and a symbol.
    public init(_ titleKey: LocalizedStringKey, systemImage: String, @ViewBuilder content: () -> Content)
    where Label == RegnumUI.Label<Text, Image> {
        self.init(content(), RegnumUI.Label(titleKey, systemImage: systemImage))
    }
    /// Makes a menu with a title and a symbol.
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

/// A value with its label.
nonisolated public struct LabeledContent<Label, Content>: View, Primitive where Label: View, Content: View {
    private let label: Label
    private let content: Content

    /// Makes a value with its label.
    public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {
        (self.content, self.label) = (content(), label())
    }
    /// Makes a view with a title.
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) where Label == Text {
        (self.content, label) = (content(), Text(titleKey))
    }
    /// Makes a view with a title.
    @_disfavoredOverload public init<S>(_ title: S, @ViewBuilder content: () -> Content)
    where S: StringProtocol, Label == Text {
        (self.content, label) = (content(), Text(title))
    }
    /// Makes a text with a title.
    public init<S>(_ titleKey: LocalizedStringKey, value: S) where S: StringProtocol, Label == Text, Content == Text {
        (content, label) = (Text(value), Text(titleKey))
    }
    /// Makes a text with a title.
    @_disfavoredOverload public init<S1, S2>(_ title: S1, value: S2)
    where S1: StringProtocol, S2: StringProtocol, Label == Text, Content == Text {
        (content, label) = (Text(value), Text(title))
    }
    /// Makes a value with a title, as a format says.
    public init<F>(_ titleKey: LocalizedStringKey, value: F.FormatInput, format: F)
    where F: FormatStyle, F.FormatInput: Equatable, F.FormatOutput == String, Label == Text, Content == Text {
        (content, label) = (Text(value, format: format), Text(titleKey))
    }
    /// Makes a value with a title, as a format says.
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

/// What is shown where there is nothing to show.
nonisolated public struct ContentUnavailableView<Label, Description, Actions>: View
where Label: View, Description: View, Actions: View {
    private let label: Label
    private let description: Description
    private let actions: Actions

    /// Makes the view of a label, a description and buttons.
    public init(
        @ViewBuilder label: () -> Label, @ViewBuilder description: () -> Description = { EmptyView() },
        @ViewBuilder actions: () -> Actions = { EmptyView() }
    ) {
        (self.label, self.description, self.actions) = (label(), description(), actions())
    }

    /// What the view consists of.
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
    /// Makes the view of a title and a symbol.
    public init(_ title: LocalizedStringKey, systemImage name: String, description: Text? = nil) {
        (label, self.description, actions) = (RegnumUI.Label(title, systemImage: name), description, EmptyView())
    }
    /// Makes the view of a title and a symbol.
    @_disfavoredOverload public init<S>(_ title: S, systemImage name: String, description: Text? = nil)
    where S: StringProtocol {
        (label, self.description, actions) = (RegnumUI.Label(title, systemImage: name), description, EmptyView())
    }
    /// What a search without results shows.
    public static var search: Self { Self("No Results", systemImage: "magnifyingglass") }
    /// What a search without results shows.
    public static func search(text: String) -> Self { Self("No Results for “\(text)”", systemImage: "magnifyingglass") }
}

/// A line between views.
nonisolated public struct Divider: View, Primitive {
    /// Makes a line.
    public init() {}
    @MainActor func output(_ node: Node) -> Output { Output(node.element(.divider)) }
}

/// Takes the room that is left.
nonisolated public struct Spacer: View, Primitive {
    private let minLength: CGFloat?
    /// Makes a spacer.
    public init(minLength: CGFloat? = nil) { self.minLength = minLength }

    @MainActor func output(_ node: Node) -> Output {
        var element = node.element(.spacer)
        if let minLength { element.look[.minWidth] = css(minLength) }
        return Output(element)
    }
}
