// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A type that creates a view from another view.
@MainActor @preconcurrency public protocol ViewModifier {
    /// The type of the modified view.
    associatedtype Body: View

    /// The view that is modified.
    typealias Content = _ViewModifier_Content<Self>

    /// Returns the modified view.
    @ViewBuilder @MainActor @preconcurrency func body(content: Self.Content) -> Self.Body
}

extension ViewModifier where Body == Never {
    /// Traps, because built-in modifiers have no body.
    public func body(content: Self.Content) -> Never { preconditionFailure("\(Self.self) has no body.") }
}

/// A placeholder of the modified view in the body of a modifier.
nonisolated public struct _ViewModifier_Content<Modifier>: View, Structural where Modifier: ViewModifier {
    let view: any View

    @MainActor func evaluate(_ node: Node) { node.child(.position(0), view) }
}

/// A built-in modifier.
@MainActor protocol Modification: ViewModifier where Body == Never {
    /// Changes the environment of the modified view.
    @MainActor func adjust(_ environment: inout EnvironmentValues, _ node: Node)
    /// Declares additional child views, and schedules work after the pass.
    @MainActor func evaluate(_ node: Node)
    /// Changes the output of the modified view.
    @MainActor func apply(to output: inout Output, _ node: Node)
}

extension Modification {
    @MainActor func adjust(_ environment: inout EnvironmentValues, _ node: Node) {}
    @MainActor func evaluate(_ node: Node) {}
    @MainActor func apply(to output: inout Output, _ node: Node) {}
}

/// A value with a modifier.
nonisolated public struct ModifiedContent<Content, Modifier> {
    /// The modified value.
    public var content: Content
    /// The modifier.
    public var modifier: Modifier

    /// Creates modified content.
    public init(content: Content, modifier: Modifier) {
        self.content = content
        self.modifier = modifier
    }
}

extension ModifiedContent: View where Content: View, Modifier: ViewModifier {
    /// The type of the view's body. It isn't used, because the toolkit renders this view itself.
    public typealias Body = Never
}

extension ModifiedContent: Primitive where Content: View, Modifier: ViewModifier {
    @MainActor func evaluate(_ node: Node) {
        guard let modification = modifier as? any Modification else {
            return node.child(.position(0), ModifierView(modifier: modifier, content: .init(view: content)))
        }
        var environment = node.environment
        modification.adjust(&environment, node)
        let key = (modification as? IdentityModification).map { Node.Key.id($0.id, 0) } ?? .position(0)
        node.child(key, content, environment: environment)
        modification.evaluate(node)
    }

    @MainActor func output(_ node: Node) -> Output {
        guard let first = node.children.first else { return Output() }
        var output = first.output
        (modifier as? any Modification)?.apply(to: &output, node)
        return output
    }
}

/// The body of an app's modifier. The modifier's dynamic properties belong to this view.
nonisolated struct ModifierView<Modifier: ViewModifier>: View {
    var modifier: Modifier
    let content: _ViewModifier_Content<Modifier>

    @MainActor var body: Modifier.Body { modifier.body(content: content) }
}

/// A view whose first field contains dynamic properties without being one itself.
protocol HoldsProperties {}
extension ModifierView: HoldsProperties {}

/// The modifier of `id(_:)`: another value gives the view a new identity.
nonisolated struct IdentityModification: Modification {
    let id: AnyHashable

    @MainActor func apply(to output: inout Output, _ node: Node) {
        for index in output.elements.indices { output.elements[index].traits.scrollID = id }
    }
}

extension View {
    /// Applies a modifier.
    nonisolated public func modifier<T>(_ modifier: T) -> ModifiedContent<Self, T> {
        ModifiedContent(content: self, modifier: modifier)
    }

    /// Sets the identity of the view; a new value resets its state.
    nonisolated public func id<ID>(_ id: ID) -> some View where ID: Hashable {
        modifier(IdentityModification(id: AnyHashable(id)))
    }
}
