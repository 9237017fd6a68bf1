// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Two views of one file, and what they have in common.
struct SharedNodes {
    let old: NodeSpace
    let new: NodeSpace

    /// Whether two refs, one of each view, lead to the same content without a look at it.
    ///
    /// The nodes in slabs are each view's own: of a write transaction, or of the view of a file of an older format.
    func areSame(_ a: Ref, _ b: Ref) -> Bool { a == b && !old.isDirty(a) && !new.isDirty(b) }
}

/// Bounds the work of a comparison by the size of the two views: in a sound file every node has one parent, so that
/// the nodes that are visited once have no more bytes than there are; hostile branches lead to one again and again.
final class DiffBudget {
    private var rest: Int

    init(_ nodes: SharedNodes) {
        let sizes = [nodes.old, nodes.new].map { Int($0.fileEnd) + Int($0.slabEnd - $0.slabStart) }
        rest = sizes[0] + sizes[1] + 1 << 16
    }

    func spend(_ node: Node) throws {
        rest -= node.header.byteCount
        guard rest >= 0 else {
            throw StorageError.corrupt("nodes that are used more than once; the file is damaged", at: node.ref)
        }
    }
}
