// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Handles the events of a browser tab in order, and retains batches to send them again.
@MainActor package final class Session {
    /// The maximum number of batches retained until the page acknowledges them.
    static let keptBatchCount = 256

    package let id: String
    /// Has no effect while the page isn't connected.
    package var send: ((HostMessage) -> Void)?
    private let graph: Graph
    private var lastEvent = 0
    private var lastBatch = 0
    private var edits: [ElementID: Int] = [:]
    private var kept: [HostMessage.Batch] = []
    /// The tree of the page after all batches, or `nil` if the page needs a complete tree.
    private var shown: Element?
    private var isHandling = false
    /// Operations to add to the changes of the tree in the next batch.
    private var orders: [Operation] = []
    /// Whether too many batches are unacknowledged. The page receives a complete tree when it has acknowledged the last
    /// one.
    private var isBehind = false

    package init(id: String, graph: Graph) {
        self.id = id
        self.graph = graph
        graph.didChange = { [weak self] _ in
            if let self, !isHandling, shown != nil, !isBehind { publish(isWanted: false) }
        }
        graph.openAddress = { [weak self] address in
            guard let self else { return }
            orders.append(.open(address.absoluteString))
            if !isHandling, shown != nil, !isBehind { publish(isWanted: false) }
        }
    }

    package func receive(_ message: ClientMessage) {
        switch message {
        case .hello(_, let session, let seen, let facts):
            isHandling = true
            graph.follow(facts)
            isHandling = false
            // A new page numbers its events and edits from the start.
            if session != id { (lastEvent, edits) = (0, [:]) }
            welcome(resumes: session == id && canResume(after: seen), seen)
        case .event(let number, let element, let action, let value, let edit):
            handle(number, element, action, value, edit)
        case .seen(let batch):
            kept.removeAll { $0.number <= batch }
            if isBehind, batch >= lastBatch { sendAll() }
        case .resync: sendAll()
        case .window(let facts, let sizes): graph.follow(facts, sizes: sizes)
        }
    }

    private func canResume(after seen: Int) -> Bool {
        shown != nil && !isBehind && seen <= lastBatch && kept.filter { $0.number > seen }.count == lastBatch - seen
    }

    private func welcome(resumes: Bool, _ seen: Int) {
        send?(.welcome(session: id, resumes: resumes))
        guard resumes else { return sendAll() }
        kept.removeAll { $0.number <= seen }
        for batch in kept { send?(.batch(batch)) }
        publish(isWanted: false)
    }

    /// An event with a number that was already handled is ignored. An event for a removed element is answered with an
    /// empty batch.
    private func handle(_ number: Int, _ element: ElementID, _ action: ActionKind, _ value: ActionValue, _ edit: Int?) {
        guard number > lastEvent else { return }
        lastEvent = number
        if let edit { edits[element] = edit }
        isHandling = true
        graph.perform(action, on: element, value)
        isHandling = false
        if shown != nil, !isBehind { publish(isWanted: true) }
    }

    private func sendAll() {
        shown = nil
        kept = []
        isBehind = false
        publish(isWanted: true)
    }

    private func publish(isWanted: Bool) {
        let tree = graph.element
        if let target = graph.scrollTarget { orders.append(.scroll(target)) }
        graph.scrollTarget = nil
        let operations = Difference.operations(from: shown, to: tree) + orders
        orders = []
        guard isWanted || !operations.isEmpty else { return }
        shown = tree
        lastBatch += 1
        let batch = HostMessage.Batch(number: lastBatch, ack: lastEvent, edits: edits, operations: operations)
        edits = edits.filter { id, _ in tree.first { $0.id == id } != nil }
        kept.append(batch)
        if kept.count > Self.keptBatchCount {
            kept = []
            isBehind = true
        } else {
            send?(.batch(batch))
        }
    }
}
