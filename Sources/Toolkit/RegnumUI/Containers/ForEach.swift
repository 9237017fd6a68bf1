// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Views of the elements of a collection. The state of a view belongs to the identity of its element.
nonisolated public struct ForEach<Data, ID, Content> where Data: RandomAccessCollection, ID: Hashable {
    /// The collection.
    public var data: Data
    /// Creates the view of an element.
    public var content: (Data.Element) -> Content
    let id: (Data.Element) -> ID

    init(_ data: Data, id: @escaping (Data.Element) -> ID, content: @escaping (Data.Element) -> Content) {
        (self.data, self.id, self.content) = (data, id, content)
    }
}

@MainActor final class ForEachState {
    /// The number of elements that a list initially shows, and by which each request for more increases it.
    static let window = 200

    var limit = ForEachState.window
    var ids: [Identity] = []
    var count = 0
    /// Whether this evaluation only adds elements, so that the existing views aren't evaluated.
    var isGrowing = false

    struct Identity: Hashable {
        let id: AnyHashable
        let occurrence: Int
    }

    func offset(of member: Traits.Member?) -> Int? {
        member.flatMap { ids.firstIndex(of: Identity(id: $0.id, occurrence: $0.occurrence)) }
    }
}

extension ForEach: View where Content: View {
    /// The type of the view's body, which isn't used: the toolkit renders `ForEach` itself.
    public typealias Body = Never
}

extension ForEach: Primitive, Structural where Content: View {
    @MainActor func evaluate(_ node: Node) {
        let state = node.memory as? ForEachState ?? ForEachState()
        node.memory = state
        // App code that runs in this method may change a live collection.
        let data = (data as? any SnapshotCollection)?.snapshot() as? Data ?? data
        let isGrowing = state.isGrowing
        state.isGrowing = false
        let limit = node.environment.isLazy ? state.limit : Int.max
        // Reading `count` observes the collection itself, which may be a live collection under Observation.
        let elements = node.run {
            state.count = data.count
            return Array(data.prefix(limit))
        }
        var occurrences: [AnyHashable: Int] = [:]
        var ids: [ForEachState.Identity] = []
        for element in elements {
            let id = AnyHashable(node.run { self.id(element) })
            let occurrence = occurrences[id, default: 0]
            occurrences[id] = occurrence + 1
            if occurrence == 1 { node.graph.logOnce("A ForEach has elements of equal identity.", node) }
            ids.append(.init(id: id, occurrence: occurrence))
            let key = Node.Key.id(id, occurrence)
            if isGrowing, node.keepChild(key) { continue }
            node.child(key, node.run { content(element) })
        }
        state.ids = ids
    }

    @MainActor func output(_ node: Node) -> Output {
        guard let state = node.memory as? ForEachState else { return Output() }
        var output = Output()
        for (child, identity) in zip(node.children, state.ids) {
            var part = child.output
            for index in part.elements.indices {
                part.elements[index].traits.members[ObjectIdentifier(node)] = .init(
                    id: identity.id, occurrence: identity.occurrence)
                if part.elements[index].traits.tag == nil { part.elements[index].traits.tag = identity.id }
            }
            output.append(part)
        }
        if node.environment.isLazy, state.limit < state.count {
            output.add(
                [
                    { [weak node] in
                        state.limit += ForEachState.window
                        state.isGrowing = true
                        if let node { node.graph.follow(node) }
                    }
                ], MoreKey.self)
        }
        return output
    }
}

/// A live collection that can return an immutable copy of itself.
package protocol SnapshotCollection {
    func snapshot() -> Self
}

extension ForEach where ID == Data.Element.ID, Content: View, Data.Element: Identifiable {
    /// Creates a view for each element, identified by its `id`.
    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {
        self.init(data, id: { $0.id }, content: content)
    }
}

extension ForEach where Content: View {
    /// Creates a view for each element, identified by the property at a key path.
    public init(
        _ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content
    ) {
        self.init(data, id: { $0[keyPath: id] }, content: content)
    }

    /// Creates a view for a binding to each element, identified by its `id`.
    public init<C>(_ data: Binding<C>, @ViewBuilder content: @escaping (Binding<C.Element>) -> Content)
    where
        Data == [BindingElement<C>], ID == C.Element.ID, C: MutableCollection, C: RandomAccessCollection,
        C.Element: Identifiable, C.Index: Hashable
    {
        self.init(BindingElement.all(data), id: { $0.element.id }) { content($0.binding) }
    }

    /// Creates a view for a binding to each element, identified by the property at a key path.
    public init<C>(
        _ data: Binding<C>, id: KeyPath<C.Element, ID>,
        @ViewBuilder content: @escaping (Binding<C.Element>) -> Content
    ) where Data == [BindingElement<C>], C: MutableCollection, C: RandomAccessCollection, C.Index: Hashable {
        self.init(BindingElement.all(data), id: { $0.element[keyPath: id] }) { content($0.binding) }
    }
}

extension ForEach where Data == Range<Int>, ID == Int, Content: View {
    /// Creates a view for each integer of a range.
    public init(_ data: Range<Int>, @ViewBuilder content: @escaping (Int) -> Content) {
        self.init(data, id: { $0 }, content: content)
    }
}

/// An element of a bound collection, with the binding to it. After the element is removed, the binding returns the last
/// value.
public struct BindingElement<C> where C: MutableCollection, C: RandomAccessCollection, C.Index: Hashable {
    let element: C.Element
    let binding: Binding<C.Element>

    static func all(_ data: Binding<C>) -> [BindingElement] {
        let now = data.wrappedValue
        return now.indices.map {
            BindingElement(element: now[$0], binding: data.element(at: $0, AnyHashable($0), now[$0]))
        }
    }
}

/// A view created from a collection, whose rows the user can delete and move.
@MainActor @preconcurrency public protocol DynamicViewContent<Data>: View {
    /// The type of the collection.
    associatedtype Data: Collection
    /// The collection.
    var data: Self.Data { get }
}

extension ForEach: DynamicViewContent where Content: View {}

extension ModifiedContent: DynamicViewContent where Content: DynamicViewContent, Modifier: ViewModifier {
    /// The collection.
    @MainActor public var data: Content.Data { content.data }
}

nonisolated struct RowEditModification: Modification {
    var delete: ((IndexSet) -> Void)?
    var move: ((IndexSet, Int) -> Void)?

    @MainActor func apply(to output: inout Output, _ node: Node) {
        var below: Node? = node
        while let next = below, !(next.memory is ForEachState) { below = next.children.first }
        guard let below, let state = below.memory as? ForEachState else { return }
        let key = ObjectIdentifier(below)
        for index in output.elements.indices {
            guard let member = output.elements[index].traits.members[key] else { continue }
            if let delete {
                output.elements[index].traits.delete = {
                    if let offset = state.offset(of: member) { delete(IndexSet(integer: offset)) }
                }
            }
            if let move {
                output.elements[index].traits.move = { next in
                    guard let source = state.offset(of: member) else { return }
                    let target = next.map { state.offset(of: $0.traits.members[key]) } ?? state.ids.count
                    if let target, target != source, target != source + 1 { move(IndexSet(integer: source), target) }
                }
            }
        }
    }
}

extension DynamicViewContent {
    /// Runs an action when the user deletes a row. The action receives the row's offset in the collection.
    nonisolated public func onDelete(perform action: Optional<(IndexSet) -> Void>) -> some DynamicViewContent {
        ModifiedContent(content: self, modifier: RowEditModification(delete: action))
    }

    /// Runs an action when the user moves a row. The action receives the row's offset in the collection and the offset
    /// of its new position, as for `move(fromOffsets:toOffset:)`.
    nonisolated public func onMove(perform action: Optional<(IndexSet, Int) -> Void>) -> some DynamicViewContent {
        ModifiedContent(content: self, modifier: RowEditModification(move: action))
    }
}
