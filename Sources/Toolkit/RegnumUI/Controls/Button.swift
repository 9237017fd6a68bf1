// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// What a button is for.
public struct ButtonRole: Equatable, Sendable {
    let name: String
    /// Deletes something.
    public static let destructive = ButtonRole(name: "destructive")
    /// Leaves everything as it is.
    public static let cancel = ButtonRole(name: "cancel")
    /// Closes something.
    public static let close = ButtonRole(name: "close")
    /// Agrees.
    public static let confirm = ButtonRole(name: "confirm")
}

/// Does something when the user taps it.
nonisolated public struct Button<Label>: View, Primitive where Label: View {
    private let role: ButtonRole?
    private let action: @MainActor () -> Void
    private let label: Label

    /// Makes a button, with a role if it has one.
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
    /// Makes a button with a title, and with a role if it has one.
    @preconcurrency public init(
        _ titleKey: LocalizedStringKey, role: ButtonRole? = nil, action: @escaping @MainActor () -> Void
    ) {
        self.init(role: role, action: action) { Text(titleKey) }
    }
    /// Makes a button with a title, and with a role if it has one.
    @_disfavoredOverload @preconcurrency public init<S>(
        _ title: S, role: ButtonRole? = nil, action: @escaping @MainActor () -> Void
    ) where S: StringProtocol {
        self.init(role: role, action: action) { Text(title) }
    }
}

extension Button where Label == RegnumUI.Label<Text, Image> {
    /// Makes a button with a title and a symbol.
    @preconcurrency public init(
        _ titleKey: LocalizedStringKey, systemImage: String, role: ButtonRole? = nil,
        action: @escaping @MainActor () -> Void
    ) {
        self.init(role: role, action: action) { RegnumUI.Label(titleKey, systemImage: systemImage) }
    }
    /// Makes a button with a title and a symbol.
    @_disfavoredOverload @preconcurrency public init<S>(
        _ title: S, systemImage: String, role: ButtonRole? = nil, action: @escaping @MainActor () -> Void
    ) where S: StringProtocol {
        self.init(role: role, action: action) { RegnumUI.Label(title, systemImage: systemImage) }
    }
}

extension Button where Label == PrimitiveButtonStyleConfiguration.Label {
    /// Makes the button that a style is to change.
    public init(_ configuration: PrimitiveButtonStyleConfiguration) {
        self.init(role: configuration.role, action: configuration.action) { configuration.label }
    }
}

/// How buttons look.
@MainActor @preconcurrency public protocol ButtonStyle {
    /// The type of view that the style makes.
    associatedtype Body: View
    /// What the style is told of a button.
    typealias Configuration = ButtonStyleConfiguration
    /// The look of a button.
    @ViewBuilder func makeBody(configuration: Self.Configuration) -> Self.Body
}

/// What a style is told of a button.
public struct ButtonStyleConfiguration {
    /// The label of the button.
    nonisolated public struct Label: View, Structural {
        let view: any View
        @MainActor func evaluate(_ node: Node) { node.child(.position(0), view) }
    }

    /// What the button is for.
    public let role: ButtonRole?
    /// Its label.
    public let label: Label
    /// Whether it is held. Here it never is.
    public let isPressed: Bool
}

/// How buttons look and what triggers them.
@MainActor @preconcurrency public protocol PrimitiveButtonStyle {
    /// The type of view that the style makes.
    associatedtype Body: View
    /// What the style is told of a button.
    typealias Configuration = PrimitiveButtonStyleConfiguration
    /// The look of a button.
    @ViewBuilder func makeBody(configuration: Self.Configuration) -> Self.Body
}

/// What a style is told of a button that it triggers itself.
public struct PrimitiveButtonStyleConfiguration {
    /// The label of the button.
    nonisolated public struct Label: View, Structural {
        let view: any View
        @MainActor func evaluate(_ node: Node) { node.child(.position(0), view) }
    }

    /// What the button is for.
    public let role: ButtonRole?
    /// Its label.
    public let label: Label
    let action: @MainActor () -> Void

    init(role: ButtonRole?, label: Label, action: @escaping @MainActor () -> Void) {
        (self.role, self.label, self.action) = (role, label, action)
    }

    /// Does what the button does.
    @MainActor public func trigger() { action() }
}

/// A style with the properties it declares.
struct StyledButton<S: ButtonStyle>: View, HoldsProperties {
    var style: S
    let configuration: ButtonStyleConfiguration
    var body: S.Body { style.makeBody(configuration: configuration) }
}

/// A style with the properties it declares.
struct StyledPrimitiveButton<S: PrimitiveButtonStyle>: View, HoldsProperties {
    var style: S
    let configuration: PrimitiveButtonStyleConfiguration
    var body: S.Body { style.makeBody(configuration: configuration) }
}

/// The style that buttons have.
enum ButtonStyling {
    case named(String)
    case button(any ButtonStyle)
    case primitive(any PrimitiveButtonStyle)
}

/// A style of the toolkit's own: a name for the style sheet.
protocol NamedStyle {
    var className: String { get }
}

/// The usual style of its place.
nonisolated public struct DefaultButtonStyle: PrimitiveButtonStyle, NamedStyle {
    /// Makes the style.
    public init() {}
    var className: String { "" }
    /// Is not called: the page draws the style.
    @MainActor public func makeBody(configuration: Configuration) -> some View { configuration.label }
}
/// Without any decoration.
nonisolated public struct PlainButtonStyle: PrimitiveButtonStyle, NamedStyle {
    /// Makes the style.
    public init() {}
    var className: String { "plain" }
    /// Is not called: the page draws the style.
    @MainActor public func makeBody(configuration: Configuration) -> some View { configuration.label }
}
/// With a border.
nonisolated public struct BorderedButtonStyle: PrimitiveButtonStyle, NamedStyle {
    /// Makes the style.
    public init() {}
    var className: String { "bordered" }
    /// Is not called: the page draws the style.
    @MainActor public func makeBody(configuration: Configuration) -> some View { configuration.label }
}
/// Filled.
nonisolated public struct BorderedProminentButtonStyle: PrimitiveButtonStyle, NamedStyle {
    /// Makes the style.
    public init() {}
    var className: String { "prominent" }
    /// Is not called: the page draws the style.
    @MainActor public func makeBody(configuration: Configuration) -> some View { configuration.label }
}
/// Without a border.
nonisolated public struct BorderlessButtonStyle: PrimitiveButtonStyle, NamedStyle {
    /// Makes the style.
    public init() {}
    var className: String { "borderless" }
    /// Is not called: the page draws the style.
    @MainActor public func makeBody(configuration: Configuration) -> some View { configuration.label }
}
extension PrimitiveButtonStyle where Self == DefaultButtonStyle {
    /// The usual style of its place.
    nonisolated public static var automatic: Self { .init() }
}
extension PrimitiveButtonStyle where Self == PlainButtonStyle {
    /// Without any decoration.
    nonisolated public static var plain: Self { .init() }
}
extension PrimitiveButtonStyle where Self == BorderedButtonStyle {
    /// With a border.
    nonisolated public static var bordered: Self { .init() }
}
extension PrimitiveButtonStyle where Self == BorderedProminentButtonStyle {
    /// Filled.
    nonisolated public static var borderedProminent: Self { .init() }
}
extension PrimitiveButtonStyle where Self == BorderlessButtonStyle {
    /// Without a border.
    nonisolated public static var borderless: Self { .init() }
}

extension View {
    /// Sets the look of buttons.
    nonisolated public func buttonStyle<S>(_ style: S) -> some View where S: ButtonStyle {
        modifier(EnvironmentModification<Void> { $0.buttonStyle = .button(style) })
    }

    /// Sets the look of buttons and what triggers them.
    nonisolated public func buttonStyle<S>(_ style: S) -> some View where S: PrimitiveButtonStyle {
        modifier(
            EnvironmentModification<Void> {
                $0.buttonStyle = (style as? any NamedStyle).map { .named($0.className) } ?? .primitive(style)
            })
    }
}

/// Lets rows be deleted and moved, or ends that.
nonisolated public struct EditButton: View {
    @Environment(\.editMode) private var editMode

    /// Makes the button.
    public init() {}

    /// What the button consists of.
    @MainActor public var body: some View {
        let mode = editMode
        Button(mode?.wrappedValue.isEditing == true ? "Done" : "Edit") {
            mode?.wrappedValue = mode?.wrappedValue.isEditing == true ? .inactive : .active
        }
    }
}
