// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import Observation

/// A view at one position in the tree. It owns the state that persists across the values of the view.
@MainActor package class Node {
    /// A node's identity also includes the type of its view.
    enum Key: Hashable {
        case position(Int)
        case branch(Int)
        /// An identity set by the app, and the index among equal ones.
        case id(AnyHashable, Int)
        case part(String)
    }

    enum Visibility {
        case inherited
        case hidden
        /// Visible while another node is, as is a page that is pushed from a page below it.
        case with(Node)
    }

    /// The node whose view is being evaluated. Used on the main thread only.
    nonisolated(unsafe) private(set) static var current: Node?

    unowned let graph: Graph
    private(set) weak var parent: Node?
    let key: Key
    let depth: Int
    let serial: Int
    fileprivate(set) var environment: EnvironmentValues
    private(set) var children: [Node] = []
    private(set) package var output = Output()
    var slots: [AnyObject?] = []
    /// Used instead of `slots` if the properties outlive the node.
    fileprivate(set) var shared: SharedSlots?
    /// The storage of a primitive view.
    var memory: AnyObject?
    var visibility = Visibility.inherited
    var lifecycle = Lifecycle()
    private(set) var isAlive = true

    private var evaluationCount = 0
    private var sources: [ObjectIdentifier: any ReadableSource] = [:]
    private var subscriptions: [ObjectIdentifier: Subscription] = [:]
    fileprivate var environmentReads: Set<ObjectIdentifier> = []
    private var needsOutput = true
    private var elementIDs: [AnyHashable: ElementID] = [:]
    /// The children of the previous evaluation that this evaluation hasn't yet declared.
    private var previous = Previous([])

    private struct Subscription {
        let object: AnyObject
        let cancellable: Any
        var isWanted: Bool
    }

    init(graph: Graph, parent: Node?, key: Key, environment: EnvironmentValues) {
        self.graph = graph
        self.parent = parent
        self.key = key
        self.environment = environment
        depth = (parent?.depth ?? -1) + 1
        serial = graph.nextSerial()
    }

    var viewType: Any.Type { Never.self }
    /// Whether containers treat the node's children as their own.
    var isTransparent: Bool { true }
    fileprivate func evaluateView() {}
    fileprivate func makeOutput() -> Output { Output() }
    fileprivate func inherit(_ environment: EnvironmentValues) {}
}

// MARK: - Evaluation

extension Node {
    func evaluate() {
        graph.didEvaluate(self)
        evaluationCount += 1
        forgetSources()
        for id in subscriptions.keys { subscriptions[id]?.isWanted = false }
        previous = Previous(children)
        children = []
        evaluateView()
        for node in previous.nodes { node?.leave() }
        previous = Previous([])
        subscriptions = subscriptions.filter(\.value.isWanted)
        markOutput()
    }

    /// Records the values that app code reads. A change of these values invalidates the node.
    func run<T>(_ body: () -> T) -> T {
        let previous = Node.current
        Node.current = self
        defer { Node.current = previous }
        let count = evaluationCount
        return withObservationTracking(body) { [weak self] in
            Node.onMain { if let self, self.evaluationCount == count { self.invalidate("an observed property") } }
        }
    }

    /// Can be called from any thread.
    nonisolated func invalidate(_ reason: String) {
        Node.onMain { [weak self] in
            guard let self, isAlive else { return }
            graph.invalidate(self, reason)
        }
    }

    /// Runs the closure synchronously on the main thread, or asynchronously from any other.
    nonisolated static func onMain(_ body: @escaping @MainActor @Sendable () -> Void) {
        if MainPlace.isHere {
            MainActor.assumeIsolated(body)
        } else {
            DispatchQueue.main.async { MainActor.assumeIsolated(body) }
        }
    }

    /// `nil` on other threads than the main thread.
    nonisolated static var reader: Node? { MainPlace.isHere ? current : nil }

    /// Reuses the node of the previous evaluation with the same key and type.
    func child<V: View>(
        _ key: Key, _ view: V, environment: EnvironmentValues? = nil, isSame: ((V, V) -> Bool)? = nil
    ) {
        let environment = environment ?? self.environment
        if let kept = previous.take(key, where: { $0.viewType == V.self }) as? ViewNode<V> {
            children.append(kept)
            kept.update(view, environment, isSame ?? Comparison.areSame)
        } else {
            let made = ViewNode(view, graph: graph, parent: self, key: key, environment: environment)
            children.append(made)
            made.evaluate()
        }
    }

    /// Declares the child of the previous evaluation unchanged. Returns whether it exists.
    func keepChild(_ key: Key) -> Bool {
        guard let kept = previous.take(key, where: { _ in true }) else { return false }
        children.append(kept)
        kept.inherit(environment)
        return true
    }

    func child(_ key: Key) -> Node? { children.first { $0.key == key } }

    /// The nodes that a container arranges. A structural node is replaced by its children.
    var units: [Node] { children.flatMap { $0.isTransparent ? $0.units : [$0] } }
}

// MARK: - Dependencies

extension Node {
    func depend(on source: any ReadableSource) {
        sources[ObjectIdentifier(source)] = source
    }

    private func forgetSources() {
        for source in sources.values { source.forget(self) }
        sources = [:]
        environmentReads = []
    }

    /// The subscription ends when an evaluation of the node doesn't use the object.
    func subscribe(to object: AnyObject, _ make: () -> Any) {
        let id = ObjectIdentifier(object)
        if subscriptions[id] != nil {
            subscriptions[id]?.isWanted = true
        } else {
            subscriptions[id] = Subscription(object: object, cancellable: make(), isWanted: true)
        }
    }

    /// A change of the value evaluates the node again.
    func read<Value>(_ keyPath: KeyPath<EnvironmentValues, Value>) -> Value {
        let (value, keys) = EnvironmentValues.recordingReads { environment[keyPath: keyPath] }
        environmentReads.formUnion(keys)
        return value
    }

    /// Another object evaluates the node again.
    func readObject<T: AnyObject>(_ type: T.Type) -> T? {
        environmentReads.insert(ObjectIdentifier(type))
        return environment.object(type)
    }
}

// MARK: - Output

extension Node {
    /// The outputs of this node and its ancestors are rebuilt at the end of this pass.
    func markOutput() {
        var node: Node? = self
        while let marked = node, !marked.needsOutput || marked === self {
            marked.needsOutput = true
            node = marked.parent
        }
    }

    func refreshOutput() {
        guard needsOutput else { return }
        needsOutput = false
        for child in children { child.refreshOutput() }
        graph.forgetHandlers(of: self)
        output = makeOutput()
    }

    /// The identifier is stable while the node is in the tree.
    func elementID(_ part: AnyHashable = 0) -> ElementID {
        if let id = elementIDs[part] { return id }
        let id = graph.nextElementID(for: self)
        elementIDs[part] = id
        return id
    }

    func element(_ kind: Element.Kind, part: AnyHashable = 0, _ children: [Element] = []) -> Element {
        var element = Element(id: elementID(part), kind: kind)
        // The additional actions of a child, such as a context menu, follow the child.
        for var child in children {
            let actions = child.traits.rowActions
            child.traits.rowActions = []
            element.children.append(child)
            element.children += actions
        }
        return element
    }

    func handle(_ action: ActionKind, of element: inout Element, _ handler: @escaping @MainActor (ActionValue) -> Void)
    {
        element.actions.insert(action)
        graph.handle(action, of: element.id, by: self, handler)
    }

    /// Whether the node is on the top page and in the selected tab.
    var isShown: Bool {
        guard isAlive else { return false }
        switch visibility {
        case .hidden: return false
        case .with(let node): return node.isShown
        case .inherited: return parent?.isShown ?? true
        }
    }

    func leave() {
        guard isAlive else { return }
        isAlive = false
        for child in children { child.leave() }
        forgetSources()
        subscriptions = [:]
        graph.didLeave(self, Array(elementIDs.values))
        // Breaks reference cycles: handlers of elements retain their node, and a page retains the node that presents
        // it.
        output = Output()
        visibility = .hidden
    }
}

/// Children are usually declared in the same order again, so the next one is tried first.
private struct Previous {
    private(set) var nodes: [Node?]
    private var next = 0
    private var places: [Node.Key: Int]?

    init(_ nodes: [Node]) { self.nodes = nodes }

    @MainActor mutating func take(_ key: Node.Key, where isWanted: (Node) -> Bool) -> Node? {
        guard let place = place(of: key), let node = nodes[place], isWanted(node) else { return nil }
        nodes[place] = nil
        next = place + 1
        return node
    }

    @MainActor private mutating func place(of key: Node.Key) -> Int? {
        if next < nodes.count, nodes[next]?.key == key { return next }
        if nodes.count < 4 { return nodes.firstIndex { $0?.key == key } }
        if places == nil {
            places = [:]
            for (place, node) in nodes.enumerated() { if let node { places?[node.key] = place } }
        }
        return places?[key]
    }
}

protocol ReadableSource: AnyObject {
    func forget(_ node: Node)
}

@MainActor final class ViewNode<V: View>: Node {
    private var view: V
    private let primitive: (any Primitive.Type)?

    init(_ view: V, graph: Graph, parent: Node?, key: Key, environment: EnvironmentValues) {
        self.view = view
        primitive = V.self as? any Primitive.Type
        super.init(graph: graph, parent: parent, key: key, environment: environment)
        shared = (view as? any SharesSlots)?.shared
    }

    override var viewType: Any.Type { V.self }
    override var isTransparent: Bool { primitive == nil || primitive is any Structural.Type }

    func update(_ new: V, _ environment: EnvironmentValues, _ isSame: (V, V) -> Bool) {
        if isSame(view, new) { return inherit(environment) }
        self.environment = environment
        view = new
        evaluate()
    }

    fileprivate override func inherit(_ new: EnvironmentValues) {
        let changed = new.keysDifferent(from: environment)
        guard !changed.isEmpty else { return }
        environment = new
        if primitive != nil || !changed.isDisjoint(with: environmentReads) {
            evaluate()
        } else {
            for child in children { child.inherit(new) }
        }
    }

    fileprivate override func evaluateView() {
        if primitive != nil {
            (view as? any Primitive)?.evaluate(self)
        } else {
            graph.count(V.self)
            var index = 0
            run {
                withUnsafeMutablePointer(to: &view) {
                    PropertyField.connect(PropertyField.of(V.self), at: $0, self, &index)
                }
            }
            child(.position(0), run { view.body })
        }
    }

    fileprivate override func makeOutput() -> Output {
        (view as? any Primitive)?.output(self) ?? children.first?.output ?? Output()
    }
}
