// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension EnvironmentValues {
    private struct Dismiss: EnvironmentKey { static var defaultValue: DismissAction { DismissAction(dismissal: nil) } }
    private struct EditModeKey: EnvironmentKey { static var defaultValue: Binding<EditMode>? { nil } }
    private struct IsEnabled: EnvironmentKey { static var defaultValue: Bool { true } }
    private struct IsSearching: EnvironmentKey { static var defaultValue: Bool { false } }
    private struct DismissSearch: EnvironmentKey {
        static var defaultValue: DismissSearchAction { DismissSearchAction(search: nil) }
    }
    private struct ScenePhaseKey: EnvironmentKey { static var defaultValue: ScenePhase { .active } }
    private struct ColorSchemeKey: EnvironmentKey { static var defaultValue: ColorScheme { .light } }
    private struct LocaleKey: EnvironmentKey { static var defaultValue: Locale { .current } }
    private struct CalendarKey: EnvironmentKey { static var defaultValue: Calendar { .current } }
    private struct TimeZoneKey: EnvironmentKey { static var defaultValue: TimeZone { .current } }
    private struct Direction: EnvironmentKey { static var defaultValue: LayoutDirection { .leftToRight } }
    private struct FontKey: EnvironmentKey { static var defaultValue: Font? { nil } }
    private struct LineLimit: EnvironmentKey { static var defaultValue: Int? { nil } }
    private struct Alignment: EnvironmentKey { static var defaultValue: TextAlignment { .leading } }
    private struct OpenURL: EnvironmentKey { static var defaultValue: OpenURLAction { OpenURLAction(graph: nil) } }
    private struct Refresh: EnvironmentKey { static var defaultValue: RefreshAction? { nil } }
    private struct Horizontal: EnvironmentKey { static var defaultValue: UserInterfaceSizeClass? { .compact } }
    private struct Vertical: EnvironmentKey { static var defaultValue: UserInterfaceSizeClass? { .regular } }

    /// The action that dismisses the sheet or pushed page of the view.
    public var dismiss: DismissAction {
        get { self[Dismiss.self] }
        set { self[Dismiss.self] = newValue }
    }

    /// The presentation of the view's sheet or pushed page. Calling `dismiss()` on its value dismisses it.
    public var presentationMode: Binding<PresentationMode> {
        let action = dismiss
        return Binding(
            FunctionLocation(
                read: { PresentationMode(isPresented: action.dismissal != nil) },
                write: { mode, _ in
                    if mode.isDismissed { Node.onMain { action() } }
                }))
    }

    /// A Boolean value that indicates whether the view is in a sheet or on a pushed page.
    public var isPresented: Bool { dismiss.dismissal != nil }

    /// The mode in which the user can delete and move rows, or `nil` outside of a window.
    public var editMode: Binding<EditMode>? {
        get { self[EditModeKey.self] }
        set { self[EditModeKey.self] = newValue }
    }

    /// A Boolean value that indicates whether controls are enabled. `disabled(_:)` can't enable controls that an
    /// ancestor disables.
    public var isEnabled: Bool {
        get { self[IsEnabled.self] }
        set { self[IsEnabled.self] = newValue }
    }

    /// A Boolean value that indicates whether the search field of an ancestor has the focus or a text.
    public internal(set) var isSearching: Bool {
        get { self[IsSearching.self] }
        set { self[IsSearching.self] = newValue }
    }

    /// The action that ends the search in an ancestor's search field.
    public internal(set) var dismissSearch: DismissSearchAction {
        get { self[DismissSearch.self] }
        set { self[DismissSearch.self] = newValue }
    }

    /// The phase of the window. Always active in the browser host.
    public var scenePhase: ScenePhase {
        get { self[ScenePhaseKey.self] }
        set { self[ScenePhaseKey.self] = newValue }
    }

    /// The colour scheme of the user's browser.
    public var colorScheme: ColorScheme {
        get { self[ColorSchemeKey.self] }
        set { self[ColorSchemeKey.self] = newValue }
    }

    /// The locale of the user's browser.
    public var locale: Locale {
        get { self[LocaleKey.self] }
        set { self[LocaleKey.self] = newValue }
    }

    /// The calendar. In the browser host, it's that of the server process.
    public var calendar: Calendar {
        get { self[CalendarKey.self] }
        set { self[CalendarKey.self] = newValue }
    }

    /// The time zone of the user's browser.
    public var timeZone: TimeZone {
        get { self[TimeZoneKey.self] }
        set { self[TimeZoneKey.self] = newValue }
    }

    /// The direction of reading. Left to right in the browser host, unless the app sets it.
    public var layoutDirection: LayoutDirection {
        get { self[Direction.self] }
        set { self[Direction.self] = newValue }
    }

    /// The default font of texts.
    public var font: Font? {
        get { self[FontKey.self] }
        set { self[FontKey.self] = newValue }
    }

    /// The maximum number of lines of a text, or `nil` for no limit.
    public var lineLimit: Int? {
        get { self[LineLimit.self] }
        set { self[LineLimit.self] = newValue }
    }

    /// The alignment of the lines of multiline texts.
    public var multilineTextAlignment: TextAlignment {
        get { self[Alignment.self] }
        set { self[Alignment.self] = newValue }
    }

    /// The action that opens a URL in the user's browser.
    public var openURL: OpenURLAction {
        get { self[OpenURL.self] }
        set { self[OpenURL.self] = newValue.connected(like: self[OpenURL.self]) }
    }

    /// The action of an ancestor's `refreshable`, or `nil`.
    public internal(set) var refresh: RefreshAction? {
        get { self[Refresh.self] }
        set { self[Refresh.self] = newValue }
    }

    /// The horizontal size class of the window: regular if it's at least 700 points wide, otherwise compact.
    public var horizontalSizeClass: UserInterfaceSizeClass? {
        get { self[Horizontal.self] }
        set { self[Horizontal.self] = newValue }
    }

    /// The vertical size class of the window. Always regular in the browser host.
    public var verticalSizeClass: UserInterfaceSizeClass? {
        get { self[Vertical.self] }
        set { self[Vertical.self] = newValue }
    }
}

// Settings that the browser handles itself, so apps read default values.
extension EnvironmentValues {
    /// The text size set by the user. Always the default in the browser host: the browser itself scales texts.
    public var dynamicTypeSize: DynamicTypeSize { .large }
    /// The text size set by the user. Always the default in the browser host: the browser itself scales texts.
    public var sizeCategory: ContentSizeCategory { .large }
    /// The size of controls. Always regular in the browser host: the page's style sheet applies `controlSize(_:)`.
    public var controlSize: ControlSize { .regular }
    /// The reasons for redacting content. Always empty in the browser host.
    public var redactionReasons: RedactionReasons { [] }
    /// A Boolean value that indicates whether the user prefers reduced motion. Always false in the browser host: the
    /// page applies the setting.
    public var accessibilityReduceMotion: Bool { false }
    /// A Boolean value that indicates whether the user prefers reduced transparency. Always false in the browser host:
    /// the page applies the setting.
    public var accessibilityReduceTransparency: Bool { false }
    /// A Boolean value that indicates whether the user prefers distinctions without colour. Always false in the browser
    /// host.
    public var accessibilityDifferentiateWithoutColor: Bool { false }
    /// A Boolean value that indicates whether the user has enabled assistive technology. Always false in the browser
    /// host: browsers don't report it.
    public var accessibilityEnabled: Bool { false }
}

/// The environment of the presented views retains it.
@MainActor final class Dismissal {
    var end: () -> Void = {}
}

/// An action that dismisses the sheet or pushed page of a view. Has no effect on a root page.
@MainActor @preconcurrency public struct DismissAction {
    nonisolated let dismissal: Dismissal?

    nonisolated init(dismissal: Dismissal?) { self.dismissal = dismissal }

    /// Dismisses the sheet or pushed page.
    public func callAsFunction() { dismissal?.end() }
}

/// The presentation of a view's sheet or pushed page.
public struct PresentationMode: Sendable {
    /// A Boolean value that indicates whether the view is in a sheet or on a pushed page.
    public let isPresented: Bool
    private(set) var isDismissed = false

    init(isPresented: Bool) { self.isPresented = isPresented }

    /// Dismisses the sheet or pushed page when the value is assigned to its binding.
    public mutating func dismiss() { isDismissed = true }
}

/// An action that ends the search in an ancestor's search field.
@MainActor @preconcurrency public struct DismissSearchAction {
    nonisolated let search: SearchState?

    nonisolated init(search: SearchState?) { self.search = search }

    /// Clears the search field and removes its focus.
    public func callAsFunction() { search?.end() }
}

/// An action that opens a URL in the user's browser.
@MainActor @preconcurrency public struct OpenURLAction {
    /// The result of a custom handler.
    public enum Result: Sendable {
        /// The handler has opened the URL.
        case handled
        /// The handler has ignored the URL.
        case discarded
        /// The browser opens the URL.
        case systemAction
    }

    // Both properties are set by the initializers, and read on the main actor only.
    /// Weak, because the graph retains the environment.
    nonisolated(unsafe) private weak var graph: Graph?
    nonisolated(unsafe) private var handler: ((URL) -> Result)?

    nonisolated init(graph: Graph?) { self.graph = graph }

    /// Creates an action that calls a handler. The browser opens the URL if the handler returns `systemAction` and the
    /// action is the one of an environment.
    nonisolated public init(handler: @escaping (URL) -> Result) {
        graph = nil
        self.handler = handler
    }

    /// The action with the browser of `other`, unless it has one.
    nonisolated func connected(like other: Self) -> Self {
        var action = self
        action.graph = graph ?? other.graph
        return action
    }

    /// Opens a web, mail, or telephone URL. Other URLs are ignored.
    public func callAsFunction(_ url: URL) {
        if let handler, handler(url) != .systemAction { return }
        if url.isAllowed { graph?.openAddress(url) }
    }
}

extension URL {
    var isAllowed: Bool { ["http", "https", "mailto", "tel"].contains(scheme?.lowercased() ?? "") }
}

/// An action that runs an ancestor's `refreshable` action.
public struct RefreshAction: Sendable {
    let action: @Sendable () async -> Void

    /// Runs the action and waits until it returns.
    public func callAsFunction() async { await action() }
}
