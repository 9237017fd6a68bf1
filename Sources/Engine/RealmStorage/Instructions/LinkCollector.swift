// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Collects the links in values and in everything nested in them, each once, including unresolved ones.
struct LinkCollector {
    private let space: NodeSpace
    /// The table of links that don't contain their table's key.
    private let target: TableKey
    private(set) var links: [ObjectLink] = []
    /// In a valid file every nested collection has one parent; in a damaged one, the search could otherwise run in a
    /// cycle.
    private var visited: Set<Ref> = []

    init(_ space: NodeSpace, target: TableKey) {
        self.space = space
        self.target = target
    }

    /// `level` is the level of the collection that contains the value, 0 for a property.
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
