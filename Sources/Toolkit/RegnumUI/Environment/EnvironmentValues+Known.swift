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

    /// Closes the sheet or goes back from the page that the view is in.
    public var dismiss: DismissAction {
        get { self[Dismiss.self] }
        set { self[Dismiss.self] = newValue }
    }

    /// Whether the sheet or the page that the view is in is presented, and the way to end it.
    public var presentationMode: Binding<PresentationMode> {
        let action = dismiss
        return Binding(
            FunctionLocation(
                read: { PresentationMode(isPresented: action.dismissal != nil) },
                write: { mode, _ in
                    if mode.isDismissed { Node.onMain { action() } }
                }))
    }

    /// Whether the view is in a sheet or on a page that was pushed.
    public var isPresented: Bool { dismiss.dismissal != nil }

    /// Whether rows can be deleted and moved.
    public var editMode: Binding<EditMode>? {
        get { self[EditModeKey.self] }
        set { self[EditModeKey.self] = newValue }
    }

    /// Whether controls can be used. A view above that says no is obeyed.
    public var isEnabled: Bool {
        get { self[IsEnabled.self] }
        set { self[IsEnabled.self] = newValue }
    }

    /// Whether the user is searching in the search field of a view above.
    public internal(set) var isSearching: Bool {
        get { self[IsSearching.self] }
        set { self[IsSearching.self] = newValue }
    }

    /// Ends the search of a view above.
    public internal(set) var dismissSearch: DismissSearchAction {
        get { self[DismissSearch.self] }
        set { self[DismissSearch.self] = newValue }
    }

    /// Whether the window is used.
    public var scenePhase: ScenePhase {
        get { self[ScenePhaseKey.self] }
        set { self[ScenePhaseKey.self] = newValue }
    }

    /// Whether the user wants light or dark colours.
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

    /// The font of texts that have none of their own.
    public var font: Font? {
        get { self[FontKey.self] }
        set { self[FontKey.self] = newValue }
    }

    /// How many lines a text may have.
    public var lineLimit: Int? {
        get { self[LineLimit.self] }
        set { self[LineLimit.self] = newValue }
    }

    /// How lines of a text are aligned.
    public var multilineTextAlignment: TextAlignment {
        get { self[Alignment.self] }
        set { self[Alignment.self] = newValue }
    }

    /// Opens an address in the user's browser.
    public var openURL: OpenURLAction {
        get { self[OpenURL.self] }
        set { self[OpenURL.self] = newValue }
    }

    /// Loads what `refreshable` of a view above loads.
    public internal(set) var refresh: RefreshAction? {
        get { self[Refresh.self] }
        set { self[Refresh.self] = newValue }
    }

    /// Whether the window is narrow.
    public var horizontalSizeClass: UserInterfaceSizeClass? {
        get { self[Horizontal.self] }
        set { self[Horizontal.self] = newValue }
    }

    /// Whether the window is low.
    public var verticalSizeClass: UserInterfaceSizeClass? {
        get { self[Vertical.self] }
        set { self[Vertical.self] = newValue }
    }
}

// What the browser follows by itself: a program is told the usual.
extension EnvironmentValues {
    /// How large the user wants texts. Here it is always the usual size, which the browser makes larger itself.
    public var dynamicTypeSize: DynamicTypeSize { .large }
    /// How large the user wants texts. Here it is always the usual size, which the browser makes larger itself.
    public var sizeCategory: ContentSizeCategory { .large }
    /// How large controls are: here what `controlSize` says is a matter of the page's style.
    public var controlSize: ControlSize { .regular }
    /// Why the view is shown without its content. Here it never is.
    public var redactionReasons: RedactionReasons { [] }
    /// Whether the user wants less to move. Here the page follows that itself.
    public var accessibilityReduceMotion: Bool { false }
    /// Whether the user wants less to be translucent. Here the page follows that itself.
    public var accessibilityReduceTransparency: Bool { false }
    /// Whether colours must not be all that tells things apart. They never are here.
    public var accessibilityDifferentiateWithoutColor: Bool { false }
    /// Whether assistive technology is used, which a browser does not tell.
    public var accessibilityEnabled: Bool { false }
}

/// What ends a presentation; views in it hold it by their environment.
@MainActor final class Dismissal {
    var end: () -> Void = {}
}

/// Closes the sheet or goes back from the page that a view is in; on a root page it does nothing.
@MainActor @preconcurrency public struct DismissAction {
    nonisolated let dismissal: Dismissal?

    nonisolated init(dismissal: Dismissal?) { self.dismissal = dismissal }

    /// Closes or goes back.
    public func callAsFunction() { dismissal?.end() }
}

/// Whether a view is in a sheet or on a page that was pushed.
public struct PresentationMode: Sendable {
    /// Whether it is.
    public let isPresented: Bool
    private(set) var isDismissed = false

    init(isPresented: Bool) { self.isPresented = isPresented }

    /// Closes the sheet or goes back from the page.
    public mutating func dismiss() { isDismissed = true }
}

/// Ends the search of a view above.
@MainActor @preconcurrency public struct DismissSearchAction {
    nonisolated let search: SearchState?

    nonisolated init(search: SearchState?) { self.search = search }

    /// Empties the field.
    public func callAsFunction() { search?.end() }
}

/// Opens an address in the user's browser.
@MainActor @preconcurrency public struct OpenURLAction {
    /// What became of an address.
    public enum Result: Sendable {
        /// The program has dealt with it.
        case handled
        /// Nothing is opened.
        case discarded
        /// The browser opens it.
        case systemAction
    }

    /// The environment is in the tree of the window.
    nonisolated(unsafe) private weak var graph: Graph?
    nonisolated(unsafe) private var handler: ((URL) -> Result)?

    nonisolated init(graph: Graph?) { self.graph = graph }

    /// Makes an action of the program's own.
    nonisolated public init(handler: @escaping (URL) -> Result) {
        graph = nil
        self.handler = handler
    }

    /// Opens an address, if it is one that may be opened: of the web, of mail or of a telephone.
    public func callAsFunction(_ url: URL) {
        if let handler, handler(url) != .systemAction { return }
        if url.isAllowed { graph?.openAddress(url) }
    }
}

extension URL {
    /// Whether a page may lead to the address.
    var isAllowed: Bool { ["http", "https", "mailto", "tel"].contains(scheme?.lowercased() ?? "") }
}

/// Loads what `refreshable` of a view above loads.
public struct RefreshAction: Sendable {
    let action: @Sendable () async -> Void

    /// Loads, and returns when that is done.
    public func callAsFunction() async { await action() }
}
