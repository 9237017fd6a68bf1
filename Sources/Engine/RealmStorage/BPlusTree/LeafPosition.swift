// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A place in a tree of ascending elements, and the way to it. It is made for each search: small enough to be copied
/// without a call.
struct LeafPosition {
    /// The index of the leaf among all leaves.
    let number: Int
    let parent: TreeStep?
    let grandparent: TreeStep?
    /// The root of the leaf, and how many elements that has.
    let leaf: Node
    let count: Int
    /// The index of the leaf's first element.
    let start: Int
    let row: Int
    let isFound: Bool

    var index: Int { start + row }

    /// The number of the leaf that changes when `BPlusTreeEditor` inserts an element here: between two leaves, that is
    /// the second one.
    func changedNumber(of total: Int) -> Int { row == count && index < total ? number + 1 : number }
}
