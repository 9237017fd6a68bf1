// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Aggregates over some rows of an Int or Double column. A row counts as often as it occurs in the run. Nulls are
/// ignored.
extension ColumnLeaf {
    package func sumOfInts(of run: RowRun) -> IntSum {
        if let block = run.block { return sumOfInts(from: block.start, count: block.count) }
        precondition(run.count <= RowSet.capacity)
        var sum = IntSum()
        forEachInt(run) { value in
            sum.high &+= value >> 32
            sum.low &+= value & 0xFFFF_FFFF
            sum.count &+= 1
        }
        return sum
    }

    package func extremeInts(of run: RowRun) -> ClosedRange<Int64>? {
        var (least, greatest) = (Int64.max, Int64.min)
        forEachInt(run) { value in
            least = min(least, value)
            greatest = max(greatest, value)
        }
        return least <= greatest ? least...greatest : nil
    }

    package func sumOfDoubles(of run: RowRun, to sum: Double) -> (sum: Double, count: Int) {
        var (sum, found) = (sum, 0)
        forEachDouble(run) { value in
            sum += value
            found &+= 1
        }
        return (sum, found)
    }

    package func extremeDoubles(of run: RowRun) -> (least: Double, greatest: Double)? {
        var (least, greatest) = (Double.infinity, -Double.infinity)
        var found = false
        forEachDouble(run) { value in
            if value <= least { least = value }
            if value >= greatest { greatest = value }
            found = true
        }
        return found ? (least, greatest) : nil
    }

    @inline(__always)
    private func forEachInt(_ run: RowRun, _ body: (Int64) -> Void) {
        if kind == .int {
            for row in run.rows { body(node[row]) }
        } else {
            precondition(kind == .optionalInt)
            let marker = node[0]
            for row in run.rows {
                let value = node[row &+ 1]
                if value != marker { body(value) }
            }
        }
    }

    @inline(__always)
    private func forEachDouble(_ run: RowRun, _ body: (Double) -> Void) {
        precondition(kind == .double)
        for row in run.rows {
            precondition(UInt(bitPattern: row) < UInt(bitPattern: count))
            let bits = unsafe UInt64(
                littleEndian: node.payload.loadUnaligned(fromByteOffset: row &* 8, as: UInt64.self))
            let value = Double(bitPattern: bits)
            if value == value { body(value) }
        }
    }
}
