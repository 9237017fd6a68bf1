// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Gathers the links of values and of everything nested in them, once for each, unresolved ones included.
struct LinkCollector {
    private let space: NodeSpace
    /// The table of links that do not name theirs.
    private let target: TableKey
    private(set) var links: [ObjectLink] = []
    /// In a sound file every nested collection has one place; a damaged one could lead around for ever.
    private var visited: Set<Ref> = []

    init(_ space: NodeSpace, target: TableKey) {
        self.space = space
        self.target = target
    }

    /// Takes the links of a value; `level` is that of the collection it is in, 0 for a property.
    mutating func add(_ value: StoredValue, level: Int) throws {
        switch value {
        case .link(let key): links.append(ObjectLink(table: target, object: key))
        case .typedLink(let link): links.append(link)
        case .list(let root, _), .dictionary(let root, _):
            guard root != 0 else { return }
            guard level < FileFormat.maximumNestingLevel, visited.insert(root).inserted else {
                throw StorageError.corrupt("collections nested too deeply or in each other", at: root)
            }
            guard let elements = try StoredCollection(value: value, in: space)?.elements else { return }
            try add(elements, level: level + 1)
        default: break
        }
    }

    /// Takes the links of all elements of a tree.
    mutating func add(_ elements: BPlusTree, level: Int) throws {
        if elements.kind == .key {
            links += try elements.keys().map { ObjectLink(table: target, object: $0) }
        } else if elements.kind == .mixed {
            try elements.forEachLeaf { leaf in
                let mixed = try leaf.leaf.mixed
                for row in 0..<mixed.count where try mixed.isLink(at: row) || mixed.isCollection(at: row) {
                    try add(mixed.value(at: row), level: level)
                }
                return true
            }
        }
    }
}
