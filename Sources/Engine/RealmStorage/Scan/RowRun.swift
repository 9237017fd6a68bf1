// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Rows of one cluster leaf, in the caller's order. The longest part of a list of objects that can be read together.
package struct RowRun {
    package let leaf: ClusterLeaf
    /// All below the leaf's count.
    package let rows: [Int]
    fileprivate let isContiguous: Bool

    package var count: Int { rows.count }

    package var block: RowBlock? {
        guard isContiguous, let start = rows.first else { return nil }
        return RowBlock(leaf: leaf, start: start, count: count)
    }

    package func appendKeys(to keys: inout [ObjectKey]) {
        if let block {
            leaf.appendKeys(of: block.start..<block.start + block.count, to: &keys)
        } else {
            for row in rows { keys.append(leaf.key(at: row)) }
        }
    }
}

extension ClusterTree {
    /// Visits all objects in key order. The leaves of `column` are prefetched for `body`.
    package func forEachRun(reading column: Column?, _ body: (RowRun) throws -> Void) throws {
        // Nearly all leaves have the same rows, so the array is reused.
        var rows: [Int] = []
        try forEachBlock(reading: column) { block in
            if rows.first != block.start || rows.count != block.count {
                rows = Array(block.start..<block.start + block.count)
            }
            try body(RowRun(leaf: block.leaf, rows: rows, isContiguous: true))
            return true
        }
    }
}

extension Table {
    /// Calls `body` with the given objects in their order, and with their indices in `keys`. Skips removed objects.
    /// Allocates nothing for a row.
    package func forEachRun(
        of keys: [ObjectKey], _ body: (RowRun, Range<Int>) throws -> Void
    ) throws {
        try visitRuns(of: keys) { run, places in
            try body(run, places)
            return true
        }
    }

    package func visitRuns(of keys: [ObjectKey], _ body: (RowRun, Range<Int>) throws -> Bool) throws {
        var index = 0
        var rows: [Int] = []
        rows.reserveCapacity(RowSet.capacity)
        while index < keys.count {
            let key = keys[index]
            guard key.rawValue >= 0 else {
                index += 1
                continue
            }
            let leaf = try clusters.leaf(for: UInt64(bitPattern: key.rawValue))
            rows.removeAll(keepingCapacity: true)
            let isContiguous = leaf.appendRows(of: keys, from: index, to: &rows)
            if !rows.isEmpty {
                let run = RowRun(leaf: leaf, rows: rows, isContiguous: isContiguous)
                guard try body(run, index..<index + rows.count) else { return }
            }
            // If this leaf doesn't contain the first key, no leaf does.
            index += max(1, rows.count)
        }
    }
}

extension ClusterLeaf {
    /// Appends the rows of the keys from `start` on, up to the first that isn't in this leaf. Returns whether the rows
    /// are consecutive.
    fileprivate func appendRows(of keys: [ObjectKey], from start: Int, to rows: inout [Int]) -> Bool {
        let end = min(keys.count, start + RowSet.capacity)
        guard let node = self.keys else {
            for index in start..<end {
                let row = UInt64(bitPattern: keys[index].rawValue) &- keyOffset
                guard row < UInt64(count) else { break }
                rows.append(Int(row))
            }
            return rows.followEachOther
        }
        var next = 0
        for index in start..<end {
            let relative = UInt64(bitPattern: keys[index].rawValue) &- keyOffset
            // Usually the row is the one after the last.
            if next < count, node.unsigned(next) == relative {
                rows.append(next)
            } else {
                guard let row = row(of: keys[index]) else { break }
                rows.append(row)
                next = row
            }
            next += 1
        }
        return rows.followEachOther
    }
}

extension [Int] {
    fileprivate var followEachOther: Bool {
        guard let first, let last, last &- first == count &- 1 else { return isEmpty }
        var isRising = true
        for index in 1..<Swift.max(1, count) { isRising = isRising && self[index] == self[index &- 1] &+ 1 }
        return isRising
    }
}
