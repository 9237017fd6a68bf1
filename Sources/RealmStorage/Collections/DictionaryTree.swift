// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A dictionary: two trees of equal length, keys ascending and their values (content 7.6). Reading only.
package struct DictionaryTree {
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

    /// Keys and values, in key order.
    package func entries() throws -> [(key: StoredValue, value: StoredValue)] {
        Array(zip(try keys?.values() ?? [], try values())).map { (key: $0.0, value: $0.1) }
    }
}
