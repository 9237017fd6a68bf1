// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Values that the toolkit's own views pass to their descendants.
extension EnvironmentValues {
    enum Styled: Hashable {
        case label, list, toggle, picker, field, date, navigation, tabs, progress, form, size
    }

    private struct ButtonStyleKey: EnvironmentKey { static var defaultValue: ButtonStyling { .named("") } }
    private struct Closing: EnvironmentKey { static var defaultValue: Dismissal? { nil } }
    private struct Classes: EnvironmentKey { static var defaultValue: [Styled: String] { [:] } }
    private struct Field: EnvironmentKey { static var defaultValue: [Element.AccessName: String] { [:] } }
    private struct LabelsHidden: EnvironmentKey { static var defaultValue: Bool { false } }
    private struct WindowSize: EnvironmentKey { static var defaultValue: CGSize { .zero } }
    private struct Lazy: EnvironmentKey { static var defaultValue: Bool { false } }
    private struct Submit: EnvironmentKey { static var defaultValue: SubmitActions { SubmitActions() } }
    private struct NavigatorKey: EnvironmentKey { static var defaultValue: Navigator? { nil } }
    private struct Suggestions: EnvironmentKey { static var defaultValue: AnyView? { nil } }

    var buttonStyle: ButtonStyling {
        get { self[ButtonStyleKey.self] }
        set { self[ButtonStyleKey.self] = newValue }
    }

    /// The alert that a button dismisses after its action.
    var closing: Dismissal? {
        get { self[Closing.self] }
        set { self[Closing.self] = newValue }
    }

    var styleClasses: [Styled: String] {
        get { self[Classes.self] }
        set { self[Classes.self] = newValue }
    }

    func classes(_ styled: Styled) -> [String] { styleClasses[styled].map { [$0] } ?? [] }

    var fieldAttributes: [Element.AccessName: String] {
        get { self[Field.self] }
        set { self[Field.self] = newValue }
    }

    var areLabelsHidden: Bool {
        get { self[LabelsHidden.self] }
        set { self[LabelsHidden.self] = newValue }
    }

    /// Views that measure themselves are evaluated when it changes.
    var windowSize: CGSize {
        get { self[WindowSize.self] }
        set { self[WindowSize.self] = newValue }
    }

    /// Whether a direct child `ForEach` shows a limited number of its elements.
    var isLazy: Bool {
        get { self[Lazy.self] }
        set { self[Lazy.self] = newValue }
    }

    var submitActions: SubmitActions {
        get { self[Submit.self] }
        set { self[Submit.self] = newValue }
    }

    var navigator: Navigator? {
        get { self[NavigatorKey.self] }
        set { self[NavigatorKey.self] = newValue }
    }

    var searchSuggestions: AnyView? {
        get { self[Suggestions.self] }
        set { self[Suggestions.self] = newValue }
    }

    func with(_ change: (inout EnvironmentValues) -> Void) -> EnvironmentValues {
        var copy = self
        change(&copy)
        return copy
    }

    /// The environment of views that a container arranges itself.
    var inside: EnvironmentValues { isLazy ? with { $0.isLazy = false } : self }
}

struct SubmitActions {
    var text: [() -> Void] = []
    var search: [() -> Void] = []
}

extension Node {
    func control(_ kind: Element.Kind, _ children: [Element] = []) -> Element {
        var element = element(kind, children)
        if !environment.isEnabled { element.state[.disabled] = .bool(true) }
        return element
    }

    func elements(_ part: String) -> [Element] { child(.part(part))?.output.elements ?? [] }
}
