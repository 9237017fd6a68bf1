// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Queries by intervals of the values of a property: a treap in the order of the intervals, each node of which has the
/// greatest end of its part. So the intervals that contain a value are found without a comparison with most others.
struct IntervalIndex {
    private struct Node {
        let interval: ValueInterval
        let priority = UInt64.random(in: 0...(.max))
        var ids: Set<UInt64>
        var left = -1
        var right = -1
        /// The greatest end of the intervals of this node and of those below it.
        var end: ValueCut
    }

    /// Removed nodes are in `free`.
    private var nodes: [Node] = []
    private var free: [Int] = []
    private var root = -1

    var isEmpty: Bool { root < 0 }
    var intervalCount: Int { nodes.count - free.count }

    // MARK: Search

    /// Passes the queries of each interval that contains a value to `body`.
    func forEach(containing value: StoredValue, _ body: (Set<UInt64>) -> Void) {
        _ = visit(root, .before(value), .after(value)) {
            body($0)
            return true
        }
    }

    /// Returns the number of queries whose intervals contain a value, or more than `limit`.
    func count(containing value: StoredValue, limit: Int) -> Int {
        var count = 0
        _ = visit(root, .before(value), .after(value)) {
            count += $0.count
            return count <= limit
        }
        return count
    }

    /// - Returns: False if `body` has returned false, which ends the search.
    private func visit(
        _ index: Int, _ before: ValueCut, _ after: ValueCut, _ body: (Set<UInt64>) -> Bool
    ) -> Bool {
        guard index >= 0, nodes[index].end >= after else { return true }
        guard visit(nodes[index].left, before, after, body) else { return false }
        guard nodes[index].interval.low <= before else { return true }
        if nodes[index].interval.high >= after, !body(nodes[index].ids) { return false }
        return visit(nodes[index].right, before, after, body)
    }

    /// Passes the queries of each interval to `body`.
    func forEach(_ body: (Set<UInt64>) -> Void) {
        for node in nodes where !node.ids.isEmpty { body(node.ids) }
    }

    // MARK: Changes

    mutating func insert(_ id: UInt64, _ interval: ValueInterval) { root = insert(id, interval, below: root) }

    private mutating func insert(_ id: UInt64, _ interval: ValueInterval, below index: Int) -> Int {
        guard index >= 0 else { return addNode(Node(interval: interval, ids: [id], end: interval.high)) }
        if nodes[index].interval == interval {
            nodes[index].ids.insert(id)
            return index
        }
        var top = index
        if interval < nodes[index].interval {
            let child = insert(id, interval, below: nodes[index].left)
            nodes[index].left = child
            if nodes[child].priority > nodes[index].priority {
                (nodes[index].left, nodes[child].right, top) = (nodes[child].right, index, child)
            }
        } else {
            let child = insert(id, interval, below: nodes[index].right)
            nodes[index].right = child
            if nodes[child].priority > nodes[index].priority {
                (nodes[index].right, nodes[child].left, top) = (nodes[child].left, index, child)
            }
        }
        if top != index { updateEnd(index) }
        updateEnd(top)
        return top
    }

    mutating func remove(_ id: UInt64, _ interval: ValueInterval) { root = remove(id, interval, below: root) }

    private mutating func remove(_ id: UInt64, _ interval: ValueInterval, below index: Int) -> Int {
        guard index >= 0 else { return index }
        if nodes[index].interval == interval {
            nodes[index].ids.remove(id)
            guard nodes[index].ids.isEmpty else { return index }
            free.append(index)
            return merge(nodes[index].left, nodes[index].right)
        }
        if interval < nodes[index].interval {
            nodes[index].left = remove(id, interval, below: nodes[index].left)
        } else {
            nodes[index].right = remove(id, interval, below: nodes[index].right)
        }
        updateEnd(index)
        return index
    }

    /// - Parameter right: Its intervals follow those of `left`.
    private mutating func merge(_ left: Int, _ right: Int) -> Int {
        if left < 0 { return right }
        if right < 0 { return left }
        if nodes[left].priority > nodes[right].priority {
            nodes[left].right = merge(nodes[left].right, right)
            updateEnd(left)
            return left
        }
        nodes[right].left = merge(left, nodes[right].left)
        updateEnd(right)
        return right
    }

    private mutating func addNode(_ node: Node) -> Int {
        guard let index = free.popLast() else {
            nodes.append(node)
            return nodes.count - 1
        }
        nodes[index] = node
        return index
    }

    private mutating func updateEnd(_ index: Int) {
        var end = nodes[index].interval.high
        for child in [nodes[index].left, nodes[index].right] where child >= 0 { end = max(end, nodes[child].end) }
        nodes[index].end = end
    }
}
