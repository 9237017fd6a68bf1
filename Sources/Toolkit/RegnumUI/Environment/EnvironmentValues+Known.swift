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

    /// Dismisses the sheet or the pushed page that contains the view.
    public var dismiss: DismissAction {
        get { self[Dismiss.self] }
        set { self[Dismiss.self] = newValue }
    }

    /// The presentation of the sheet or page that contains the view, and the means to dismiss it.
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

    /// The mode in which rows can be deleted and moved.
    public var editMode: Binding<EditMode>? {
        get { self[EditModeKey.self] }
        set { self[EditModeKey.self] = newValue }
    }

    /// A Boolean value that indicates whether controls are enabled. A view can't enable controls that an ancestor
    /// disables.
    public var isEnabled: Bool {
        get { self[IsEnabled.self] }
        set { self[IsEnabled.self] = newValue }
    }

    /// A Boolean value that indicates whether the user is searching in the search field of an ancestor.
    public internal(set) var isSearching: Bool {
        get { self[IsSearching.self] }
        set { self[IsSearching.self] = newValue }
    }

    /// Ends the search of an ancestor.
    public internal(set) var dismissSearch: DismissSearchAction {
        get { self[DismissSearch.self] }
        set { self[DismissSearch.self] = newValue }
    }

    /// The phase of the window.
    public var scenePhase: ScenePhase {
        get { self[ScenePhaseKey.self] }
        set { self[ScenePhaseKey.self] = newValue }
    }

    /// The colour scheme of the user.
    public var colorScheme: ColorScheme {
        get { self[ColorSchemeKey.self] }
        set { self[ColorSchemeKey.self] = newValue }
    }

    /// The user's language and region.
    public var locale: Locale {
        get { self[LocaleKey.self] }
        set { self[LocaleKey.self] = newValue }
    }

    /// The user's calendar.
    public var calendar: Calendar {
        get { self[CalendarKey.self] }
        set { self[CalendarKey.self] = newValue }
    }

    /// The user's time zone.
    public var timeZone: TimeZone {
        get { self[TimeZoneKey.self] }
        set { self[TimeZoneKey.self] = newValue }
    }

    /// The direction of reading.
    public var layoutDirection: LayoutDirection {
        get { self[Direction.self] }
        set { self[Direction.self] = newValue }
    }

    /// The default font of texts.
    public var font: Font? {
        get { self[FontKey.self] }
        set { self[FontKey.self] = newValue }
    }

    /// The maximum number of lines of a text.
    public var lineLimit: Int? {
        get { self[LineLimit.self] }
        set { self[LineLimit.self] = newValue }
    }

    /// The alignment of lines in a text.
    public var multilineTextAlignment: TextAlignment {
        get { self[Alignment.self] }
        set { self[Alignment.self] = newValue }
    }

    /// Opens a URL in the user's browser.
    public var openURL: OpenURLAction {
        get { self[OpenURL.self] }
        set { self[OpenURL.self] = newValue }
    }

    /// Runs the `refreshable` action of an ancestor.
    public internal(set) var refresh: RefreshAction? {
        get { self[Refresh.self] }
        set { self[Refresh.self] = newValue }
    }

    /// The horizontal size class, compact in a narrow window.
    public var horizontalSizeClass: UserInterfaceSizeClass? {
        get { self[Horizontal.self] }
        set { self[Horizontal.self] = newValue }
    }

    /// The vertical size class, compact in a low window.
    public var verticalSizeClass: UserInterfaceSizeClass? {
        get { self[Vertical.self] }
        set { self[Vertical.self] = newValue }
    }
}

// The settings that the browser handles itself. An app reads default values.
extension EnvironmentValues {
    /// The user's text size. Always the default, because the browser enlarges texts itself.
    public var dynamicTypeSize: DynamicTypeSize { .large }
    /// The user's text size. Always the default, because the browser enlarges texts itself.
    public var sizeCategory: ContentSizeCategory { .large }
    /// The size of controls. Always regular: `controlSize(_:)` is applied by the page's style sheet.
    public var controlSize: ControlSize { .regular }
    /// The reasons to redact the content. Always empty in the browser host.
    public var redactionReasons: RedactionReasons { [] }
    /// A Boolean value that indicates whether motion is reduced. Always false: the page follows the setting itself.
    public var accessibilityReduceMotion: Bool { false }
    /// A Boolean value that indicates whether transparency is reduced. Always false: the page follows the setting
    /// itself.
    public var accessibilityReduceTransparency: Bool { false }
    /// A Boolean value that indicates whether colour may not be the only distinction. Always false in the browser host.
    public var accessibilityDifferentiateWithoutColor: Bool { false }
    /// A Boolean value that indicates whether assistive technology is used. Always false: browsers don't report it.
    public var accessibilityEnabled: Bool { false }
}

/// Ends a presentation. The presented views retain it through their environment.
@MainActor final class Dismissal {
    var end: () -> Void = {}
}

/// Dismisses the sheet or the pushed page that contains a view; does nothing on a root page.
@MainActor @preconcurrency public struct DismissAction {
    nonisolated let dismissal: Dismissal?

    nonisolated init(dismissal: Dismissal?) { self.dismissal = dismissal }

    /// Dismisses the presentation.
    public func callAsFunction() { dismissal?.end() }
}

/// The presentation of the sheet or pushed page that contains a view.
public struct PresentationMode: Sendable {
    /// A Boolean value that indicates whether the view is presented.
    public let isPresented: Bool
    private(set) var isDismissed = false

    init(isPresented: Bool) { self.isPresented = isPresented }

    /// Dismisses the sheet or the pushed page.
    public mutating func dismiss() { isDismissed = true }
}

/// Ends the search of an ancestor.
@MainActor @preconcurrency public struct DismissSearchAction {
    nonisolated let search: SearchState?

    nonisolated init(search: SearchState?) { self.search = search }

    /// Clears the search field.
    public func callAsFunction() { search?.end() }
}

/// Opens a URL in the user's browser.
@MainActor @preconcurrency public struct OpenURLAction {
    /// The result of opening a URL.
    public enum Result: Sendable {
        /// The app has handled the URL.
        case handled
        /// The URL is discarded.
        case discarded
        /// The browser opens the URL.
        case systemAction
    }

    // Both properties are set by the initializers, and read on the main actor only.
    /// Weak, because the graph retains the environment.
    nonisolated(unsafe) private weak var graph: Graph?
    nonisolated(unsafe) private var handler: ((URL) -> Result)?

    nonisolated init(graph: Graph?) { self.graph = graph }

    /// Creates an action with a custom handler.
    nonisolated public init(handler: @escaping (URL) -> Result) {
        graph = nil
        self.handler = handler
    }

    /// Opens a web, mail, or telephone URL. Other URLs are ignored.
    public func callAsFunction(_ url: URL) {
        if let handler, handler(url) != .systemAction { return }
        if url.isAllowed { graph?.openAddress(url) }
    }
}

extension URL {
    /// Whether a page may link to the URL.
    var isAllowed: Bool { ["http", "https", "mailto", "tel"].contains(scheme?.lowercased() ?? "") }
}

/// Runs the `refreshable` action of an ancestor.
public struct RefreshAction: Sendable {
    let action: @Sendable () async -> Void

    /// Runs the action, and returns after it is complete.
    public func callAsFunction() async { await action() }
}
