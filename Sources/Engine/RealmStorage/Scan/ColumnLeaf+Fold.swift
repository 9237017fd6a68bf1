// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Aggregates over at most 256 rows of an Int column, without a value for each row. Nulls are ignored.
extension ColumnLeaf {
    /// A sum in two parts that can't overflow: `high * 2^32 + low`.
    package struct IntSum {
        package var high: Int64 = 0
        package var low: Int64 = 0
        package var count = 0
    }

    package func sumOfInts(from start: Int, count: Int) -> IntSum {
        guard count <= RowSet.capacity, node.header.widthCode < 7 else { return sumOfWideInts(start, count) }
        var (total, found): (Int64, Int) = (0, count)
        if kind == .int {
            total = node.smallSum(from: start, count: count)
        } else {
            precondition(kind == .optionalInt)
            let marker = node[0]
            let nulls = node.count(from: start + 1, count: count, in: marker...marker)
            found -= nulls
            total = node.smallSum(from: start + 1, count: count) &- marker &* Int64(nulls)
        }
        return IntSum(high: total >> 32, low: total & 0xFFFF_FFFF, count: found)
    }

    private func sumOfWideInts(_ start: Int, _ count: Int) -> IntSum {
        var sum = IntSum()
        forEachInt(start, count) { value in
            sum.high &+= value >> 32
            sum.low &+= value & 0xFFFF_FFFF
            sum.count &+= 1
        }
        return sum
    }

    package func minInt(from start: Int, count: Int) -> Int64? { extremes(start, count)?.lowerBound }

    package func maxInt(from start: Int, count: Int) -> Int64? { extremes(start, count)?.upperBound }

    private func extremes(_ start: Int, _ count: Int) -> ClosedRange<Int64>? {
        if kind == .int { return count == 0 ? nil : node.extremes(from: start, count: count) }
        precondition(kind == .optionalInt)
        let marker = node[0]
        var isEmpty = true
        var row = start
        while isEmpty, row < start + count {
            isEmpty = node[row + 1] == marker
            row += 1
        }
        return isEmpty ? nil : node.extremes(from: start + 1, count: count, excluding: marker)
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
