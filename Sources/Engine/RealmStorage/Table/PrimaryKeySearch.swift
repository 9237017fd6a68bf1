// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Finds objects of one version of a table by their primary keys. Resolves the parts common to all keys only once.
///
/// Valid as long as the version's nodes don't move. Confined like `ClusterLeafCache`.
package struct PrimaryKeySearch {
    private let index: SearchIndex
    private let clusters: ClusterTree
    private let known: ClusterLeafCache
    /// The index of the primary keys' column leaf among the children of a cluster leaf.
    private let child: Int
    private let kind: LeafKind
    private var distance = SequentialKeyPredictor()

    package struct Found {
        package let leaf: Node
        package let row: Int
        package let key: ObjectKey
    }

    /// Returns nil for a table without a primary key, which exists during a migration. `table` must not be that of a
    /// write transaction, which may change.
    package init?(_ table: Table, _ known: ClusterLeafCache) throws {
        guard let primaryKey = table.primaryKey else { return nil }
        let column = try table.require(primaryKey)
        index = try table.index(column)
        clusters = table.clusters
        self.known = known
        child = column.leafIndex + 1
        kind = column.leafKind
    }

    /// Returns the object whose primary key is `value`. `approach` is called with each candidate before the comparison,
    /// so it can prefetch memory.
    package mutating func find(_ value: StoredValue, approach: (Found) -> Void) throws -> Found? {
        guard kind == .int, case .int(let number) = value else { return try findInIndex(value, approach) }
        var distance = distance
        defer { self.distance = distance }
        return try distance.find(
            number, guessed: { try candidate($0, value, approach) }, indexed: { try findInIndex(value, approach) },
            key: \.key)
    }

    private func findInIndex(_ value: StoredValue, _ approach: (Found) -> Void) throws -> Found? {
        var found: Found?
        _ = try index.first(equalTo: value) { key in
            found = try candidate(key, value, approach)
            return found != nil
        }
        return found
    }

    private func candidate(_ key: ObjectKey, _ value: StoredValue, _ approach: (Found) -> Void) throws -> Found? {
        guard let candidate = try object(key) else { return nil }
        approach(candidate)
        return try hasKey(value, candidate) ? candidate : nil
    }

    private func object(_ key: ObjectKey) throws -> Found? {
        guard key.rawValue >= 0 else { return nil }
        if let (leaf, row) = known.row(of: key, in: clusters.space) {
            clusters.verify(key, isIn: leaf, row)
            return Found(leaf: leaf, row: row, key: key)
        }
        guard let position = try clusters.find(key, known) else { return nil }
        return Found(leaf: position.leaf.node, row: position.row, key: key)
    }

    private func hasKey(_ value: StoredValue, _ object: Found) throws -> Bool {
        let ref = try object.leaf.child(child)
        if kind == .int, case .int(let number) = value {
            return try clusters.space.integers(ref).element(object.row) == number
        }
        let column = try ColumnLeaf(clusters.space, ref, kind)
        guard object.row < column.count else {
            throw StorageError.corrupt("a column with too few values", at: object.leaf.ref)
        }
        return StoredValue.compare(try column.value(at: object.row), value) == 0
    }
}
