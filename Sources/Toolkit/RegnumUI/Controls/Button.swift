// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The purpose of a button, which determines its appearance.
public struct ButtonRole: Equatable, Sendable {
    let name: String
    /// The role of a button that deletes data.
    public static let destructive = ButtonRole(name: "destructive")
    /// The role of a button that cancels an operation.
    public static let cancel = ButtonRole(name: "cancel")
    /// The role of a button that closes a view.
    public static let close = ButtonRole(name: "close")
    /// The role of a button that confirms an operation.
    public static let confirm = ButtonRole(name: "confirm")
}

/// A control that runs an action when the user taps it.
nonisolated public struct Button<Label>: View, Primitive where Label: View {
    private let role: ButtonRole?
    private let action: @MainActor () -> Void
    private let label: Label

    /// Creates a button with an optional role.
    @preconcurrency public init(
        role: ButtonRole? = nil, action: @escaping @MainActor () -> Void, @ViewBuilder label: () -> Label
    ) {
        (self.role, self.action, self.label) = (role, action, label())
    }

    @MainActor func evaluate(_ node: Node) {
        switch node.environment.buttonStyle {
        case .named: node.child(.position(0), label)
        case .button(let style):
            node.child(.part("styled"), styled(style))
        case .primitive(let style):
            let action = action
            let configuration = PrimitiveButtonStyleConfiguration(role: role, label: .init(view: label)) { action() }
            node.child(
                .part("primitive"), primitive(style, configuration),
                environment: node.environment.with { $0.buttonStyle = .named("") })
        }
    }

    @MainActor private func styled<S: ButtonStyle>(_ style: S) -> AnyView {
        AnyView(
            StyledButton(style: style, configuration: .init(role: role, label: .init(view: label), isPressed: false)))
    }

    @MainActor private func primitive<S: PrimitiveButtonStyle>(
        _ style: S, _ configuration: PrimitiveButtonStyleConfiguration
    ) -> AnyView {
        AnyView(StyledPrimitiveButton(style: style, configuration: configuration))
    }

    @MainActor func output(_ node: Node) -> Output {
        let content = node.children.first?.output ?? Output()
        if case .primitive = node.environment.buttonStyle { return content }
        var element = node.control(.button, content.elements)
        if let role { element.state[.role] = .text(role.name) }
        if case .named(let name) = node.environment.buttonStyle, !name.isEmpty { element.look[.classes] = name }
        let closing = node.environment.closing
        node.handle(.tap, of: &element) { _ in
            action()
            closing?.end()
        }
        var output = Output(element)
        output.addPreferences(of: content)
        return output
    }
}

extension Button where Label == Text {
    /// Creates a button with a title and an optional role.
    @preconcurrency public init(
        _ titleKey: LocalizedStringKey, role: ButtonRole? = nil, action: @escaping @MainActor () -> Void
    ) {
        self.init(role: role, action: action) { Text(titleKey) }
    }
    /// Creates a button with a title and an optional role.
    @_disfavoredOverload @preconcurrency public init<S>(
        _ title: S, role: ButtonRole? = nil, action: @escaping @MainActor () -> Void
    ) where S: StringProtocol {
        self.init(role: role, action: action) { Text(title) }
    }
}

extension Button where Label == RegnumUI.Label<Text, Image> {
    /// Creates a button with a title and a symbol.
    @preconcurrency public init(
        _ titleKey: LocalizedStringKey, systemImage: String, role: ButtonRole? = nil,
        action: @escaping @MainActor () -> Void
    ) {
        self.init(role: role, action: action) { RegnumUI.Label(titleKey, systemImage: systemImage) }
    }
    /// Creates a button with a title and a symbol.
    @_disfavoredOverload @preconcurrency public init<S>(
        _ title: S, systemImage: String, role: ButtonRole? = nil, action: @escaping @MainActor () -> Void
    ) where S: StringProtocol {
        self.init(role: role, action: action) { RegnumUI.Label(title, systemImage: systemImage) }
    }
}

extension Button where Label == PrimitiveButtonStyleConfiguration.Label {
    /// Creates the button of a primitive style's configuration.
    public init(_ configuration: PrimitiveButtonStyleConfiguration) {
        self.init(role: configuration.role, action: configuration.action) { configuration.label }
    }
}

/// A type that defines the appearance of buttons.
@MainActor @preconcurrency public protocol ButtonStyle {
    /// The type of the view that shows a button.
    associatedtype Body: View
    /// The properties of the button to show.
    typealias Configuration = ButtonStyleConfiguration
    /// Returns the view that shows a button.
    @ViewBuilder func makeBody(configuration: Self.Configuration) -> Self.Body
}

/// The properties of a button, passed to its style.
public struct ButtonStyleConfiguration {
    /// A view that shows the label of the button.
    nonisolated public struct Label: View, Structural {
        let view: any View
        @MainActor func evaluate(_ node: Node) { node.child(.position(0), view) }
    }

    /// The role of the button, or `nil`.
    public let role: ButtonRole?
    /// The label of the button.
    public let label: Label
    /// A Boolean value that indicates whether the button is pressed. Always false in the browser host.
    public let isPressed: Bool
}

/// A type that defines the appearance and interaction of buttons.
@MainActor @preconcurrency public protocol PrimitiveButtonStyle {
    /// The type of the view that shows a button.
    associatedtype Body: View
    /// The properties of the button to show.
    typealias Configuration = PrimitiveButtonStyleConfiguration
    /// Returns the view that shows a button, which calls `trigger()` to run the action.
    @ViewBuilder func makeBody(configuration: Self.Configuration) -> Self.Body
}

/// The properties and action of a button, passed to its primitive style.
public struct PrimitiveButtonStyleConfiguration {
    /// A view that shows the label of the button.
    nonisolated public struct Label: View, Structural {
        let view: any View
        @MainActor func evaluate(_ node: Node) { node.child(.position(0), view) }
    }

    /// The role of the button, or `nil`.
    public let role: ButtonRole?
    /// The label of the button.
    public let label: Label
    let action: @MainActor () -> Void

    init(role: ButtonRole?, label: Label, action: @escaping @MainActor () -> Void) {
        (self.role, self.label, self.action) = (role, label, action)
    }

    /// Runs the action of the button.
    @MainActor public func trigger() { action() }
}

/// A view, because only views install the dynamic properties of a style.
struct StyledButton<S: ButtonStyle>: View, HoldsProperties {
    var style: S
    let configuration: ButtonStyleConfiguration
    var body: S.Body { style.makeBody(configuration: configuration) }
}

/// A view, because only views install the dynamic properties of a style.
struct StyledPrimitiveButton<S: PrimitiveButtonStyle>: View, HoldsProperties {
    var style: S
    let configuration: PrimitiveButtonStyleConfiguration
    var body: S.Body { style.makeBody(configuration: configuration) }
}

enum ButtonStyling {
    case named(String)
    case button(any ButtonStyle)
    case primitive(any PrimitiveButtonStyle)
}

/// The style sheet draws it as a class of this name.
protocol NamedStyle {
    var className: String { get }
}

/// The default style of buttons in their container.
nonisolated public struct DefaultButtonStyle: PrimitiveButtonStyle, NamedStyle {
    /// Creates an instance of the style.
    public init() {}
    var className: String { "" }
    /// Returns the label of the button. RegnumUI doesn't call it, because the page draws the style.
    @MainActor public func makeBody(configuration: Configuration) -> some View { configuration.label }
}
/// A style that shows only the label of the button.
nonisolated public struct PlainButtonStyle: PrimitiveButtonStyle, NamedStyle {
    /// Creates an instance of the style.
    public init() {}
    var className: String { "plain" }
    /// Returns the label of the button. RegnumUI doesn't call it, because the page draws the style.
    @MainActor public func makeBody(configuration: Configuration) -> some View { configuration.label }
}
/// A button style with a border.
nonisolated public struct BorderedButtonStyle: PrimitiveButtonStyle, NamedStyle {
    /// Creates an instance of the style.
    public init() {}
    var className: String { "bordered" }
    /// Returns the label of the button. RegnumUI doesn't call it, because the page draws the style.
    @MainActor public func makeBody(configuration: Configuration) -> some View { configuration.label }
}
/// A button style with a filled background.
nonisolated public struct BorderedProminentButtonStyle: PrimitiveButtonStyle, NamedStyle {
    /// Creates an instance of the style.
    public init() {}
    var className: String { "prominent" }
    /// Returns the label of the button. RegnumUI doesn't call it, because the page draws the style.
    @MainActor public func makeBody(configuration: Configuration) -> some View { configuration.label }
}
/// A button style without a border.
nonisolated public struct BorderlessButtonStyle: PrimitiveButtonStyle, NamedStyle {
    /// Creates an instance of the style.
    public init() {}
    var className: String { "borderless" }
    /// Returns the label of the button. RegnumUI doesn't call it, because the page draws the style.
    @MainActor public func makeBody(configuration: Configuration) -> some View { configuration.label }
}
extension PrimitiveButtonStyle where Self == DefaultButtonStyle {
    /// The default style of buttons in their container.
    nonisolated public static var automatic: Self { .init() }
}
extension PrimitiveButtonStyle where Self == PlainButtonStyle {
    /// A style that shows only the label of the button.
    nonisolated public static var plain: Self { .init() }
}
extension PrimitiveButtonStyle where Self == BorderedButtonStyle {
    /// A button style with a border.
    nonisolated public static var bordered: Self { .init() }
}
extension PrimitiveButtonStyle where Self == BorderedProminentButtonStyle {
    /// A button style with a filled background.
    nonisolated public static var borderedProminent: Self { .init() }
}
extension PrimitiveButtonStyle where Self == BorderlessButtonStyle {
    /// A button style without a border.
    nonisolated public static var borderless: Self { .init() }
}

extension View {
    /// Sets the style of buttons in this view.
    nonisolated public func buttonStyle<S>(_ style: S) -> some View where S: ButtonStyle {
        modifier(EnvironmentModification<Void> { $0.buttonStyle = .button(style) })
    }

    /// Sets the style and interaction of buttons in this view.
    nonisolated public func buttonStyle<S>(_ style: S) -> some View where S: PrimitiveButtonStyle {
        modifier(
            EnvironmentModification<Void> {
                $0.buttonStyle = (style as? any NamedStyle).map { .named($0.className) } ?? .primitive(style)
            })
    }
}

/// A button that starts and ends the editing of rows.
nonisolated public struct EditButton: View {
    @Environment(\.editMode) private var editMode

    /// Creates the button, which changes the `editMode` of the environment.
    public init() {}

    /// A button titled “Edit” or “Done”.
    @MainActor public var body: some View {
        let mode = editMode
        Button(mode?.wrappedValue.isEditing == true ? "Done" : "Edit") {
            mode?.wrappedValue = mode?.wrappedValue.isEditing == true ? .inactive : .active
        }
    }
}
