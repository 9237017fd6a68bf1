// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Moves nodes that lie above a limit: makes them dirty, so that the current commit places them again (container 6.8).
///
/// The nodes of a tree are visited in order, by the rule of container 2.6 alone, from the position where the last
/// commit stopped. The path to it consists of child indexes: nodes that changed in between may be skipped or visited
/// twice, which the next pass corrects.
struct NodeMover {
    private let store: NodeStore
    private let limit: Ref
    private var nodes: Int
    private var bytes: Int
    private var start: ArraySlice<Int>
    /// The position to continue at, outermost index first; empty after a whole pass.
    private(set) var path: [Int] = []
    private(set) var hasMoved = false
    /// A node could not be read; nothing was moved there.
    private(set) var isDamaged = false
    private(set) var isFinished = true

    init(store: NodeStore, limit: Ref, budget: ShrinkPolicy.Budget, from path: [Int]) {
        self.store = store
        self.limit = limit
        (nodes, bytes) = (budget.nodes, budget.bytes)
        start = path[...]
    }

    private var isExhausted: Bool { nodes <= 0 || bytes <= 0 }

    /// Visits the trees at these places of `elements`; changed roots are put back there.
    mutating func run(_ elements: inout [Int64], _ slots: [Int]) throws {
        let first = start.popFirst() ?? 0
        for index in slots.indices where index >= first {
            if index > first { start = [] }
            var root = Ref(element: elements[slots[index]])
            try visit(&root, depth: 0)
            elements[slots[index]] = root.element
            if !isFinished { return path.insert(index, at: 0) }
        }
    }

    /// The parent of a dirty node has to be updated, so damage stops the pass instead of being thrown.
    private mutating func visit(_ ref: inout Ref, depth: Int) throws {
        guard let node = store.space.nodeOrNil(ref), depth < NodeStore.maximumDepth else {
            isDamaged = true
            isFinished = false
            return
        }
        // Nodes on the way to where the last commit stopped are not counted: there is some progress with any budget.
        if start.isEmpty { nodes -= 1 }
        if !store.space.isDirty(ref), ref + Ref(node.header.byteCount) > limit {
            bytes -= node.header.byteCount
            hasMoved = true
            try store.makeDirty(&ref)
        }
        if node.header.hasRefs, node.header.schemeCode == 0 { try visitChildren(of: &ref, depth: depth) }
    }

    private mutating func visitChildren(of ref: inout Ref, depth: Int) throws {
        let first = start.popFirst() ?? 0
        let count = try store.node(ref).count
        for index in first..<max(count, first) {
            if index > first { start = [] }
            let element = try store.node(ref)[index]
            guard element != 0, element & 1 == 0 else { continue }
            if isExhausted { return stop(at: index) }
            var child = Ref(element: element)
            try visit(&child, depth: depth + 1)
            if child.element != element { try store.set(&ref, index, child.element) }
            if !isFinished { return path.insert(index, at: 0) }
        }
    }

    private mutating func stop(at index: Int) {
        isFinished = false
        path = [index]
    }
}
