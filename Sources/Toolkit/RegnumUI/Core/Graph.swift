// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch

/// The tree of nodes of one window, and the turns in which it follows changes.
@MainActor package final class Graph {
    /// Passes of one turn, before the host takes a program to change its state for ever.
    private static let maximumPassCount = 20

    private(set) package var root: Node!
    private var dirty: [ObjectIdentifier: Node] = [:]
    private var lateDirty: [ObjectIdentifier: Node] = [:]
    private var isFlushing = false
    private var isEvaluating = false
    private var isScheduled = false
    private var lastSerial = 0
    private var lastElementID: ElementID = 0
    private var owners: [ElementID: Unowned] = [:]
    private var handlers: [ElementID: [Registered]] = [:]
    private var handled: [ObjectIdentifier: Set<ElementID>] = [:]
    private var counts: [ObjectIdentifier: Int] = [:]
    private var lifecycles: [Int: Node] = [:]
    private var afterPass: [@MainActor () -> Void] = []
    private var departures: [@MainActor () -> Void] = []
    private var loggedOnce: Set<String> = []
    private(set) package var log: [String] = []
    /// Why nodes were to be evaluated, the last thousand times.
    private(set) package var changes: [String] = []

    /// Counts turns that had something to do, so that a host sees whether it is at rest.
    private(set) package var turnCount = 0
    /// Actions of the program that have not returned.
    package var runningActionCount = 0
    /// The size of the window.
    private(set) package var size: CGSize
    /// What else the page says of its window.
    private var facts = WindowFacts()
    /// How large elements are that the program has asked for.
    private var measured: [ElementID: CGSize] = [:]
    /// How far the clock of this window is ahead; a test moves it.
    package var clockOffset: TimeInterval = 0
    /// The texts that follow the clock.
    var tickers: [ObjectIdentifier: Ticker] = [:]
    /// The element that the program wants in sight.
    package var scrollTarget: ElementID?
    /// What `SceneStorage` keeps.
    var sceneStorage: [String: AnyObject] = [:]
    /// The control that has the focus.
    package var focused: ElementID?
    /// Is told the tree of elements when a turn has changed it.
    package var didChange: ((Element) -> Void)?
    /// Opens an address.
    package var openAddress: (URL) -> Void = { _ in }

    private struct Unowned { unowned let node: Node }

    private struct Registered {
        let action: ActionKind
        let owner: ObjectIdentifier
        let handler: @MainActor (ActionValue) -> Void
    }

    /// Makes the tree of a view, and runs its first turn.
    package init<V: View>(_ view: V, size: CGSize, environment: (inout EnvironmentValues) -> Void = { _ in }) {
        self.size = size
        var values = EnvironmentValues()
        environment(&values)
        let node = ViewNode(RootView(content: view), graph: self, parent: nil, key: .position(0), environment: values)
        root = node
        isFlushing = true
        isEvaluating = true
        node.evaluate()
        isEvaluating = false
        isFlushing = false
        flush()
    }

    /// The elements of the window; nothing is in it once it is closed.
    package var element: Element { root.output.elements.first ?? Element(id: 0, kind: .group) }

    /// Ends the window: tasks are cancelled, `onDisappear` runs, subscriptions end.
    package func close() {
        guard root.isAlive else { return }
        root.leave()
        for departure in departures { departure() }
        departures = []
        dirty = [:]
        handlers = [:]
    }
}

// MARK: - Turns

extension Graph {
    /// Lets a node be evaluated in this turn, or, while an evaluation runs, in the pass after it.
    func invalidate(_ node: Node, _ reason: String) {
        changes.append("\(node.viewType): \(reason)")
        if changes.count > 1000 { changes.removeFirst(500) }
        if isEvaluating {
            logOnce("Modifying state during view update: \(node.viewType).", node)
            lateDirty[ObjectIdentifier(node)] = node
        } else {
            dirty[ObjectIdentifier(node)] = node
        }
        schedule()
    }

    /// Lets a node be evaluated in this pass, for reasons of the toolkit's own.
    func follow(_ node: Node) {
        guard node.isAlive else { return }
        dirty[ObjectIdentifier(node)] = node
        schedule()
    }

    func didEvaluate(_ node: Node) { dirty[ObjectIdentifier(node)] = nil }

    private func schedule() {
        guard !isScheduled, !isFlushing else { return }
        isScheduled = true
        DispatchQueue.main.async { [weak self] in
            MainActor.assumeIsolated { self?.flush() }
        }
    }

    /// Runs something after the tree of this pass is final.
    func afterPass(_ action: @escaping @MainActor () -> Void) { afterPass.append(action) }

    /// Evaluates what changed, parents before children, until nothing is left. Then the host is told, once.
    package func flush() {
        isScheduled = false
        guard !isFlushing, root.isAlive else { return }
        isFlushing = true
        turnCount += dirty.isEmpty && afterPass.isEmpty ? 0 : 1
        var passes = 0
        repeat {
            evaluateDirty()
            root.refreshOutput()
            runActions()
            passes += 1
        } while hasWork && passes < Self.maximumPassCount
        if hasWork {
            add("The state changed in \(passes) passes one after another; the host stops here.")
            (dirty, lateDirty, afterPass) = ([:], [:], [])
        }
        isFlushing = false
        didChange?(element)
    }

    private var hasWork: Bool { !dirty.isEmpty || !lateDirty.isEmpty || !afterPass.isEmpty }

    private func evaluateDirty() {
        dirty.merge(lateDirty) { $1 }
        lateDirty = [:]
        isEvaluating = true
        while !dirty.isEmpty {
            let round = dirty.values.sorted { ($0.depth, $0.serial) < ($1.depth, $1.serial) }
            for node in round where dirty[ObjectIdentifier(node)] != nil {
                dirty[ObjectIdentifier(node)] = nil
                if node.isAlive { node.evaluate() }
            }
        }
        isEvaluating = false
    }

    /// What left comes first, then what came, then changes of values, then tasks.
    private func runActions() {
        let departed = departures
        departures = []
        for action in departed { action() }
        let nodes = lifecycles.sorted { $0.key < $1.key }.map(\.value)
        let shown = nodes.map { ($0, $0.isShown) }
        for (node, isShown) in shown where !isShown { node.lifecycle.hide() }
        for (node, isShown) in shown where isShown { node.lifecycle.show() }
        let actions = afterPass
        afterPass = []
        for action in actions { action() }
        for (node, isShown) in shown where isShown { node.lifecycle.startTask(of: node) }
    }
}

// MARK: - Nodes and elements

extension Graph {
    func nextSerial() -> Int {
        lastSerial += 1
        return lastSerial
    }

    func nextElementID(for node: Node) -> ElementID {
        lastElementID += 1
        owners[lastElementID] = Unowned(node: node)
        return lastElementID
    }

    /// Watches whether a node is shown.
    func follow(lifecycleOf node: Node) { lifecycles[node.serial] = node }

    func didLeave(_ node: Node, _ elements: [ElementID]) {
        dirty[ObjectIdentifier(node)] = nil
        lateDirty[ObjectIdentifier(node)] = nil
        if lifecycles.removeValue(forKey: node.serial) != nil { departures.append { node.lifecycle.hide() } }
        forgetHandlers(of: node)
        for id in elements {
            owners[id] = nil
            measured[id] = nil
        }
        if let focused, elements.contains(focused) { self.focused = nil }
    }

    func forgetHandlers(of node: Node) {
        guard let elements = handled.removeValue(forKey: ObjectIdentifier(node)) else { return }
        for id in elements {
            handlers[id]?.removeAll { $0.owner == ObjectIdentifier(node) }
            if handlers[id]?.isEmpty == true { handlers[id] = nil }
        }
    }

    func handle(
        _ action: ActionKind, of element: ElementID, by node: Node,
        _ handler: @escaping @MainActor (ActionValue) -> Void
    ) {
        handled[ObjectIdentifier(node), default: []].insert(element)
        handlers[element, default: []].append(
            Registered(action: action, owner: ObjectIdentifier(node), handler: handler))
    }

    /// What an element does when the user acts on it.
    func handlers(_ action: ActionKind, of element: ElementID) -> [@MainActor (ActionValue) -> Void] {
        (handlers[element] ?? []).filter { $0.action == action }.map(\.handler)
    }

    /// Handles an event to its end. Says false, and does nothing, if the element is gone, cannot do that, or is
    /// disabled: a page that lags behind may ask for what is no more.
    @discardableResult
    package func perform(_ action: ActionKind, on id: ElementID, _ value: ActionValue = .none) -> Bool {
        flush()
        guard let element = element.first(where: { $0.id == id }), element.actions.contains(action),
            element.state[.disabled] != .bool(true)
        else { return false }
        // What is left has lost the focus, and its handlers know already.
        if action == .focus, value == .bool(false) {
            if focused == id { moveFocus(to: nil) }
            return true
        }
        if action == .focus || action == .input || action == .tap { moveFocus(to: action == .tap ? nil : id) }
        for handler in handlers(action, of: id) { handler(value) }
        turnCount += 1
        flush()
        return true
    }

    /// Moves the focus, and tells the control that loses it before the one that gets it.
    package func moveFocus(to id: ElementID?) {
        guard focused != id else { return }
        let previous = focused
        focused = id
        if let previous {
            for handler in handlers(.focus, of: previous) { handler(.bool(false)) }
        }
        if let id {
            for handler in handlers(.focus, of: id) { handler(.bool(true)) }
        }
        flush()
    }
}

// MARK: - The window

extension Graph {
    /// Follows what a page says of its window.
    package func follow(_ new: WindowFacts, sizes: [ElementID: CGSize] = [:]) {
        if let size = new.size { self.size = size }
        facts.isDark = new.isDark ?? facts.isDark
        facts.language = new.language ?? facts.language
        facts.timeZone = new.timeZone ?? facts.timeZone
        for (id, size) in sizes where measured[id] != size {
            guard let owner = owners[id]?.node else { continue }
            measured[id] = size
            follow(owner)
        }
        follow(root)
        flush()
    }

    /// How large an element is, as far as the page has said.
    func size(of id: ElementID) -> CGSize { measured[id] ?? size }

    /// Puts what is known of the window into its environment.
    func describeWindow(_ environment: inout EnvironmentValues) {
        environment.windowSize = size
        environment.horizontalSizeClass = size.width >= 700 ? .regular : .compact
        if let isDark = facts.isDark { environment.colorScheme = isDark ? .dark : .light }
        if let language = facts.language { environment.locale = Locale(identifier: language) }
        if let zone = facts.timeZone.flatMap({ TimeZone(identifier: $0) }) { environment.timeZone = zone }
    }
}

// MARK: - What a person may want to know

extension Graph {
    func count(_ type: Any.Type) { counts[ObjectIdentifier(type), default: 0] += 1 }

    /// How often the body of a type of view was read.
    package func evaluationCount(of type: Any.Type) -> Int { counts[ObjectIdentifier(type)] ?? 0 }

    func add(_ line: String) { log.append(line) }

    /// Adds a line once per node.
    func logOnce(_ line: String, _ node: Node) {
        if loggedOnce.insert("\(node.serial) \(line)").inserted { add(line) }
    }
}
