// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Counts of the rows of one block, without the rows themselves.
extension ColumnLeaf {
    /// Null isn't counted.
    package func countInts(from start: Int, count: Int, in range: ClosedRange<Int64>) -> Int {
        guard kind == .optionalInt else {
            precondition(kind.isPacked)
            return node.count(from: start, count: count, in: range)
        }
        let marker = node[0]
        let all = node.count(from: start + 1, count: count, in: range)
        return range.contains(marker) ? all - node.count(from: start + 1, count: count, in: marker...marker) : all
    }
}
