// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Changes B+trees of one kind of leaf (container 4.4, 4.5); `BPlusTree` reads them.
///
/// Each function takes the root of a tree `inout`: the caller stores the new root in the parent. An editor is stateless
/// and created for each call. Confined to the thread of its transaction.
package struct BPlusTreeEditor {
    let store: NodeStore
    let kind: LeafKind

    @inline(__always)
    package init(_ store: NodeStore, _ kind: LeafKind) {
        self.store = store
        self.kind = kind
    }

    @inline(__always) var space: NodeSpace { store.space }
    @inline(__always) var leaves: ColumnLeafEditor { ColumnLeafEditor(store, kind) }

    package func create() throws -> Ref { try leaves.create(count: 0, default: .null) }

    /// The tree above `leaves`, all of which except the last are full. `count` is the number of all elements.
    func join(_ leaves: [Ref], count: Int) throws -> Ref {
        var level = leaves
        var size = store.treeCapacity
        while level.count > 1 {
            var parents: [Ref] = []
            for start in stride(from: 0, to: level.count, by: store.treeCapacity) {
                let children = Array(level[start..<min(start + store.treeCapacity, level.count)])
                let first = start * size
                let ends = children.indices.map { min((start + $0 + 1) * size, count) - first }
                parents.append(try TreeBranch(children: children, ends: ends, compactSize: size).encode(in: store))
            }
            level = parents
            size *= store.treeCapacity
        }
        return level[0]
    }
}
