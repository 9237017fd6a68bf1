// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A part of a user interface, described by other views.
///
/// The host reads `body` when the view is new, when a value of it differs from before, and when something changed that
/// `body` has read. A program never reads it.
@MainActor @preconcurrency public protocol View {
    /// The type of view that describes this one.
    associatedtype Body: View

    /// What this view consists of.
    @ViewBuilder @MainActor @preconcurrency var body: Self.Body { get }
}

extension View where Body == Never {
    /// Views that the toolkit itself knows how to show have no body.
    public var body: Never { preconditionFailure("\(Self.self) has no body.") }
}

extension Never: View, Scene, ToolbarContent {
    /// Is never read.
    public var body: Never { return preconditionFailure("Never has no body.") }
}

/// A view that the toolkit shows itself.
@MainActor protocol Primitive: View where Body == Never {
    /// Declares the views below this one, by `Node.child`.
    @MainActor func evaluate(_ node: Node)
    /// What this view makes of the outputs of the views below it.
    @MainActor func output(_ node: Node) -> Output
}

extension Primitive {
    @MainActor func evaluate(_ node: Node) {}
    @MainActor func output(_ node: Node) -> Output { Output(merging: node.children.map(\.output)) }
}

/// A primitive view that only arranges others: containers see through it.
@MainActor protocol Structural: Primitive {}

/// A view that shows nothing.
nonisolated public struct EmptyView: View, Structural {
    /// Makes a view that shows nothing.
    public init() {}
}

/// Views one after another, as a builder makes them.
nonisolated public struct TupleView<T>: View, Structural {
    /// The tuple of views.
    public var value: T

    /// Makes a view of a tuple of views.
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

/// A view of any type. Another type at the same place is another view, with state of its own.
nonisolated public struct AnyView: View, Structural {
    let view: any View

    /// Makes a view that hides the type of another.
    public init<V>(_ view: V) where V: View { self.view = (view as? AnyView)?.view ?? view }

    /// Makes a view that hides the type of another.
    public init<V>(erasing view: V) where V: View { self.init(view) }

    @MainActor func evaluate(_ node: Node) { node.child(.position(0), view) }
}

/// Views that are treated as one where a single view is wanted.
nonisolated public struct Group<Content>: View, Structural where Content: View {
    let content: Content

    /// Makes a group of the views that a builder gives.
    public init(@ViewBuilder content: () -> Content) { self.content = content() }

    @MainActor func evaluate(_ node: Node) { node.child(.position(0), content) }
}

/// One of two views, as `if … else` and `switch` in a builder make it.
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
    /// Is never read.
    public typealias Body = Never
}

extension Optional: Primitive, Structural where Wrapped: View {
    @MainActor func evaluate(_ node: Node) {
        if let self { node.child(.branch(0), self) }
    }
}

/// A view that is evaluated again only if it is not equal to the one before.
nonisolated public struct EquatableView<Content>: View, Structural where Content: Equatable, Content: View {
    /// The view that is compared.
    public var content: Content

    /// Makes a view that is compared by its own `==`.
    public init(content: Content) { self.content = content }

    @MainActor func evaluate(_ node: Node) { node.child(.position(0), content, isSame: { $0 == $1 }) }
}

extension View where Self: Equatable {
    /// Lets the view be evaluated again only if its own `==` says that it differs.
    nonisolated public func equatable() -> EquatableView<Self> { EquatableView(content: self) }
}
