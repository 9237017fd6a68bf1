// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmTestSupport

@testable import RealmStorage

/// A B+tree of small nodes and its model, an array.
final class TreeFixture {
    let scratch: ScratchStore
    let kind: LeafKind
    let capacity: Int
    private(set) var root: Ref = 0
    private(set) var model: [StoredValue] = []
    private var serial = 0
    var keepsLeafOpen = false
    private var open: EditCursor?

    init(_ kind: LeafKind, capacity: Int) throws {
        scratch = try ScratchStore(treeCapacity: capacity)
        self.kind = kind
        self.capacity = capacity
        root = try BPlusTreeEditor(scratch.store, kind).create()
    }

    enum Build: CaseIterable {
        case appended, prepended, fromTheMiddle
    }

    convenience init(_ kind: LeafKind, capacity: Int, count: Int, _ build: Build) throws {
        try self.init(kind, capacity: capacity)
        for number in 0..<count {
            switch build {
            case .appended: try insert(at: number)
            case .prepended: try insert(at: 0)
            case .fromTheMiddle: try insert(at: number / 2)
            }
        }
    }

    private func nextValue() -> StoredValue {
        serial += 1
        switch kind {
        case .key: return .link(ObjectKey(Int64(serial * 37)))
        case .string: return .string(String(repeating: "s", count: serial % 20) + "\(serial)")
        default: return .int(Int64(serial * 37 - 500))
        }
    }

    func insert(at index: Int) throws {
        let value = nextValue()
        if keepsLeafOpen {
            try BPlusTreeEditor(scratch.store, kind).insert(&root, at: index, value, in: &open)
        } else {
            try BPlusTreeEditor(scratch.store, kind).insert(&root, at: index, value)
        }
        model.insert(value, at: index)
    }

    func insert(_ count: Int, at index: Int) throws {
        let values = (0..<count).map { _ in nextValue() }
        if !keepsLeafOpen { open = nil }
        try BPlusTreeEditor(scratch.store, kind).insert(&root, at: index, contentsOf: values, in: &open)
        model.insert(contentsOf: values, at: index)
    }

    /// The first index of each leaf, and the form of the root: 0 for a leaf, 1 for compact, 2 for general.
    func shape() throws -> [Int] {
        var shape: [Int] = []
        try BPlusTree(scratch.space, root, kind).forEachLeaf { leaf in
            shape.append(leaf.start)
            return true
        }
        let node = try scratch.store.node(root)
        return shape + [node.header.isInner ? Tagged.isTagged(node[0]) ? 1 : 2 : 0]
    }

    func set(at index: Int) throws {
        let value = nextValue()
        open = nil
        try BPlusTreeEditor(scratch.store, kind).set(&root, at: index, value)
        model[index] = value
    }

    func erase(at index: Int) throws {
        if keepsLeafOpen {
            try BPlusTreeEditor(scratch.store, kind).erase(&root, at: index, in: &open)
        } else {
            try BPlusTreeEditor(scratch.store, kind).erase(&root, at: index)
        }
        model.remove(at: index)
    }

    @discardableResult
    func verify() throws -> Int {
        let tree = try BPlusTree(scratch.space, root, kind)
        try requireEqual(tree.count, model.count, "the count")
        try requireEqual(try tree.values(), model, "the values")
        for index in model.indices { try requireEqual(try tree.value(at: index), model[index], "value \(index)") }
        try verifyPacked(tree)
        return try BPlusTreeVerifier.verify(scratch.space, root, kind, capacity: capacity).depth
    }

    private func verifyPacked(_ tree: BPlusTree) throws {
        let packed = PackedTree(tree)
        try requireEqual(packed != nil, kind.isPacked && !model.isEmpty, "whether there is a packed tree")
        guard let packed else { return }
        for index in model.indices {
            let number =
                switch model[index] {
                case .int(let number): number
                case .link(let key): key.rawValue
                default: Int64.min
                }
            try requireEqual(packed.element(at: index), number, "number \(index)")
        }
        try requireEqual(packed.element(at: model.count), nil, "a number behind the end")
    }

    /// Writes the tree to the file. Nodes lost since the last commit must have been freed.
    func commit() throws {
        open = nil
        try scratch.commit(&root)
    }

    func attempt(_ body: (TreeFixture) throws -> Void) throws {
        let (root, model, mark) = (root, model, scratch.mark)
        try body(self)
        try verify()
        try commit()
        try verify()
        (self.root, self.model) = (root, model)
        open = nil
        scratch.restore(mark)
    }
}

extension PackedTree {
    func element(at index: Int) -> Int64? { elementBelowCompactRoot(at: index) ?? elementBelowAnyRoot(at: index) }
}
