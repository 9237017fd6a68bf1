// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension Node {
    func container(_ kind: Element.Kind, _ look: [Element.LookName: String] = [:]) -> Output {
        var output = Output(merging: children.map(\.output))
        let more = output.take(MoreKey.self)
        var element = element(kind, output.elements)
        element.look = look
        if !more.isEmpty {
            handle(.more, of: &element) { _ in
                for action in more { action() }
            }
        }
        output.elements = [element]
        return output
    }
}

/// Loads more elements of the `ForEach` views in a list or lazy stack.
enum MoreKey: PreferenceKey {
    static var defaultValue: [@MainActor () -> Void] { [] }
    static func reduce(value: inout [@MainActor () -> Void], nextValue: () -> [@MainActor () -> Void]) {
        value += nextValue()
    }
}

private func gap(_ spacing: CGFloat?) -> [Element.LookName: String] { spacing.map { [.gap: css($0)] } ?? [:] }

/// A container that arranges views vertically.
nonisolated public struct VStack<Content>: View, Primitive where Content: View {
    private let look: [Element.LookName: String]
    private let content: Content

    /// Creates a vertical stack. `spacing` is in points.
    public init(
        alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
    ) {
        look = gap(spacing).merging([.alignment: alignment.css]) { $1 }
        self.content = content()
    }

    @MainActor func evaluate(_ node: Node) { node.child(.position(0), content, environment: node.environment.inside) }
    @MainActor func output(_ node: Node) -> Output { node.container(.vstack, look) }
}

/// A container that arranges views horizontally.
nonisolated public struct HStack<Content>: View, Primitive where Content: View {
    private let look: [Element.LookName: String]
    private let content: Content

    /// Creates a horizontal stack. `spacing` is in points.
    public init(
        alignment: VerticalAlignment = .center, spacing: CGFloat? = nil, @ViewBuilder content: () -> Content
    ) {
        look = gap(spacing).merging([.alignment: alignment.css]) { $1 }
        self.content = content()
    }

    @MainActor func evaluate(_ node: Node) { node.child(.position(0), content, environment: node.environment.inside) }
    @MainActor func output(_ node: Node) -> Output { node.container(.hstack, look) }
}

/// A container that places views on top of each other.
nonisolated public struct ZStack<Content>: View, Primitive where Content: View {
    private let alignment: Alignment
    private let content: Content

    /// Creates a stack of views on top of each other.
    public init(alignment: Alignment = .center, @ViewBuilder content: () -> Content) {
        (self.alignment, self.content) = (alignment, content())
    }

    @MainActor func evaluate(_ node: Node) { node.child(.position(0), content, environment: node.environment.inside) }
    @MainActor func output(_ node: Node) -> Output { node.container(.zstack, alignment.look) }
}

/// A vertical stack that creates the views of a `ForEach` in batches, as the user scrolls.
nonisolated public struct LazyVStack<Content>: View, Primitive where Content: View {
    private let look: [Element.LookName: String]
    private let content: Content

    /// Creates a lazy vertical stack. `pinnedViews` has no effect in the browser host.
    public init(
        alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
        pinnedViews: PinnedScrollableViews = .init(), @ViewBuilder content: () -> Content
    ) {
        look = gap(spacing).merging([.alignment: alignment.css]) { $1 }
        self.content = content()
    }

    @MainActor func evaluate(_ node: Node) {
        node.child(.position(0), content, environment: node.environment.with { $0.isLazy = true })
    }
    @MainActor func output(_ node: Node) -> Output { node.container(.vstack, look) }
}

/// A horizontal stack that creates the views of a `ForEach` in batches, as the user scrolls.
nonisolated public struct LazyHStack<Content>: View, Primitive where Content: View {
    private let look: [Element.LookName: String]
    private let content: Content

    /// Creates a lazy horizontal stack. `pinnedViews` has no effect in the browser host.
    public init(
        alignment: VerticalAlignment = .center, spacing: CGFloat? = nil,
        pinnedViews: PinnedScrollableViews = .init(), @ViewBuilder content: () -> Content
    ) {
        look = gap(spacing).merging([.alignment: alignment.css]) { $1 }
        self.content = content()
    }

    @MainActor func evaluate(_ node: Node) {
        node.child(.position(0), content, environment: node.environment.with { $0.isLazy = true })
    }
    @MainActor func output(_ node: Node) -> Output { node.container(.hstack, look) }
}

/// A container that arranges views in columns, and creates the views of a `ForEach` in batches.
nonisolated public struct LazyVGrid<Content>: View, Primitive where Content: View {
    private let look: [Element.LookName: String]
    private let content: Content

    /// Creates a grid with the given columns. `alignment` and `pinnedViews` have no effect in the browser host.
    public init(
        columns: [GridItem], alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
        pinnedViews: PinnedScrollableViews = .init(), @ViewBuilder content: () -> Content
    ) {
        look = gap(spacing).merging([.columns: columns.map(\.css).joined(separator: " ")]) { $1 }
        self.content = content()
    }

    @MainActor func evaluate(_ node: Node) {
        node.child(.position(0), content, environment: node.environment.with { $0.isLazy = true })
    }
    @MainActor func output(_ node: Node) -> Output { node.container(.grid, look) }
}

/// A container that arranges views in rows, and creates the views of a `ForEach` in batches.
nonisolated public struct LazyHGrid<Content>: View, Primitive where Content: View {
    private let look: [Element.LookName: String]
    private let content: Content

    /// Creates a grid with the given rows. `alignment` and `pinnedViews` have no effect in the browser host.
    public init(
        rows: [GridItem], alignment: VerticalAlignment = .center, spacing: CGFloat? = nil,
        pinnedViews: PinnedScrollableViews = .init(), @ViewBuilder content: () -> Content
    ) {
        look = gap(spacing).merging([.rows: rows.map(\.css).joined(separator: " ")]) { $1 }
        self.content = content()
    }

    @MainActor func evaluate(_ node: Node) {
        node.child(.position(0), content, environment: node.environment.with { $0.isLazy = true })
    }
    @MainActor func output(_ node: Node) -> Output { node.container(.grid, look) }
}

/// A container that arranges `GridRow` views one below another. In the browser host, its columns aren't aligned.
nonisolated public struct Grid<Content>: View, Primitive where Content: View {
    private let content: Content

    /// Creates a grid. The alignment and spacing have no effect in the browser host.
    public init(
        alignment: Alignment = .center, horizontalSpacing: CGFloat? = nil, verticalSpacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) {
        self.content = content()
    }

    @MainActor func evaluate(_ node: Node) { node.child(.position(0), content, environment: node.environment.inside) }
    @MainActor func output(_ node: Node) -> Output { node.container(.grid) }
}

/// A row of a grid.
nonisolated public struct GridRow<Content>: View, Primitive where Content: View {
    private let content: Content

    /// Creates a row. `alignment` has no effect in the browser host.
    public init(alignment: VerticalAlignment? = nil, @ViewBuilder content: () -> Content) { self.content = content() }

    @MainActor func evaluate(_ node: Node) { node.child(.position(0), content, environment: node.environment.inside) }
    @MainActor func output(_ node: Node) -> Output { node.container(.hstack) }
}

/// A container that scrolls content larger than itself.
nonisolated public struct ScrollView<Content>: View, Primitive where Content: View {
    private let axes: Axis.Set
    private let content: Content

    /// Creates a scroll view. `showsIndicators` has no effect in the browser host.
    public init(_ axes: Axis.Set = .vertical, showsIndicators: Bool = true, @ViewBuilder content: () -> Content) {
        (self.axes, self.content) = (axes, content())
    }

    @MainActor func evaluate(_ node: Node) { node.child(.position(0), content, environment: node.environment.inside) }

    @MainActor func output(_ node: Node) -> Output {
        node.container(.scroll, axes.contains(.horizontal) ? [.classes: "horizontal"] : [:])
    }
}

/// Scrolls to views inside a `ScrollViewReader`.
@MainActor public struct ScrollViewProxy {
    weak var node: Node?

    /// Scrolls to the view whose `id(_:)`, or whose element in a `ForEach`, has the given identity. `anchor` has no
    /// effect in the browser host.
    public func scrollTo<ID>(_ id: ID, anchor: UnitPoint? = nil) where ID: Hashable {
        guard let node else { return }
        let target = AnyHashable(id)
        let found = node.output.elements.lazy.compactMap {
            $0.first { $0.traits.scrollID == target || $0.traits.members.values.contains { $0.id == target } }
        }.first
        node.graph.scrollTarget = found?.id
        node.markShown()
    }
}

/// A container whose content receives a proxy for scrolling.
nonisolated public struct ScrollViewReader<Content>: View, Structural where Content: View {
    private let content: (ScrollViewProxy) -> Content

    /// Creates a container.
    public init(@ViewBuilder content: @escaping (ScrollViewProxy) -> Content) { self.content = content }

    @MainActor func evaluate(_ node: Node) {
        let proxy = ScrollViewProxy(node: node)
        node.child(.position(0), node.run { content(proxy) })
    }
}

/// The size of a `GeometryReader`.
public struct GeometryProxy: Sendable {
    /// The size, in points.
    public let size: CGSize
    /// The insets of the safe area, which are zero in a browser.
    public var safeAreaInsets: EdgeInsets { EdgeInsets() }
    /// Returns the frame. Its origin is zero in any coordinate space in the browser host.
    public func frame(in coordinateSpace: CoordinateSpace) -> CGRect { CGRect(origin: .zero, size: size) }
}

/// A coordinate space of frames and locations.
public enum CoordinateSpace: Hashable {
    case global, local
    case named(AnyHashable)
}

/// A container whose content receives its size. Until the page has measured the container, the size is that of the
/// window.
nonisolated public struct GeometryReader<Content>: View, Primitive where Content: View {
    private let content: (GeometryProxy) -> Content

    /// Creates a container.
    public init(@ViewBuilder content: @escaping (GeometryProxy) -> Content) { self.content = content }

    @MainActor func evaluate(_ node: Node) {
        let proxy = GeometryProxy(size: node.graph.size(of: node.elementID()))
        node.child(.position(0), node.run { content(proxy) }, environment: node.environment.inside)
    }
    @MainActor func output(_ node: Node) -> Output {
        var output = node.container(.zstack, [.alignment: "start", .justification: "start"])
        output.elements[0].state[.role] = .text("measured")
        return output
    }
}

/// A container that shows its content in a box with a label.
nonisolated public struct GroupBox<Label, Content>: View, Primitive where Label: View, Content: View {
    private let label: Label
    private let content: Content

    /// Creates a box with a label.
    public init(@ViewBuilder content: () -> Content, @ViewBuilder label: () -> Label) {
        (self.content, self.label) = (content(), label())
    }
    /// Creates a box with a label.
    public init(label: Label, @ViewBuilder content: () -> Content) { (self.content, self.label) = (content(), label) }
    /// Creates a box without a label.
    public init(@ViewBuilder content: () -> Content) where Label == EmptyView {
        (self.content, label) = (content(), EmptyView())
    }
    /// Creates a box with a title.
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: () -> Content) where Label == Text {
        (self.content, label) = (content(), Text(titleKey))
    }
    /// Creates a box with a title.
    @_disfavoredOverload public init<S>(_ title: S, @ViewBuilder content: () -> Content)
    where S: StringProtocol, Label == Text {
        (self.content, label) = (content(), Text(title))
    }

    @MainActor func evaluate(_ node: Node) {
        node.child(.part("label"), label, environment: node.environment.inside)
        node.child(.part("content"), content, environment: node.environment.inside)
    }
    @MainActor func output(_ node: Node) -> Output { node.container(.box) }
}

/// A container whose content the user can expand and collapse.
nonisolated public struct DisclosureGroup<Label, Content>: View, Primitive where Label: View, Content: View {
    private let isExpanded: Binding<Bool>?
    private let label: Label
    private let content: () -> Content

    private init(_ isExpanded: Binding<Bool>?, _ content: @escaping () -> Content, _ label: Label) {
        (self.isExpanded, self.content, self.label) = (isExpanded, content, label)
    }

    /// Creates a group that is initially collapsed.
    public init(@ViewBuilder content: @escaping () -> Content, @ViewBuilder label: () -> Label) {
        self.init(nil, content, label())
    }
    /// Creates a group. `isExpanded` is whether the content is shown.
    public init(
        isExpanded: Binding<Bool>, @ViewBuilder content: @escaping () -> Content, @ViewBuilder label: () -> Label
    ) {
        self.init(isExpanded, content, label())
    }
    /// Creates a group with a title that is initially collapsed.
    public init(_ titleKey: LocalizedStringKey, @ViewBuilder content: @escaping () -> Content) where Label == Text {
        self.init(nil, content, Text(titleKey))
    }
    /// Creates a group with a title. `isExpanded` is whether the content is shown.
    public init(
        _ titleKey: LocalizedStringKey, isExpanded: Binding<Bool>, @ViewBuilder content: @escaping () -> Content
    ) where Label == Text {
        self.init(isExpanded, content, Text(titleKey))
    }

    @MainActor private func binding(_ node: Node) -> Binding<Bool> {
        if let isExpanded { return isExpanded }
        let cell = node.memory as? StateCell<Bool> ?? StateCell(false)
        node.memory = cell
        return Binding(cell)
    }

    @MainActor func evaluate(_ node: Node) {
        let binding = binding(node)
        node.child(.part("label"), label, environment: node.environment.inside)
        if node.run({ binding.wrappedValue }) {
            node.child(.part("content"), node.run(content), environment: node.environment.inside)
        }
    }

    @MainActor func output(_ node: Node) -> Output {
        let binding = binding(node)
        let isOpen = node.child(.part("content")) != nil
        var button = node.element(.button, part: "button", node.elements("label"))
        button.state[.expanded] = .bool(isOpen)
        node.handle(.tap, of: &button) { _ in binding.wrappedValue = !isOpen }
        return Output(node.element(.group, [button] + node.elements("content")))
    }
}
