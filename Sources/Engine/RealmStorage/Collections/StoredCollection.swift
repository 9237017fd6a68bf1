// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

package enum StoredCollection {
    case list(BPlusTree)
    case set(SetTree)
    case dictionary(DictionaryTree)

    package init?(value: StoredValue, in space: NodeSpace) throws {
        switch value {
        case .list(let root, _): self = .list(try BPlusTree(space, root, .mixed))
        case .dictionary(let root, _): self = .dictionary(try DictionaryTree(space, root))
        default: return nil
        }
    }

    package init(of column: ColumnKey, _ keyType: ColumnType?, root: Ref, in space: NodeSpace) throws {
        if column.isList {
            self = .list(try BPlusTree(space, root, LeafKind(elementsOf: column)))
        } else if column.isSet {
            self = .set(try SetTree(space, root, elementsOf: column))
        } else {
            self = .dictionary(try DictionaryTree(space, root, keyType: keyType ?? .string))
        }
    }

    package init(of column: ColumnKey, _ keyType: ColumnType?, at position: ClusterTree.Position) throws {
        try self.init(
            of: column, keyType, root: position.collectionRoot(column.leafIndex), in: position.leaf.space)
    }

    package var count: Int {
        switch self {
        case .list(let tree): tree.count
        case .set(let set): set.count
        case .dictionary(let dictionary): dictionary.count
        }
    }

    package var list: BPlusTree? { if case .list(let tree) = self { tree } else { nil } }
    package var set: SetTree? { if case .set(let set) = self { set } else { nil } }
    package var dictionary: DictionaryTree? { if case .dictionary(let dictionary) = self { dictionary } else { nil } }

    /// For a dictionary, the tree of its values, or nil if it was never changed.
    var elements: BPlusTree? {
        switch self {
        case .list(let tree): tree
        case .set(let set): set.tree
        case .dictionary(let dictionary): dictionary.valuesTree
        }
    }

    package func values() throws -> [StoredValue] { try elements?.values() ?? [] }

    /// For a dictionary, with keys. Int keys are given as digits.
    package func prefix(_ maximum: Int) throws -> [(key: String?, value: StoredValue)] {
        guard let elements else { return [] }
        return try (0..<min(count, maximum)).map { (try dictionary?.key(at: $0), try elements.value(at: $0)) }
    }

    func position(of step: CollectionPath.Step) throws -> Int? {
        switch (step, self) {
        case (.index(let index), .list(let tree)): 0..<tree.count ~= index ? index : nil
        case (.key(let key), .dictionary(let dictionary)): try dictionary.index(of: key)
        case (.nested(let key), .list), (.nested(let key), .dictionary): try elements?.position(ofNested: key)
        default: nil
        }
    }
}

extension BPlusTree {
    func position(ofNested key: Int64) throws -> Int? {
        guard kind == .mixed else { return nil }
        var found: Int?
        try forEachLeaf { leaf in
            found = try leaf.leaf.mixed.row(ofKey: key).map { leaf.start + $0 }
            return found == nil
        }
        return found
    }
}
