// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A position in a tree of ascending elements, and the path to it. Created for each search; small enough to be copied
/// inline.
struct LeafPosition {
    /// The index of the leaf among all leaves.
    let number: Int
    let parent: TreeStep?
    let grandparent: TreeStep?
    let leaf: Node
    let count: Int
    let start: Int
    let row: Int
    let isFound: Bool

    var index: Int { start + row }

    /// The number of the leaf that changes when `BPlusTreeEditor` inserts an element here: between two leaves, the
    /// second.
    func changedNumber(of total: Int) -> Int { row == count && index < total ? number + 1 : number }
}
