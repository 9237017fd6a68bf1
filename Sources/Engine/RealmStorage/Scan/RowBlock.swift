// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Up to 256 rows of a cluster leaf, which is the whole leaf in every file of a known writer.
package struct RowBlock {
    package let leaf: ClusterLeaf
    /// The row of the leaf that is row 0 of a `RowSet`.
    package let start: Int
    package let count: Int

    package init(leaf: ClusterLeaf, start: Int, count: Int) {
        self.leaf = leaf
        self.start = start
        self.count = count
    }

    package func position(of row: Int) -> ClusterTree.Position {
        ClusterTree.Position(leaf: leaf, row: start + row)
    }

    package func key(at row: Int) -> ObjectKey { leaf.key(at: start + row) }
    package func append(_ rows: RowSet, to keys: inout [ObjectKey]) {
        unsafe withUnsafeTemporaryAllocation(of: ObjectKey.self, capacity: ClusterLeaf.keyBatch) { batch in
            var count = 0
            rows.forEach { row in
                if count == batch.count {
                    unsafe keys.append(contentsOf: batch)
                    count = 0
                }
                unsafe batch.initializeElement(at: count, to: leaf.key(at: start &+ row))
                count &+= 1
                return true
            }
            unsafe keys.append(contentsOf: batch[..<count])
        }
    }

    package var allRows: RowSet { RowSet(count: count) }
}

extension ClusterTree {
    /// Visits all rows in key order until `body` returns false. The leaves of `column` are prefetched for `body`.
    package func forEachBlock(reading column: Column? = nil, _ body: (RowBlock) throws -> Bool) throws {
        try forEachLeaf(reading: column) { try $0.forEachBlock(body) }
    }

    package func forEachBlock(
        in piece: ClusterPiece, reading column: Column? = nil, _ body: (RowBlock) throws -> Bool
    ) throws {
        _ = try forEachLeaf(in: piece, reading: column) { try $0.forEachBlock(body) }
    }
}

extension ClusterLeaf {
    /// Few enough for the stack.
    static let keyBatch = 64

    func appendKeys(of rows: Range<Int>, to keys: inout [ObjectKey]) {
        unsafe withUnsafeTemporaryAllocation(of: ObjectKey.self, capacity: ClusterLeaf.keyBatch) { batch in
            for start in stride(from: rows.lowerBound, to: rows.upperBound, by: batch.count) {
                let count = min(batch.count, rows.upperBound - start)
                for index in 0..<count { unsafe batch.initializeElement(at: index, to: key(at: start &+ index)) }
                unsafe keys.append(contentsOf: UnsafeBufferPointer(rebasing: batch[..<count]))
            }
        }
    }

    fileprivate func forEachBlock(_ body: (RowBlock) throws -> Bool) throws -> Bool {
        for start in stride(from: 0, to: count, by: RowSet.capacity) {
            let block = RowBlock(leaf: self, start: start, count: min(RowSet.capacity, count - start))
            guard try body(block) else { return false }
        }
        return true
    }
}
