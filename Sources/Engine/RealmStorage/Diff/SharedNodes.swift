// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Two views of one file, which may share nodes, or of two files, which share none.
struct SharedNodes {
    let old: NodeSpace
    let new: NodeSpace
    var isOneFile = true

    /// Whether two refs, one of each view, certainly have the same content, without reading it.
    ///
    /// Nodes in slabs belong to one view each: of a write transaction, or of a file of an older format.
    func areSame(_ a: Ref, _ b: Ref) -> Bool {
        isOneFile && a == b && !old.isDirty(a) && !new.isDirty(b)
    }
}

/// Limits the work of a comparison by the size of the two views. In a valid file every node has one parent, so the
/// nodes visited once aren't larger than the views; the branches of a hostile file can share a node.
final class DiffBudget {
    private let nodes: SharedNodes
    private var rest: Int
    /// The number of visited nodes, for tests of the cost of a diff.
    private(set) var visits = 0

    init(_ nodes: SharedNodes) {
        self.nodes = nodes
        rest = Int(nodes.old.fileEnd) + Int(nodes.new.fileEnd) + 1 << 16
    }

    /// Charges a visit of a node. Nodes in slabs are exempt: Regnum has created them, each with one parent.
    func spend(_ node: Node) throws {
        visits += 1
        guard !nodes.old.isDirty(node.ref), !nodes.new.isDirty(node.ref) else { return }
        rest -= node.header.byteCount
        guard rest >= 0 else {
            throw StorageError.corrupt("nodes that are used more than once; the file is damaged", at: node.ref)
        }
    }
}
