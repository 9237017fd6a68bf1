// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The placement of an item in a bar. The browser host distinguishes the leading and trailing sides of the page's bar.
public struct ToolbarItemPlacement: Sendable {
    let isLeading: Bool
    /// The default placement, at the trailing side.
    public static let automatic = ToolbarItemPlacement(isLeading: false)
    /// The placement of the principal item, at the leading side in the browser host.
    public static let principal = ToolbarItemPlacement(isLeading: true)
    /// The placement of navigation actions, at the leading side.
    public static let navigation = ToolbarItemPlacement(isLeading: true)
    /// The placement of the primary action, at the trailing side.
    public static let primaryAction = ToolbarItemPlacement(isLeading: false)
    /// The placement of secondary actions, at the trailing side.
    public static let secondaryAction = ToolbarItemPlacement(isLeading: false)
    /// The placement of status information, at the trailing side in the browser host.
    public static let status = ToolbarItemPlacement(isLeading: false)
    /// The placement of an action that confirms a dialog, at the trailing side.
    public static let confirmationAction = ToolbarItemPlacement(isLeading: false)
    /// The placement of an action that cancels a dialog, at the leading side.
    public static let cancellationAction = ToolbarItemPlacement(isLeading: true)
    /// The placement of an action that deletes data, at the trailing side.
    public static let destructiveAction = ToolbarItemPlacement(isLeading: false)
    /// The placement above the on-screen keyboard. In the browser host, it's the trailing side of the page's bar.
    public static let keyboard = ToolbarItemPlacement(isLeading: false)
    /// The placement at the leading side.
    public static let navigationBarLeading = ToolbarItemPlacement(isLeading: true)
    /// The placement at the trailing side.
    public static let navigationBarTrailing = ToolbarItemPlacement(isLeading: false)
    /// The placement at the leading side.
    public static let topBarLeading = ToolbarItemPlacement(isLeading: true)
    /// The placement at the trailing side.
    public static let topBarTrailing = ToolbarItemPlacement(isLeading: false)
    /// The placement in the bottom bar. In the browser host, it's the trailing side of the page's bar.
    public static let bottomBar = ToolbarItemPlacement(isLeading: false)
}

/// A bar of a page.
public enum ToolbarPlacement: Hashable, Sendable { case automatic, navigationBar, tabBar, bottomBar }

/// A type that declares items of a bar.
@MainActor @preconcurrency public protocol ToolbarContent {
    /// The type of the items that compose these items.
    associatedtype Body: ToolbarContent
    /// The items that compose these items.
    @ToolbarContentBuilder var body: Self.Body { get }
}

extension ToolbarContent where Body == Never {
    /// Traps, because built-in items don't have a body.
    public var body: Never { preconditionFailure("\(Self.self) has no body.") }
}

@MainActor protocol KnownToolbarContent: ToolbarContent where Body == Never {
    @MainActor var items: [(isLeading: Bool, view: any View)] { get }
}

extension ToolbarContent {
    var allItems: [(isLeading: Bool, view: any View)] {
        if let known = self as? any KnownToolbarContent { return known.items }
        return body.allItems
    }
}

/// An item of a bar.
nonisolated public struct ToolbarItem<ID, Content>: ToolbarContent, KnownToolbarContent where Content: View {
    private let placement: ToolbarItemPlacement
    private let content: Content

    /// Creates an item.
    public init(placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content) where ID == () {
        (self.placement, self.content) = (placement, content())
    }
    /// Creates an item. `id` has no effect.
    public init(id: String, placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content)
    where ID == String {
        (self.placement, self.content) = (placement, content())
    }

    @MainActor var items: [(isLeading: Bool, view: any View)] { [(placement.isLeading, content)] }
}

/// A group of items with one placement.
nonisolated public struct ToolbarItemGroup<Content>: ToolbarContent, KnownToolbarContent where Content: View {
    private let placement: ToolbarItemPlacement
    private let content: Content

    /// Creates a group of items.
    public init(placement: ToolbarItemPlacement = .automatic, @ViewBuilder content: () -> Content) {
        (self.placement, self.content) = (placement, content())
    }

    @MainActor var items: [(isLeading: Bool, view: any View)] { [(placement.isLeading, content)] }
}

/// A space between items. Has no effect in the browser host.
nonisolated public struct ToolbarSpacer: ToolbarContent, KnownToolbarContent {
    /// Creates a spacer.
    public init() {}
    @MainActor var items: [(isLeading: Bool, view: any View)] { [] }
}

/// The items of a builder with multiple expressions.
nonisolated public struct _ToolbarItems: ToolbarContent, KnownToolbarContent {
    let contents: [any ToolbarContent]
    @MainActor var items: [(isLeading: Bool, view: any View)] { contents.flatMap { $0.allItems } }
}

/// A result builder that combines toolbar items.
@resultBuilder public struct ToolbarContentBuilder {
    /// Returns the items of an expression.
    public static func buildExpression<Content>(_ content: Content) -> Content where Content: ToolbarContent { content }
    /// Returns a single item unchanged.
    public static func buildBlock<Content>(_ content: Content) -> Content where Content: ToolbarContent { content }
    /// Combines multiple items.
    public static func buildBlock<each Content>(_ content: repeat each Content) -> _ToolbarItems
    where repeat each Content: ToolbarContent {
        var all: [any ToolbarContent] = []
        for item in repeat each content { all.append(item) }
        return _ToolbarItems(contents: all)
    }
    /// Returns the items of an `if` without `else`.
    public static func buildIf<Content>(_ content: Content?) -> _ToolbarItems where Content: ToolbarContent {
        _ToolbarItems(contents: content.map { [$0] } ?? [])
    }
    /// Returns the items of the first branch of an `if`.
    public static func buildEither<Content>(first: Content) -> _ToolbarItems where Content: ToolbarContent {
        _ToolbarItems(contents: [first])
    }
    /// Returns the items of the second branch of an `if`.
    public static func buildEither<Content>(second: Content) -> _ToolbarItems where Content: ToolbarContent {
        _ToolbarItems(contents: [second])
    }
    /// Returns the items of an `if #available`.
    public static func buildLimitedAvailability<Content>(_ content: Content) -> _ToolbarItems
    where Content: ToolbarContent {
        _ToolbarItems(contents: [content])
    }
}

nonisolated struct PageModification: Modification {
    var leading: (any View)?
    var trailing: (any View)?
    var items: (@MainActor () -> [(isLeading: Bool, view: any View)])?
    var change: (@MainActor (inout PageTraits, Node) -> Void)?

    @MainActor func evaluate(_ node: Node) {
        if let leading { node.child(.part("leading 0"), AnyView(leading)) }
        if let trailing { node.child(.part("trailing 0"), AnyView(trailing)) }
        let items = node.run { self.items.map { $0() } ?? [] }
        for (index, item) in items.enumerated() {
            node.child(.part("\(item.isLeading ? "leading" : "trailing") \(index + 1)"), AnyView(item.view))
        }
    }

    @MainActor func apply(to output: inout Output, _ node: Node) {
        var traits = output[PageKey.self]
        var (leading, trailing) = ([Element](), [Element]())
        for child in node.children.dropFirst() {
            guard case .part(let name) = child.key else { continue }
            if name.hasPrefix("leading") { leading += child.output.elements } else { trailing += child.output.elements }
            var preferences = child.output
            preferences.elements = []
            output.addPreferences(of: preferences)
        }
        traits.leading = leading + traits.leading
        traits.trailing = trailing + traits.trailing
        change?(&traits, node)
        output[PageKey.self] = traits
    }
}

/// A namespace for the display mode of titles.
public enum NavigationBarItem {
    /// The display mode of a page's title.
    public enum TitleDisplayMode: String, Sendable {
        case automatic
        case inline
        case large
    }
}

extension View {
    nonisolated private func page(_ change: @escaping @MainActor (inout PageTraits, Node) -> Void) -> some View {
        modifier(PageModification(change: change))
    }

    /// Sets the title of the page.
    nonisolated public func navigationTitle(_ title: Text) -> some View {
        // Immutable, and read on the main actor only, where the closure runs.
        nonisolated(unsafe) let title = title
        return page { $0.title = title.runs($1).map(\.text).joined() }
    }
    /// Sets the title of the page.
    nonisolated public func navigationTitle(_ titleKey: LocalizedStringKey) -> some View {
        navigationTitle(Text(titleKey))
    }
    /// Sets the title of the page.
    @_disfavoredOverload nonisolated public func navigationTitle<S>(_ title: S) -> some View where S: StringProtocol {
        navigationTitle(Text(title))
    }
    /// Sets the title of the page, which the user can edit.
    nonisolated public func navigationTitle(_ title: Binding<String>) -> some View {
        page { traits, node in
            traits.title = node.run { title.wrappedValue }
            traits.rename = { title.wrappedValue = $0 }
        }
    }
    /// Sets the title of the page.
    nonisolated public func navigationBarTitle(_ title: Text) -> some View { navigationTitle(title) }
    /// Sets the title of the page.
    nonisolated public func navigationBarTitle(_ titleKey: LocalizedStringKey) -> some View {
        navigationTitle(Text(titleKey))
    }
    /// Sets the title of the page.
    @_disfavoredOverload nonisolated public func navigationBarTitle<S>(_ title: S) -> some View
    where S: StringProtocol {
        navigationTitle(Text(title))
    }
    /// Sets the title of the page and its display mode.
    nonisolated public func navigationBarTitle(
        _ title: Text, displayMode: NavigationBarItem.TitleDisplayMode
    ) -> some View {
        navigationTitle(title).navigationBarTitleDisplayMode(displayMode)
    }
    /// Sets the title of the page and its display mode.
    nonisolated public func navigationBarTitle(
        _ titleKey: LocalizedStringKey, displayMode: NavigationBarItem.TitleDisplayMode
    ) -> some View {
        navigationBarTitle(Text(titleKey), displayMode: displayMode)
    }
    /// Sets the title of the page and its display mode.
    @_disfavoredOverload nonisolated public func navigationBarTitle<S>(
        _ title: S, displayMode: NavigationBarItem.TitleDisplayMode
    ) -> some View where S: StringProtocol {
        navigationBarTitle(Text(title), displayMode: displayMode)
    }
    /// Sets the display mode of the page's title.
    nonisolated public func navigationBarTitleDisplayMode(
        _ displayMode: NavigationBarItem.TitleDisplayMode
    ) -> some View {
        page { traits, _ in traits.displayMode = displayMode.rawValue }
    }
    /// Sets whether the page's bar is hidden.
    nonisolated public func navigationBarHidden(_ hidden: Bool) -> some View {
        page { traits, _ in traits.isBarHidden = hidden }
    }
    /// Sets whether the back button is hidden.
    nonisolated public func navigationBarBackButtonHidden(_ hidesBackButton: Bool = true) -> some View {
        page { traits, _ in traits.isBackHidden = hidesBackButton }
    }
    /// Adds views to the leading and trailing sides of the page's bar.
    nonisolated public func navigationBarItems<L, T>(leading: L, trailing: T) -> some View where L: View, T: View {
        modifier(PageModification(leading: leading, trailing: trailing))
    }
    /// Adds a view to the leading side of the page's bar.
    nonisolated public func navigationBarItems<L>(leading: L) -> some View where L: View {
        modifier(PageModification(leading: leading))
    }
    /// Adds a view to the trailing side of the page's bar.
    nonisolated public func navigationBarItems<T>(trailing: T) -> some View where T: View {
        modifier(PageModification(trailing: trailing))
    }
    /// Adds views to the trailing side of the page's bar.
    nonisolated public func toolbar<Content>(@ViewBuilder content: () -> Content) -> some View where Content: View {
        modifier(PageModification(trailing: content()))
    }
    /// Adds items to the page's bar.
    nonisolated public func toolbar<Content>(@ToolbarContentBuilder content: () -> Content) -> some View
    where Content: ToolbarContent {
        let content = content()
        return modifier(PageModification(items: { content.allItems }))
    }
    /// Shows or hides bars. In the browser host, only the navigation bar can be hidden.
    nonisolated public func toolbar(_ visibility: Visibility, for bars: ToolbarPlacement...) -> some View {
        page { traits, _ in
            if bars.contains(.navigationBar) || bars.isEmpty { traits.isBarHidden = visibility == .hidden }
        }
    }
}
