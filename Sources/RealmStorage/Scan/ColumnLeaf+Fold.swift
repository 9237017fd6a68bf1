// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Aggregates over the rows of an Int column, without a value for each row. Nulls count for nothing.
extension ColumnLeaf {
    /// A sum in two parts that cannot overflow: `high * 2^32 + low`.
    package struct IntSum {
        package var high: Int64 = 0
        package var low: Int64 = 0
        package var count = 0
    }

    package func sumOfInts(from start: Int, count: Int) -> IntSum {
        var sum = IntSum()
        forEachInt(start, count) { value in
            sum.high &+= value >> 32
            sum.low &+= value & 0xFFFF_FFFF
            sum.count &+= 1
        }
        return sum
    }

    package func leastInt(from start: Int, count: Int) -> Int64? {
        var least = Int64.max
        var isEmpty = true
        forEachInt(start, count) { value in
            least = min(least, value)
            isEmpty = false
        }
        return isEmpty ? nil : least
    }

    package func greatestInt(from start: Int, count: Int) -> Int64? {
        var greatest = Int64.min
        var isEmpty = true
        forEachInt(start, count) { value in
            greatest = max(greatest, value)
            isEmpty = false
        }
        return isEmpty ? nil : greatest
    }

    @inline(__always)
    private func forEachInt(_ start: Int, _ count: Int, _ body: (Int64) -> Void) {
        if kind == .int {
            node.forEachPacked(from: start, count: count, body)
        } else {
            precondition(kind == .optionalInt)
            let marker = node[0]
            node.forEachPacked(from: start + 1, count: count) { if $0 != marker { body($0) } }
        }
    }
}
