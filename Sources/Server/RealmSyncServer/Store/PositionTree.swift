// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Finds, inserts, and removes elements by position in logarithmic time. An array moves all elements after an
/// insertion: a million insertions at its front take hours.
struct PositionTree<Element> {
    private var root: PositionTreeNode<Element>

    init() { root = PositionTreeNode(elements: []) }

    init(_ elements: some Collection<Element>) {
        self.init()
        for (position, element) in elements.enumerated() { insert(element, at: position) }
    }

    var count: Int { root.count }

    /// In linear time.
    var elements: [Element] {
        var elements: [Element] = []
        elements.reserveCapacity(count)
        root.append(to: &elements)
        return elements
    }

    subscript(position: Int) -> Element {
        get {
            var (node, position) = (root, position)
            while !node.children.isEmpty {
                let (child, offset) = node.child(at: position)
                (node, position) = (node.children[child], offset)
            }
            return node.elements[position]
        }
        set { modify(at: position) { $0 = newValue } }
    }

    mutating func insert(_ element: Element, at position: Int) {
        precondition(0...count ~= position)
        makeUnique()
        if let sibling = root.insert(element, at: position) { root = PositionTreeNode(children: [root, sibling]) }
    }

    @discardableResult
    mutating func remove(at position: Int) -> Element {
        precondition(0..<count ~= position)
        makeUnique()
        let element = root.remove(at: position)
        while root.children.count == 1 { root = root.children[0] }
        return element
    }

    mutating func modify<Result, Failure: Error>(
        at position: Int, _ body: (inout Element) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        precondition(0..<count ~= position)
        makeUnique()
        return try root.modify(at: position, body)
    }

    /// Another tree may share the nodes.
    private mutating func makeUnique() {
        if !isKnownUniquelyReferenced(&root) { root = root.copy() }
    }
}

extension PositionTree: Equatable where Element: Equatable {
    static func == (a: PositionTree, b: PositionTree) -> Bool {
        a.root === b.root || a.count == b.count && a.elements == b.elements
    }
}

private final class PositionTreeNode<Element> {
    var elements: [Element] = []
    var children: [PositionTreeNode] = []
    private var counts: [Int] = []
    private(set) var count: Int

    private static var leafCapacity: Int { 256 }
    private static var branchCapacity: Int { 64 }

    init(elements: [Element]) { (self.elements, count) = (elements, elements.count) }

    init(children: [PositionTreeNode]) {
        self.children = children
        counts = children.map(\.count)
        count = counts.reduce(0, +)
    }

    func copy() -> PositionTreeNode {
        children.isEmpty ? PositionTreeNode(elements: elements) : PositionTreeNode(children: children)
    }

    func append(to all: inout [Element]) {
        all += elements
        for child in children { child.append(to: &all) }
    }

    func child(at position: Int) -> (child: Int, offset: Int) {
        var (child, offset) = (0, position)
        while offset >= counts[child], child + 1 < counts.count {
            offset -= counts[child]
            child += 1
        }
        return (child, offset)
    }

    private func makeUnique(_ child: Int) {
        if !isKnownUniquelyReferenced(&children[child]) { children[child] = children[child].copy() }
    }

    /// Returns the second half of the node if it had to be split.
    func insert(_ element: Element, at position: Int) -> PositionTreeNode? {
        count += 1
        guard !children.isEmpty else {
            elements.insert(element, at: position)
            return elements.count > Self.leafCapacity ? splitLeaf() : nil
        }
        let (child, offset) = child(at: position)
        makeUnique(child)
        counts[child] += 1
        guard let sibling = children[child].insert(element, at: offset) else { return nil }
        counts[child] -= sibling.count
        children.insert(sibling, at: child + 1)
        counts.insert(sibling.count, at: child + 1)
        return children.count > Self.branchCapacity ? splitBranch() : nil
    }

    private func splitLeaf() -> PositionTreeNode {
        let middle = elements.count / 2
        let sibling = PositionTreeNode(elements: Array(elements[middle...]))
        elements.removeSubrange(middle...)
        count = middle
        return sibling
    }

    private func splitBranch() -> PositionTreeNode {
        let middle = children.count / 2
        let sibling = PositionTreeNode(children: Array(children[middle...]))
        children.removeSubrange(middle...)
        counts.removeSubrange(middle...)
        count -= sibling.count
        return sibling
    }

    /// Removes an empty node from its parent. Other nodes can become small, which never increases the depth.
    func remove(at position: Int) -> Element {
        count -= 1
        guard !children.isEmpty else { return elements.remove(at: position) }
        let (child, offset) = child(at: position)
        makeUnique(child)
        let element = children[child].remove(at: offset)
        counts[child] -= 1
        if counts[child] == 0 {
            children.remove(at: child)
            counts.remove(at: child)
        }
        return element
    }

    func modify<Result, Failure: Error>(
        at position: Int, _ body: (inout Element) throws(Failure) -> Result
    ) throws(Failure) -> Result {
        guard !children.isEmpty else { return try body(&elements[position]) }
        let (child, offset) = child(at: position)
        makeUnique(child)
        return try children[child].modify(at: offset, body)
    }
}
