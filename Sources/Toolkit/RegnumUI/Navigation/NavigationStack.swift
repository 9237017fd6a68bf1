// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A navigation stack, in SwiftUI's older form: a root page and the pages that links push onto it.
nonisolated public struct NavigationView<Content>: View, Primitive where Content: View {
    private let content: Content

    /// Creates a stack with a root page.
    public init(@ViewBuilder content: () -> Content) { self.content = content() }

    @MainActor func evaluate(_ node: Node) { StackBehaviour(node: node, path: nil).evaluate(content) }
    @MainActor func output(_ node: Node) -> Output { StackBehaviour(node: node, path: nil).output() }
}

/// A navigation stack: a root page and the pages that links, or values of its path, push onto it.
@MainActor @preconcurrency public struct NavigationStack<Data, Root>: View, Primitive where Root: View {
    private let root: Root
    private let path: PathAccess?

    /// Creates a stack with a root page.
    public init(@ViewBuilder root: () -> Root) where Data == NavigationPath { (self.root, path) = (root(), nil) }

    /// Creates a stack of the pages of a path's values.
    public init(path: Binding<NavigationPath>, @ViewBuilder root: () -> Root) where Data == NavigationPath {
        self.root = root()
        self.path = PathAccess(read: { path.wrappedValue.values }, write: { path.wrappedValue.values = $0 })
    }

    /// Creates a stack of the pages of a path's values, all of one type.
    public init(path: Binding<Data>, @ViewBuilder root: () -> Root)
    where
        Data: MutableCollection, Data: RandomAccessCollection, Data: RangeReplaceableCollection, Data.Element: Hashable
    {
        self.root = root()
        self.path = PathAccess(
            read: { path.wrappedValue.map { AnyHashable($0) } },
            write: { path.wrappedValue = Data($0.compactMap { $0.value(as: Data.Element.self) }) })
    }

    @MainActor func evaluate(_ node: Node) { StackBehaviour(node: node, path: path).evaluate(root) }
    @MainActor func output(_ node: Node) -> Output { StackBehaviour(node: node, path: path).output() }
}

/// The values whose pages a navigation stack shows, starting above the root page.
public struct NavigationPath: Equatable {
    var values: [AnyHashable] = []

    /// Creates an empty path.
    public init() {}

    /// Creates a path from values of one type.
    public init<S>(_ elements: S) where S: Sequence, S.Element: Hashable { values = elements.map { AnyHashable($0) } }

    /// The number of values.
    public var count: Int { values.count }
    /// A Boolean value that indicates whether the path has no values, so that only the root page is shown.
    public var isEmpty: Bool { values.isEmpty }
    /// Appends a value, which pushes its page.
    public mutating func append<V>(_ value: V) where V: Hashable { values.append(AnyHashable(value)) }
    /// Removes the last `k` values, or all if there are fewer.
    public mutating func removeLast(_ k: Int = 1) { values.removeLast(min(k, values.count)) }
}

struct PathAccess {
    let read: () -> [AnyHashable]
    let write: ([AnyHashable]) -> Void
}

@MainActor final class Navigator {
    weak var node: Node?
    var path: PathAccess?
    let own = StateCell<[AnyHashable]>([])
    /// While the stack is evaluated, the registration of a destination doesn't schedule another evaluation.
    var isEvaluating = false
    private var destinations: [ObjectIdentifier: (AnyHashable) -> AnyView?] = [:]

    var values: [AnyHashable] {
        get { path.map { $0.read() } ?? own.current }
        set { if let path { path.write(newValue) } else { own.set(newValue, Transaction()) } }
    }

    func register<D: Hashable>(_ type: D.Type, _ make: @escaping (D) -> AnyView) {
        destinations[ObjectIdentifier(type)] = { $0.value(as: type).map(make) }
        if let node, !isEvaluating { node.graph.follow(node) }
    }

    func view(_ value: AnyHashable) -> AnyView? {
        destinations[ObjectIdentifier(Swift.type(of: value.base))]?(value)
    }
}

@MainActor struct StackBehaviour {
    let node: Node
    let path: PathAccess?

    func evaluate<Root: View>(_ root: Root) {
        let navigator = node.memory as? Navigator ?? Navigator()
        node.memory = navigator
        navigator.node = node
        navigator.path = path
        navigator.isEvaluating = true
        defer { navigator.isEvaluating = false }
        let environment = node.environment.with { $0.navigator = navigator }
        node.child(.part("root"), PageScope(content: root, end: nil), environment: environment)
        for (index, value) in node.run({ navigator.values }).enumerated() {
            guard let view = node.run({ navigator.view(value) }) else { continue }
            let page = PageScope(content: view) { navigator.values = Array(navigator.values.prefix(index)) }
            node.child(.id(value, index), page, environment: environment)
        }
    }

    func output() -> Output {
        guard let navigator = node.memory as? Navigator, let root = node.child(.part("root")) else { return Output() }
        let values = navigator.path == nil ? navigator.own.unread : navigator.values
        let pushed = values.enumerated().compactMap { index, value -> PushedPage? in
            node.child(.id(value, index)).map { page in
                PushedPage(node: page, output: page.output) {
                    navigator.values = Array(navigator.values.prefix(index))
                }
            }
        }
        return PageStack(node: node).output(root: root, pushed: pushed)
    }
}

/// A view with two columns: a sidebar and a detail. Each column has its own navigation stack.
nonisolated public struct NavigationSplitView<Sidebar, Detail>: View where Sidebar: View, Detail: View {
    private let sidebar: Sidebar
    private let detail: Detail

    /// Creates a view with two columns.
    public init(@ViewBuilder sidebar: () -> Sidebar, @ViewBuilder detail: () -> Detail) {
        (self.sidebar, self.detail) = (sidebar(), detail())
    }

    /// The two columns, one next to the other.
    @MainActor public var body: some View {
        HStack(alignment: .top) {
            NavigationView { sidebar }
            NavigationView { detail }
        }
    }
}

nonisolated struct DestinationModification<D: Hashable, C: View>: Modification {
    let destination: (D) -> C

    @MainActor func evaluate(_ node: Node) {
        let destination = destination
        node.environment.navigator?.register(D.self) { AnyView(destination($0)) }
    }
}

nonisolated struct PushModification<C: View>: Modification {
    let page: () -> (AnyHashable, C)?
    let end: () -> Void

    @MainActor func evaluate(_ node: Node) {
        if let (id, view) = node.run(page) { node.child(.id(id, -1), PageScope(content: view, end: end)) }
    }

    @MainActor func apply(to output: inout Output, _ node: Node) {
        guard node.children.count > 1, let page = node.children.last else { return }
        output.add([PushedPage(node: page, output: page.output, back: end)], PushedKey.self)
    }
}

extension View {
    /// Registers the page that the navigation stack shows for a value of a type.
    nonisolated public func navigationDestination<D, C>(
        for data: D.Type, @ViewBuilder destination: @escaping (D) -> C
    ) -> some View where D: Hashable, C: View {
        modifier(DestinationModification(destination: destination))
    }

    /// Pushes a page while `isPresented` is true.
    nonisolated public func navigationDestination<V>(
        isPresented: Binding<Bool>, @ViewBuilder destination: () -> V
    ) -> some View where V: View {
        let view = destination()
        return modifier(
            PushModification(
                page: { isPresented.wrappedValue ? (AnyHashable(true), view) : nil },
                end: { isPresented.wrappedValue = false }))
    }

    /// Pushes the page of `item` while it isn't `nil`.
    nonisolated public func navigationDestination<D, C>(
        item: Binding<Optional<D>>, @ViewBuilder destination: @escaping (D) -> C
    ) -> some View where D: Hashable, C: View {
        modifier(
            PushModification(
                page: { item.wrappedValue.map { (AnyHashable($0), destination($0)) } },
                end: { item.wrappedValue = nil }))
    }
}
