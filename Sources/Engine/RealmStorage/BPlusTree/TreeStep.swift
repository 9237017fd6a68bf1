// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A branch on the way to a leaf, and which of its children is on it.
struct TreeStep {
    let branch: Node
    let child: Int

    /// Whether no child of the branch comes after that one, so that nothing but the total says how long it is.
    var isLast: Bool { child == branch.count - 3 }
}
