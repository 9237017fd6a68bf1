// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A branch on the way to a leaf, and which of its children is on it.
struct TreeStep {
    let branch: Node
    let child: Int

    /// Whether the child is the last one of the branch, so that only the total determines its length.
    var isLast: Bool { child == branch.count - 3 }
}
