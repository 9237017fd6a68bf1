// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension RandomAccessCollection where Index == Int {
    /// Returns the index of the first element that satisfies `isBehind`, or the end index. All elements that satisfy it
    /// must follow all that don't.
    @inlinable package func partitioningIndex(where isBehind: (Element) throws -> Bool) rethrows -> Int {
        var range = startIndex..<endIndex
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = try isBehind(self[middle]) ? range.lowerBound..<middle : middle + 1..<range.upperBound
        }
        return range.lowerBound
    }
}
