// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Moves nodes above a limit: makes them dirty, so the current commit allocates them again (container 6.8).
///
/// Visits the nodes of a tree in order, by the rule of container 2.6 alone, from the position where the last commit
/// stopped. The path to that position consists of child indexes. Nodes that changed in between may be skipped or
/// visited twice, which the next pass corrects.
struct NodeMover {
    private let store: NodeStore
    private let limit: Ref
    private var nodes: Int
    private var bytes: Int
    private var start: ArraySlice<Int>
    /// The position at which to continue, outermost index first. Empty after a whole pass.
    private(set) var path: [Int] = []
    private(set) var hasMoved = false
    /// Whether a node couldn't be read. Nothing was moved there.
    private(set) var isDamaged = false
    private(set) var isFinished = true

    init(store: NodeStore, limit: Ref, budget: ShrinkPolicy.Budget, from path: [Int]) {
        self.store = store
        self.limit = limit
        (nodes, bytes) = (budget.nodes, budget.bytes)
        start = path[...]
    }

    private var isExhausted: Bool { nodes <= 0 || bytes <= 0 }

    /// Visits the trees whose roots are in `slots` of `elements`, and stores changed roots there.
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

    /// The parent of a dirty node has to be updated, so damage stops the pass and isn't thrown.
    private mutating func visit(_ ref: inout Ref, depth: Int) throws {
        guard let node = store.space.nodeOrNil(ref), depth < NodeStore.maximumDepth else {
            isDamaged = true
            isFinished = false
            return
        }
        // Nodes on the path to the last commit's position aren't counted, so any budget allows some progress.
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
