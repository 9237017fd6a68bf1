// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Aggregates over the rows of a Double column, without a value for each row. Nulls and NaNs are ignored.
extension ColumnLeaf {
    /// Calls `body` with the numbers in row order. Null is stored as a NaN.
    @inline(__always)
    private func forEachDouble(_ start: Int, _ count: Int, _ body: (Double) -> Void) {
        precondition(kind == .double && start >= 0 && count >= 0 && start <= self.count - count)
        for row in start..<start &+ count {
            let bits = unsafe UInt64(
                littleEndian: node.payload.loadUnaligned(fromByteOffset: row &* 8, as: UInt64.self))
            let value = Double(bitPattern: bits)
            if value == value { body(value) }
        }
    }

    package func sumOfDoubles(from start: Int, count: Int, to sum: Double) -> (sum: Double, count: Int) {
        var (sum, found) = (sum, 0)
        forEachDouble(start, count) { value in
            sum += value
            found &+= 1
        }
        return (sum, found)
    }

    package func extremeDoubles(from start: Int, count: Int) -> (least: Double, greatest: Double)? {
        var (least, greatest) = (Double.infinity, -Double.infinity)
        var found = false
        forEachDouble(start, count) { value in
            if value <= least { least = value }
            if value >= greatest { greatest = value }
            found = true
        }
        return found ? (least, greatest) : nil
    }
}
