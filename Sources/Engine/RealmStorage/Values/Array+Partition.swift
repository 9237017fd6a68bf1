// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension Array {
    /// Returns the index of the first element that satisfies `isBehind`, or the count. All elements that satisfy it
    /// must follow all that don't.
    func partitioningIndex(where isBehind: (Element) -> Bool) -> Int {
        var range = 0..<count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = isBehind(self[middle]) ? range.lowerBound..<middle : middle + 1..<range.upperBound
        }
        return range.lowerBound
    }
}
