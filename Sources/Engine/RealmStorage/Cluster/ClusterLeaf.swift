// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A leaf of a cluster tree: up to 256 objects stored by column (content 5.2).
///
/// ```
/// [0]      tagged r: compact form, relative keys 0 … r-1;  or ref of the relative keys: general form
/// [1 + x]  the column leaf of leaf index x, r entries; 0 where no live column has that index
/// ```
@frozen @usableFromInline
package struct ClusterLeaf {
    @usableFromInline package let space: NodeSpace
    @usableFromInline package let node: Node
    /// The base of the relative keys.
    @usableFromInline package let keyOffset: UInt64
    /// Nil in compact form.
    @usableFromInline package let keys: Node?
    @usableFromInline package let count: Int

    package init(_ space: NodeSpace, _ node: Node, keyOffset: UInt64) throws {
        self.space = space
        self.node = node
        self.keyOffset = keyOffset
        (keys, count) = try ClusterLeaf.rows(space, try node.element(0), of: node.ref)
    }

    static func rows(_ space: NodeSpace, _ first: Int64, of ref: Ref) throws -> (keys: Node?, count: Int) {
        let keys = Tagged.isTagged(first) ? nil : try space.integers(Ref(element: first))
        let count = keys?.count ?? Int(clamping: Tagged.decode(first))
        // Columns of width 0 occupy no bytes, so the file's size doesn't bound the number of rows.
        guard count <= FileFormat.clusterCapacity else {
            throw StorageError.corrupt("an impossible cluster", at: ref)
        }
        return (keys, count)
    }

    init(_ space: NodeSpace, _ node: Node, keyOffset: UInt64, keys: Node?, count: Int) {
        self.space = space
        self.node = node
        self.keyOffset = keyOffset
        self.keys = keys
        self.count = count
    }

    @inlinable package func key(at row: Int) -> ObjectKey {
        ObjectKey(Int64(bitPattern: keyOffset &+ relativeKey(at: row)))
    }

    package var hasGaps: Bool { keys != nil }

    @inlinable func relativeKey(at row: Int) -> UInt64 { keys.map { $0.unsigned(row) } ?? UInt64(row) }

    @inlinable @inline(__always) package func row(of key: ObjectKey) -> Int? {
        let relative = UInt64(bitPattern: key.rawValue) &- keyOffset
        guard keys == nil else { return searchRow(of: relative) }
        return relative < UInt64(count) ? Int(relative) : nil
    }

    @usableFromInline func searchRow(of relative: UInt64) -> Int? {
        let row = lowerBound(of: relative)
        return row < count && relativeKey(at: row) == relative ? row : nil
    }

    func lowerBound(of relative: UInt64) -> Int {
        guard let keys else { return Int(min(relative, UInt64(count))) }
        return relative == 0 ? 0 : keys.unsignedCount(notAbove: relative - 1)
    }

    /// The column leaf of `leafIndex`, verified to have a value for every row.
    package func column(_ leafIndex: Int, _ kind: LeafKind) throws -> ColumnLeaf {
        let leaf = try ColumnLeaf(space, try node.child(leafIndex + 1), kind)
        guard leaf.count >= count else { throw ClusterLeaf.tooFewValues(in: leaf.node.ref) }
        return leaf
    }

    static func tooFewValues(in ref: Ref) -> any Error {
        StorageError.corrupt("a column with too few values", at: ref)
    }
}
