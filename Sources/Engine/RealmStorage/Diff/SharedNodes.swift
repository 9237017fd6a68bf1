// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Two views of one file, and what they have in common; or views of two files, which have nothing in common.
struct SharedNodes {
    let old: NodeSpace
    let new: NodeSpace
    var isOneFile = true

    /// Whether two refs, one of each view, lead to the same content without a look at it.
    ///
    /// The nodes in slabs are each view's own: of a write transaction, or of the view of a file of an older format.
    func areSame(_ a: Ref, _ b: Ref) -> Bool {
        isOneFile && a == b && !old.isDirty(a) && !new.isDirty(b)
    }
}

/// Bounds the work of a comparison by the size of the two views: in a sound file every node has one parent, so that
/// the nodes that are visited once have no more bytes than there are; hostile branches lead to one again and again.
final class DiffBudget {
    private let nodes: SharedNodes
    private var rest: Int
    /// The number of nodes that were visited, for tests of what a diff costs.
    private(set) var visits = 0

    init(_ nodes: SharedNodes) {
        self.nodes = nodes
        rest = Int(nodes.old.fileEnd) + Int(nodes.new.fileEnd) + 1 << 16
    }

    /// Pays for a visit of a node. Those in slabs are of our own making, each with one parent.
    func spend(_ node: Node) throws {
        visits += 1
        guard !nodes.old.isDirty(node.ref), !nodes.new.isDirty(node.ref) else { return }
        rest -= node.header.byteCount
        guard rest >= 0 else {
            throw StorageError.corrupt("nodes that are used more than once; the file is damaged", at: node.ref)
        }
    }
}
