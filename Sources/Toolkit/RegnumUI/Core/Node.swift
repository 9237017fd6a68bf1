// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import Observation

/// One view at one place. It owns what survives from one value of the view to the next.
@MainActor package class Node {
    /// A step of a node's identity. The type of the view belongs to it too.
    enum Key: Hashable {
        case position(Int)
        case branch(Int)
        /// An identity that the program gives, and which of several equal ones it is.
        case id(AnyHashable, Int)
        case part(String)
    }

    /// Whether a node is shown if the node above is.
    enum Visibility {
        case inherited
        case hidden
        /// Shown whenever another node is: a page that was pushed from a page below.
        case with(Node)
    }

    /// The node whose view is being evaluated, on the main thread only.
    nonisolated(unsafe) private(set) static var current: Node?

    unowned let graph: Graph
    private(set) weak var parent: Node?
    let key: Key
    let depth: Int
    let serial: Int
    fileprivate(set) var environment: EnvironmentValues
    private(set) var children: [Node] = []
    private(set) package var output = Output()
    /// What dynamic properties keep.
    var slots: [AnyObject?] = []
    /// What they keep instead, where they live longer than the node.
    fileprivate(set) var shared: SharedSlots?
    /// What a primitive view keeps.
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
    /// The children of the evaluation before, without those that were declared again.
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

    /// The type of the view. Subclasses know it.
    var viewType: Any.Type { Never.self }
    /// Whether containers see through the view.
    var isTransparent: Bool { true }
    fileprivate func evaluateView() {}
    fileprivate func makeOutput() -> Output { Output() }
    fileprivate func inherit(_ environment: EnvironmentValues) {}
}

// MARK: - Evaluation

extension Node {
    /// Evaluates the view, and what follows from it below.
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

    /// Runs a program's code, and remembers what it reads: a change of that evaluates the node again.
    func run<T>(_ body: () -> T) -> T {
        let previous = Node.current
        Node.current = self
        defer { Node.current = previous }
        let count = evaluationCount
        return withObservationTracking(body) { [weak self] in
            Node.onMain { if let self, self.evaluationCount == count { self.invalidate("an observed property") } }
        }
    }

    /// Evaluates the node again in this turn. Any thread may ask.
    nonisolated func invalidate(_ reason: String) {
        Node.onMain { [weak self] in
            guard let self, isAlive else { return }
            graph.invalidate(self, reason)
        }
    }

    /// Runs now on the main thread, soon from any other.
    nonisolated static func onMain(_ body: @escaping @MainActor @Sendable () -> Void) {
        if MainPlace.isHere {
            MainActor.assumeIsolated(body)
        } else {
            DispatchQueue.main.async { MainActor.assumeIsolated(body) }
        }
    }

    /// The node that reads now, if this is the main thread.
    nonisolated static var reader: Node? { MainPlace.isHere ? current : nil }

    /// Declares a view below this one.
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

    /// Declares again a view that stays as it is, and says whether there was one.
    func keepChild(_ key: Key) -> Bool {
        guard let kept = previous.take(key, where: { _ in true }) else { return false }
        children.append(kept)
        kept.inherit(environment)
        return true
    }

    /// The node below with a key.
    func child(_ key: Key) -> Node? { children.first { $0.key == key } }

    /// The nodes that a container sees: it looks through those that only arrange others.
    var units: [Node] { children.flatMap { $0.isTransparent ? $0.units : [$0] } }
}

// MARK: - What a node depends on

extension Node {
    /// Remembers that the view has read something.
    func depend(on source: any ReadableSource) {
        sources[ObjectIdentifier(source)] = source
    }

    private func forgetSources() {
        for source in sources.values { source.forget(self) }
        sources = [:]
        environmentReads = []
    }

    /// Keeps one subscription per object for as long as evaluations ask for it.
    func subscribe(to object: AnyObject, _ make: () -> Any) {
        let id = ObjectIdentifier(object)
        if subscriptions[id] != nil {
            subscriptions[id]?.isWanted = true
        } else {
            subscriptions[id] = Subscription(object: object, cancellable: make(), isWanted: true)
        }
    }

    /// Reads a value of the environment.
    func read<Value>(_ keyPath: KeyPath<EnvironmentValues, Value>) -> Value {
        let (value, keys) = EnvironmentValues.recordingReads { environment[keyPath: keyPath] }
        environmentReads.formUnion(keys)
        return value
    }

    /// Reads an object of the environment.
    func readObject<T: AnyObject>(_ type: T.Type) -> T? {
        environmentReads.insert(ObjectIdentifier(type))
        return environment.object(type)
    }
}

// MARK: - Output

extension Node {
    /// Lets the output be made anew at the end of this pass, with those of the nodes above.
    func markOutput() {
        var node: Node? = self
        while let marked = node, !marked.needsOutput || marked === self {
            marked.needsOutput = true
            node = marked.parent
        }
    }

    /// Makes anew what was marked.
    func refreshOutput() {
        guard needsOutput else { return }
        needsOutput = false
        for child in children { child.refreshOutput() }
        graph.forgetHandlers(of: self)
        output = makeOutput()
    }

    /// The identity of an element that this node makes. It stays while the node lives.
    func elementID(_ part: AnyHashable = 0) -> ElementID {
        if let id = elementIDs[part] { return id }
        let id = graph.nextElementID(for: self)
        elementIDs[part] = id
        return id
    }

    /// An element that this node makes.
    func element(_ kind: Element.Kind, part: AnyHashable = 0, _ children: [Element] = []) -> Element {
        var element = Element(id: elementID(part), kind: kind)
        // What a view can do beside what it shows, a context menu, stands behind it.
        for var child in children {
            let actions = child.traits.rowActions
            child.traits.rowActions = []
            element.children.append(child)
            element.children += actions
        }
        return element
    }

    /// Lets an element do something when the user acts on it.
    func handle(_ action: ActionKind, of element: inout Element, _ handler: @escaping @MainActor (ActionValue) -> Void)
    {
        element.actions.insert(action)
        graph.handle(action, of: element.id, by: self, handler)
    }

    /// Whether the user sees the node: it is on the top page and in the selected tab.
    var isShown: Bool {
        guard isAlive else { return false }
        switch visibility {
        case .hidden: return false
        case .with(let node): return node.isShown
        case .inherited: return parent?.isShown ?? true
        }
    }

    /// Ends the node and all below.
    func leave() {
        guard isAlive else { return }
        isAlive = false
        for child in children { child.leave() }
        forgetSources()
        subscriptions = [:]
        graph.didLeave(self, Array(elementIDs.values))
        // What elements do holds the node that does it, and a page the node that shows it.
        output = Output()
        visibility = .hidden
    }
}

/// The children of an evaluation before. They come mostly in the order of before, so that the next one is the one.
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

/// What a node reads, to be told of changes.
protocol ReadableSource: AnyObject {
    /// Tells the node no longer.
    func forget(_ node: Node)
}

/// A node of a type of view.
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

    /// Takes another value of the view and another environment, and evaluates only if that makes a difference.
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
