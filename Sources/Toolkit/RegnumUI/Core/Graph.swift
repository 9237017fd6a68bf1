// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch

/// The tree of nodes of one window. It's evaluated in turns, each of one or more passes.
@MainActor package final class Graph {
    /// Beyond it, the app's state is assumed to change endlessly.
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
    /// The reasons of the last 500 to 1,000 evaluations.
    private(set) package var changes: [String] = []

    /// The number of turns with work to do, by which a host detects idleness.
    private(set) package var turnCount = 0
    /// The number of the app's async actions that haven't returned.
    package var runningActionCount = 0
    private(set) package var size: CGSize
    /// Reported by the page.
    private var facts = WindowFacts()
    /// The sizes of measured elements in points, reported by the page.
    private var measured: [ElementID: CGSize] = [:]
    /// In seconds. Tests advance it.
    package var clockOffset: TimeInterval = 0
    var tickers: [ObjectIdentifier: Ticker] = [:]
    package var scrollTarget: ElementID?
    var sceneStorage: [String: AnyObject] = [:]
    package var focused: ElementID?
    /// Called after each turn.
    package var didChange: ((Element) -> Void)?
    package var openAddress: (URL) -> Void = { _ in }

    private struct Unowned { unowned let node: Node }

    private struct Registered {
        let action: ActionKind
        let owner: ObjectIdentifier
        let handler: @MainActor (ActionValue) -> Void
    }

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

    /// Has no children after the window is closed.
    package var element: Element { root.output.elements.first ?? Element(id: 0, kind: .group) }

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
    /// Schedules a node for evaluation in this turn. During an evaluation, the node waits for the next pass.
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

    /// Schedules a node for evaluation in this pass, without recording a reason.
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

    func afterPass(_ action: @escaping @MainActor () -> Void) { afterPass.append(action) }

    /// Evaluates the changed nodes, parents before their children, until no changes remain. Then notifies the host
    /// once.
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

    /// Runs disappearances, appearances, value changes, and tasks, in this order.
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

    func handlers(_ action: ActionKind, of element: ElementID) -> [@MainActor (ActionValue) -> Void] {
        (handlers[element] ?? []).filter { $0.action == action }.map(\.handler)
    }

    /// Handles an event and runs the resulting turn. Returns false if the element is disabled or doesn't support the
    /// action, or was removed before a delayed page sent the event.
    @discardableResult
    package func perform(_ action: ActionKind, on id: ElementID, _ value: ActionValue = .none) -> Bool {
        flush()
        guard let element = element.first(where: { $0.id == id }), element.actions.contains(action),
            element.state[.disabled] != .bool(true)
        else { return false }
        // A control that lost the focus to another one was notified when the focus moved.
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

    /// Notifies the previous control before the new one.
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

    /// The size of the window, until the page reports the element's.
    func size(of id: ElementID) -> CGSize { measured[id] ?? size }

    func describeWindow(_ environment: inout EnvironmentValues) {
        environment.windowSize = size
        environment.horizontalSizeClass = size.width >= 700 ? .regular : .compact
        if let isDark = facts.isDark { environment.colorScheme = isDark ? .dark : .light }
        if let language = facts.language { environment.locale = Locale(identifier: language) }
        if let zone = facts.timeZone.flatMap({ TimeZone(identifier: $0) }) { environment.timeZone = zone }
    }
}

// MARK: - Diagnostics

extension Graph {
    func count(_ type: Any.Type) { counts[ObjectIdentifier(type), default: 0] += 1 }

    package func evaluationCount(of type: Any.Type) -> Int { counts[ObjectIdentifier(type)] ?? 0 }

    func add(_ line: String) { log.append(line) }

    func logOnce(_ line: String, _ node: Node) {
        if loggedOnce.insert("\(node.serial) \(line)").inserted { add(line) }
    }
}
