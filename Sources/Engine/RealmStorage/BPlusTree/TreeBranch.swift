// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The decoded form of a branch node of a B+tree (container 4.2).
///
/// ```
/// [0]       tagged E: compact form, every child but the last has E elements
///           or ref of the offsets array: general form
/// [1 … c]   children
/// [c + 1]   tagged T: elements in this subtree
/// ```
struct TreeBranch {
    var children: [Ref]
    /// For each child, the number of elements in it and in all children before it.
    var ends: [Int]
    /// The E of compact form; nil in general form.
    var compactSize: Int?

    var total: Int { ends.last ?? 0 }

    static func child(of node: Node, holding index: Int, in space: NodeSpace) throws -> (child: Int, offset: Int) {
        let childCount = node.count - 2
        guard childCount >= 1 else { throw StorageError.corrupt("a list branch without children", at: node.ref) }
        let first = node[0]
        if Tagged.isTagged(first) {
            let size = Int(clamping: Tagged.decode(first))
            guard size > 0, index / size < childCount else {
                throw StorageError.corrupt("a list branch of impossible form", at: node.ref)
            }
            return (index / size, index / size * size)
        }
        let offsets = try space.integers(Ref(element: first))
        guard offsets.count == childCount - 1 else {
            throw StorageError.corrupt("a list branch with a wrong number of offsets", at: node.ref)
        }
        let low = offsets.unsignedCount(notAbove: UInt64(index))
        let offset = low == 0 ? 0 : Int(clamping: offsets.unsigned(low - 1))
        guard offset <= index else { throw StorageError.corrupt("list offsets out of order", at: node.ref) }
        return (low, offset)
    }

    /// Nil if the child can't hold an element at `index`, even after its last one, or if the branch has compact form.
    static func child(
        _ likely: Int?, of node: Node, taking index: Int, in space: NodeSpace
    ) -> (child: Int, offset: Int)? {
        let childCount = node.count - 2
        guard let likely, 0..<childCount ~= likely else { return nil }
        let first = node[0]
        guard !Tagged.isTagged(first), let offsets = space.nodeOrNil(Ref(element: first)), offsets.isPlain,
            offsets.count == childCount - 1
        else { return nil }
        let start = likely == 0 ? 0 : offsets.unsigned(likely - 1)
        let end = likely < offsets.count ? offsets.unsigned(likely) : .max
        return start <= index && index <= end ? (likely, Int(start)) : nil
    }

    static func offset(of child: Int, in node: Node, in space: NodeSpace) throws -> Int {
        let childCount = node.count - 2
        guard childCount >= 1, child < childCount else {
            throw StorageError.corrupt("a list branch without children", at: node.ref)
        }
        let total = try node.tagged(node.count - 1)
        let first = node[0]
        let offset: UInt64
        if Tagged.isTagged(first) {
            offset = UInt64(child).multipliedReportingOverflow(by: Tagged.decode(first)).partialValue
        } else {
            let offsets = try space.integers(Ref(element: first))
            guard offsets.count == childCount - 1 else {
                throw StorageError.corrupt("a list branch with a wrong number of offsets", at: node.ref)
            }
            offset = child == 0 ? 0 : offsets.unsigned(child - 1)
        }
        guard offset <= total, total <= Int.max >> 8 else {
            throw StorageError.corrupt("list offsets out of order", at: node.ref)
        }
        return Int(offset)
    }

    init(children: [Ref], ends: [Int], compactSize: Int? = nil) {
        self.children = children
        self.ends = ends
        self.compactSize = compactSize
    }

    init(_ node: Node, in space: NodeSpace) throws {
        let childCount = node.count - 2
        guard childCount >= 1 else { throw StorageError.corrupt("a list branch without children", at: node.ref) }
        children = try (1...childCount).map { try node.child($0) }
        let total = Int(clamping: try node.tagged(node.count - 1))
        if Tagged.isTagged(node[0]) {
            let size = Int(clamping: Tagged.decode(node[0]))
            compactSize = size
            ends = (1..<childCount + 1).map { $0 == childCount ? total : $0 &* size }
        } else {
            let offsets = try space.integers(Ref(element: node[0]))
            guard offsets.count == childCount - 1 else {
                throw StorageError.corrupt("a list branch with a wrong number of offsets", at: node.ref)
            }
            ends = (0..<childCount - 1).map { Int(clamping: offsets.unsigned($0)) } + [total]
        }
        var previous = 0
        for end in ends {
            guard end >= previous else { throw StorageError.corrupt("list offsets out of order", at: node.ref) }
            previous = end
        }
    }

    func encode(in store: NodeStore, context: Bool = false) throws -> Ref {
        let first: Int64
        if let compactSize {
            first = Tagged.encode(compactSize)
        } else {
            first = try store.create(unsigned: ends.dropLast().map { UInt64($0) }).element
        }
        let elements = [first] + children.map(\.element) + [Tagged.encode(total)]
        let flags = NodeHeader.Flags.inner | NodeHeader.Flags.hasRefs | (context ? NodeHeader.Flags.context : 0)
        return try store.create(elements, flags: flags)
    }

    func replace(_ ref: inout Ref, in store: NodeStore) throws {
        let node = try store.node(ref)
        let context = node.header.hasContext
        if !Tagged.isTagged(node[0]) { try store.free(Ref(element: node[0])) }
        try store.free(ref)
        ref = try encode(in: store, context: context)
    }
}
