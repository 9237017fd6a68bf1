// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A modifier that creates a view from another view.
@MainActor @preconcurrency public protocol ViewModifier {
    /// The type of the modified view.
    associatedtype Body: View

    /// A placeholder for the view to modify.
    typealias Content = _ViewModifier_Content<Self>

    /// Returns the modified view.
    @ViewBuilder @MainActor @preconcurrency func body(content: Self.Content) -> Self.Body
}

extension ViewModifier where Body == Never {
    /// Traps, because built-in modifiers don't have a body.
    public func body(content: Self.Content) -> Never { preconditionFailure("\(Self.self) has no body.") }
}

/// A placeholder for the view to modify, in the body of a modifier.
nonisolated public struct _ViewModifier_Content<Modifier>: View, Structural where Modifier: ViewModifier {
    let view: any View

    @MainActor func evaluate(_ node: Node) { node.child(.position(0), view) }
}

@MainActor protocol Modification: ViewModifier where Body == Never {
    @MainActor func adjust(_ environment: inout EnvironmentValues, _ node: Node)
    /// Declares additional child views and schedules work after the pass.
    @MainActor func evaluate(_ node: Node)
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

    /// Creates a modified value.
    public init(content: Content, modifier: Modifier) {
        self.content = content
        self.modifier = modifier
    }
}

extension ModifiedContent: View where Content: View, Modifier: ViewModifier {
    /// The type of the view's body, which isn't used: the toolkit renders modified views itself.
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

/// A view, because only views install the dynamic properties of a modifier.
nonisolated struct ModifierView<Modifier: ViewModifier>: View {
    var modifier: Modifier
    let content: _ViewModifier_Content<Modifier>

    @MainActor var body: Modifier.Body { modifier.body(content: content) }
}

/// A view whose first field contains dynamic properties without being a dynamic property itself.
protocol HoldsProperties {}
extension ModifierView: HoldsProperties {}

nonisolated struct IdentityModification: Modification {
    let id: AnyHashable

    @MainActor func apply(to output: inout Output, _ node: Node) {
        for index in output.elements.indices { output.elements[index].traits.scrollID = id }
    }
}

extension View {
    /// Returns the view with a modifier applied.
    nonisolated public func modifier<T>(_ modifier: T) -> ModifiedContent<Self, T> {
        ModifiedContent(content: self, modifier: modifier)
    }

    /// Sets the identity of the view. When the identity changes, the view's state is reset.
    nonisolated public func id<ID>(_ id: ID) -> some View where ID: Hashable {
        modifier(IdentityModification(id: AnyHashable(id)))
    }
}
