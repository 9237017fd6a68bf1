// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A dictionary: a tree of ascending keys, and a tree of their values with equal length (content 7.6). Read-only.
///
/// Values are Mixed regardless of the column's type. Links are `.typedLink`; unresolved links keep their stored form.
package struct DictionaryTree {
    /// Nil if the dictionary was never changed.
    package let keys: BPlusTree?
    package let valuesTree: BPlusTree?

    /// A root of 0 is an empty dictionary. Int keys occur in files of other SDKs.
    package init(_ space: NodeSpace, _ root: Ref, keyType: ColumnType = .string) throws {
        guard root != 0 else {
            (keys, valuesTree) = (nil, nil)
            return
        }
        let top = try space.refs(root)
        guard top.count == 2 else { throw StorageError.corrupt("a dictionary of \(top.count) slots", at: root) }
        let keys = try BPlusTree(space, try top.child(0), keyType == .int ? .int : .string)
        let values = try BPlusTree(space, try top.child(1), .mixed)
        guard keys.count == values.count else {
            throw StorageError.corrupt("a dictionary with more keys than values or fewer", at: root)
        }
        (self.keys, valuesTree) = (keys, values)
    }

    package var count: Int { keys?.count ?? 0 }
    package func values() throws -> [StoredValue] { try valuesTree?.values() ?? [] }

    package func entries() throws -> [(key: StoredValue, value: StoredValue)] {
        Array(zip(try keys?.values() ?? [], try values())).map { (key: $0.0, value: $0.1) }
    }

    package func value(at index: Int) throws -> StoredValue {
        guard let valuesTree else { throw StorageError.absent("element \(index) of 0") }
        return try valuesTree.value(at: index)
    }

    /// Digits for an Int key.
    package func key(at index: Int) throws -> String {
        guard let keys else { throw StorageError.absent("element \(index) of 0") }
        switch try keys.value(at: index) {
        case .string(let text): return text
        case .int(let number): return String(number)
        default: throw StorageError.corrupt("a dictionary key that is null", at: keys.root)
        }
    }

    /// Nil if the key is absent. A stored null is returned as null.
    package func find(_ key: String, by fenceIndex: FenceKeyIndex? = nil) throws -> StoredValue? {
        try entry(of: key, by: fenceIndex).map { try $0.values.value(at: $0.row) }
    }

    package func entry(of key: String, by fenceIndex: FenceKeyIndex?) throws -> (values: MixedLeaf, row: Int)? {
        guard let keys, let valuesTree else { return nil }
        if let fenceIndex, keys.kind == .string, let entry = try keys.entry(of: key, by: fenceIndex, in: valuesTree) {
            guard case .present(let values, let row) = entry else { return nil }
            return (values, row)
        }
        guard let index = try index(of: key) else { return nil }
        let leaf = try valuesTree.leaf(holding: index)
        return (try leaf.leaf.mixed, index - leaf.start)
    }

    package func index(of key: String) throws -> Int? {
        let place = try place(of: key)
        return place.isFound ? place.index : nil
    }

    func place(of key: String) throws -> (index: Int, isFound: Bool) {
        guard let keys else { return (0, false) }
        if keys.kind == .string { return try keys.place(of: key) }
        guard let key = DictionaryTree.storedKey(key, keys.kind) else { return (keys.count, false) }
        return try keys.place(of: key, .plain)
    }

    /// Nil if keys are numbers and the text isn't one.
    static func storedKey(_ key: String, _ kind: LeafKind) -> StoredValue? {
        kind == .int ? Int64(key).map { .int($0) } : .string(key)
    }
}
