// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Reads objects as values.
///
/// With `recover` it reports unreadable data and continues: an unreadable value is null, and a collection is truncated.
package struct ObjectReader {
    package let source: any TableSource
    private let budget: ReadBudget?
    /// Whether links to tombstones are links. Otherwise they are null, and a list of links omits them (content 5.8).
    private let keepsTombstones: Bool
    /// The maximum number of nested values. Deeper nesting is damage.
    private let depthLimit: Int
    private let recover: ((any Error) -> Void)?

    package init(
        _ source: any TableSource, budget: ReadBudget? = nil, keepsTombstones: Bool = false,
        depthLimit: Int = FileFormat.maximumNestingLevel, recover: ((any Error) -> Void)? = nil
    ) {
        self.source = source
        self.budget = budget
        self.keepsTombstones = keepsTombstones
        self.depthLimit = depthLimit
        self.recover = recover
    }

    package func forEachObject(of table: Table, _ body: (ObjectKey, [DetachedValue]) throws -> Void) throws {
        try table.clusters.forEachLeaf { leaf in
            try objects(in: leaf, of: table, body)
            return true
        }
    }

    /// Calls `body` with every object of one leaf, for tables whose leaves are found in another way.
    package func objects(
        in leaf: ClusterLeaf, of table: Table, _ body: (ObjectKey, [DetachedValue]) throws -> Void
    ) throws {
        let reader = try leafReader(leaf, of: table)
        for row in 0..<leaf.count { try body(leaf.key(at: row), try reader.values(at: row)) }
    }

    /// The columns of a leaf, which are read once for all of its rows.
    package struct LeafReader {
        fileprivate let reader: ObjectReader
        fileprivate let table: Table
        fileprivate let columns: [(column: Column, leaf: ColumnLeaf?)]
        package let leaf: ClusterLeaf

        /// Returns the values of the public columns.
        package func values(at row: Int) throws -> [DetachedValue] {
            try columns.map { try reader.value($0.column, of: table, $0.leaf, row, depth: 0) }
        }
    }

    package func leafReader(_ leaf: ClusterLeaf, of table: Table) throws -> LeafReader {
        LeafReader(reader: self, table: table, columns: try columns(of: leaf, table), leaf: leaf)
    }

    package func values(of table: Table, at position: ClusterTree.Position) throws -> [DetachedValue] {
        try values(of: table, at: position, depth: 0)
    }

    package func value(_ column: Column, of table: Table, at position: ClusterTree.Position) throws -> DetachedValue {
        let leaf = try attempt(nil) { try position.leaf.column(column.leafIndex, column.leafKind) as ColumnLeaf? }
        return try value(column, of: table, leaf, position.row, depth: 0)
    }

    // MARK: Properties

    private func columns(of leaf: ClusterLeaf, _ table: Table) throws -> [(column: Column, leaf: ColumnLeaf?)] {
        try table.publicColumns.map { column in
            (column, try attempt(nil) { try leaf.column(column.leafIndex, column.leafKind) })
        }
    }

    private func values(of table: Table, at position: ClusterTree.Position, depth: Int) throws -> [DetachedValue] {
        try table.publicColumns.map { column in
            let leaf = try attempt(nil) { try position.leaf.column(column.leafIndex, column.leafKind) as ColumnLeaf? }
            return try value(column, of: table, leaf, position.row, depth: depth)
        }
    }

    /// `leaf` is nil if it couldn't be read, which was already reported.
    private func value(
        _ column: Column, of table: Table, _ leaf: ColumnLeaf?, _ row: Int, depth: Int
    ) throws -> DetachedValue {
        guard let leaf else { return .null }
        return try attempt(.null) {
            let target = column.type == .link ? table.oppositeTables[column.leafIndex] : .null
            guard column.key.isCollection else { return try value(try leaf.value(at: row), target, depth) }
            var root: Ref = 0
            if case .list(let ref, _) = try leaf.value(at: row) { root = ref }
            let stored = try StoredCollection(of: column.key, column.dictionaryKeyType, root: root, in: source.space)
            return try collection(stored, target, depth)
        }
    }

    private func collection(
        _ collection: StoredCollection, _ target: TableKey, _ depth: Int
    ) throws -> DetachedValue {
        switch collection {
        case .list(let tree): .list(try elements(tree, target, depth))
        case .set(let set): .set(try elements(set.tree, target, depth))
        case .dictionary(let tree): try dictionary(tree, target, depth)
        }
    }

    private func elements(_ tree: BPlusTree, _ target: TableKey, _ depth: Int) throws -> [DetachedValue] {
        var result: [DetachedValue] = []
        try attempt(()) {
            try tree.forEachLeaf { leaf in
                for row in 0..<leaf.leaf.count {
                    try attempt(()) {
                        let stored = try leaf.leaf.value(at: row)
                        if case .link(let key) = stored, isAbsent(key) { return }
                        result.append(try value(stored, target, depth))
                    }
                }
                return true
            }
        }
        return result
    }

    private func dictionary(_ tree: DictionaryTree, _ target: TableKey, _ depth: Int) throws -> DetachedValue {
        guard let keys = tree.keys, let values = tree.valuesTree else { return .dictionary([]) }
        var cursor = BPlusTreeCursor(values)
        var result: [(key: String, value: DetachedValue)] = []
        try attempt(()) {
            try keys.forEachLeaf { leaf in
                for row in 0..<leaf.leaf.count {
                    try attempt(()) {
                        let place = try cursor.position(leaf.start + row)
                        let key =
                            switch try leaf.leaf.value(at: row) {
                            case .string(let text): text
                            case .int(let number): String(number)
                            default: throw StorageError.corrupt("a dictionary key that is null", at: keys.root)
                            }
                        result.append((key, try value(try place.leaf.value(at: place.row), target, depth)))
                    }
                }
                return true
            }
        }
        return .dictionary(result)
    }

    // MARK: Values

    private func value(_ stored: StoredValue, _ target: TableKey, _ depth: Int) throws -> DetachedValue {
        try budget?.spend()
        switch stored {
        case .link(let key): return try object(key, target, depth)
        case .typedLink(let link): return try object(link.object, link.table, depth)
        case .list(let root, _), .dictionary(let root, _):
            let inner = try deeper(depth, root)
            guard let nested = try StoredCollection(value: stored, in: source.space) else { break }
            return try collection(nested, .null, inner)
        case .string(let text): try budget?.spend(byteCount: text.utf8.count)
        case .binary(let bytes): try budget?.spend(byteCount: bytes.count)
        default: break
        }
        return .plain(stored)
    }

    private func isAbsent(_ key: ObjectKey) -> Bool { key.isNull || key.isUnresolved && !keepsTombstones }

    private func object(_ key: ObjectKey, _ tableKey: TableKey, _ depth: Int) throws -> DetachedValue {
        if isAbsent(key) { return .null }
        guard let table = try source.table(tableKey), table.isEmbedded else { return .link(.key(tableKey, key)) }
        guard let position = try table.find(key) else {
            throw StorageError.corrupt(
                "an embedded object that is not there; the file is damaged", at: table.clusterRoot)
        }
        let inner = try deeper(depth, table.clusterRoot)
        return .object(tableKey, try values(of: table, at: position, depth: inner))
    }

    private func deeper(_ depth: Int, _ ref: Ref) throws -> Int {
        guard depth < depthLimit else {
            throw StorageError.corrupt("values nested without end; the file is damaged", at: ref)
        }
        return depth + 1
    }

    /// Returns the result of `body`, or `substitute` if it fails and errors are tolerated.
    private func attempt<Result>(_ substitute: Result, _ body: () throws -> Result) throws -> Result {
        guard let recover else { return try body() }
        do {
            return try body()
        } catch {
            // Unbounded data isn't read to its end.
            if budget?.isSpent ?? false { throw error }
            recover(error)
            return substitute
        }
    }
}
