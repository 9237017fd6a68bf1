// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Makes another view of a view.
@MainActor @preconcurrency public protocol ViewModifier {
    /// The type of view that the modifier makes.
    associatedtype Body: View

    /// The view that is modified.
    typealias Content = _ViewModifier_Content<Self>

    /// What the modifier makes of a view.
    @ViewBuilder @MainActor @preconcurrency func body(content: Self.Content) -> Self.Body
}

extension ViewModifier where Body == Never {
    /// Modifiers that the toolkit itself knows have no body.
    public func body(content: Self.Content) -> Never { preconditionFailure("\(Self.self) has no body.") }
}

/// The place of the modified view in the body of a modifier.
nonisolated public struct _ViewModifier_Content<Modifier>: View, Structural where Modifier: ViewModifier {
    let view: any View

    @MainActor func evaluate(_ node: Node) { node.child(.position(0), view) }
}

/// A modifier that the toolkit applies itself.
@MainActor protocol Modification: ViewModifier where Body == Never {
    /// Changes the environment of the view below.
    @MainActor func adjust(_ environment: inout EnvironmentValues, _ node: Node)
    /// Declares views beside the modified one, and remembers what must be done after the pass.
    @MainActor func evaluate(_ node: Node)
    /// What becomes of the output of the modified view.
    @MainActor func apply(to output: inout Output, _ node: Node)
}

extension Modification {
    @MainActor func adjust(_ environment: inout EnvironmentValues, _ node: Node) {}
    @MainActor func evaluate(_ node: Node) {}
    @MainActor func apply(to output: inout Output, _ node: Node) {}
}

/// A value and a modifier of it.
nonisolated public struct ModifiedContent<Content, Modifier> {
    /// What is modified.
    public var content: Content
    /// What modifies it.
    public var modifier: Modifier

    /// Makes the pair.
    public init(content: Content, modifier: Modifier) {
        self.content = content
        self.modifier = modifier
    }
}

extension ModifiedContent: View where Content: View, Modifier: ViewModifier {
    /// Is never read.
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

/// The body of a modifier that a program declares: its properties are those of this view.
nonisolated struct ModifierView<Modifier: ViewModifier>: View {
    var modifier: Modifier
    let content: _ViewModifier_Content<Modifier>

    @MainActor var body: Modifier.Body { modifier.body(content: content) }
}

/// The type of a view whose first field holds properties without being one.
protocol HoldsProperties {}
extension ModifierView: HoldsProperties {}

/// The modifier of `id(_:)`: another value is another view.
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

    /// Gives the view an identity; another value makes it anew, with new state.
    nonisolated public func id<ID>(_ id: ID) -> some View where ID: Hashable {
        modifier(IdentityModification(id: AnyHashable(id)))
    }
}
