// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A part of a user interface, described by other views.
///
/// The host evaluates `body` when the view is created, when one of its properties differs from the previous value, and
/// when a value that `body` has read changes. Don't read `body` yourself.
@MainActor @preconcurrency public protocol View {
    /// The type of the view's body.
    associatedtype Body: View

    /// The views that describe this view.
    @ViewBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

extension View where Body == Never {
    /// Traps, because built-in views don't have a body.
    public var body: Never { preconditionFailure("\(Self.self) has no body.") }
}

extension Never: View, Scene, ToolbarContent {
    /// Traps, because `Never` doesn't have a body.
    public var body: Never { return preconditionFailure("Never has no body.") }
}

@MainActor protocol Primitive: View where Body == Never {
    /// Declares the child views with `Node.child`.
    @MainActor func evaluate(_ node: Node)
    @MainActor func output(_ node: Node) -> Output
}

extension Primitive {
    @MainActor func evaluate(_ node: Node) {}
    @MainActor func output(_ node: Node) -> Output { Output(merging: node.children.map(\.output)) }
}

/// A primitive view that doesn't arrange its children: they belong to the enclosing container.
@MainActor protocol Structural: Primitive {}

/// A view without content.
nonisolated public struct EmptyView: View, Structural {
    /// Creates an empty view.
    public init() {}
}

/// The views of a builder with multiple expressions.
nonisolated public struct TupleView<T>: View, Structural {
    /// The tuple of views.
    public var value: T

    /// Creates a view from a tuple of views.
    public init(_ value: T) { self.value = value }

    @MainActor func evaluate(_ node: Node) {
        if let view = value as? any View { return node.child(.position(0), view) }
        withUnsafePointer(to: value) { pointer in
            for (position, field) in Fields.of(T.self).enumerated() {
                guard let type = field.type as? any View.Type else { continue }
                node.child(.position(position), Self.load(type, at: UnsafeRawPointer(pointer) + field.offset))
            }
        }
    }

    private static func load<V: View>(_ type: V.Type, at pointer: UnsafeRawPointer) -> any View {
        pointer.assumingMemoryBound(to: V.self).pointee
    }
}

/// A type-erased view. When the type of the view changes, it has a new identity and new state.
nonisolated public struct AnyView: View, Structural {
    let view: any View

    /// Creates a type-erased view.
    public init<V>(_ view: V) where V: View { self.view = (view as? AnyView)?.view ?? view }

    /// Creates a type-erased view.
    public init<V>(erasing view: V) where V: View { self.init(view) }

    @MainActor func evaluate(_ node: Node) { node.child(.position(0), view) }
}

/// A group of views, for use where a single view is required.
nonisolated public struct Group<Content>: View, Structural where Content: View {
    let content: Content

    /// Creates a group of views.
    public init(@ViewBuilder content: () -> Content) { self.content = content() }

    @MainActor func evaluate(_ node: Node) { node.child(.position(0), content) }
}

/// One of two views, created by `if … else` and `switch` in a builder.
nonisolated public struct _ConditionalContent<TrueContent, FalseContent>: View, Structural
where TrueContent: View, FalseContent: View {
    enum Branch {
        case first(TrueContent)
        case second(FalseContent)
    }

    let branch: Branch

    @MainActor func evaluate(_ node: Node) {
        switch branch {
        case .first(let view): node.child(.branch(0), view)
        case .second(let view): node.child(.branch(1), view)
        }
    }
}

extension Optional: View where Wrapped: View {
    /// The type of the view's body, which isn't used: the toolkit renders optional views itself.
    public typealias Body = Never
}

extension Optional: Primitive, Structural where Wrapped: View {
    @MainActor func evaluate(_ node: Node) {
        if let self { node.child(.branch(0), self) }
    }
}

/// A view that is evaluated only if it differs from its previous value by its own `==`.
nonisolated public struct EquatableView<Content>: View, Structural where Content: Equatable, Content: View {
    /// The view to compare.
    public var content: Content

    /// Creates a view that is evaluated only if it differs from its previous value.
    public init(content: Content) { self.content = content }

    @MainActor func evaluate(_ node: Node) { node.child(.position(0), content, isSame: { $0 == $1 }) }
}

extension View where Self: Equatable {
    /// Returns a view that is evaluated only if it differs from its previous value by its own `==`.
    nonisolated public func equatable() -> EquatableView<Self> { EquatableView(content: self) }
}
