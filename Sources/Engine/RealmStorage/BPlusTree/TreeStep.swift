// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A branch on the path to a leaf, and the index of its child on that path.
struct TreeStep {
    let branch: Node
    let child: Int

    /// The last child has no offset after it, only the total.
    var isLast: Bool { child == branch.count - 3 }
}
