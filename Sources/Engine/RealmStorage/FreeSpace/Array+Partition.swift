// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

extension Array {
    /// The index of the first element that `isBehind`, or the count. All that are must come after all that are not.
    func partitioningIndex(where isBehind: (Element) -> Bool) -> Int {
        var range = 0..<count
        while !range.isEmpty {
            let middle = range.lowerBound + range.count / 2
            range = isBehind(self[middle]) ? range.lowerBound..<middle : middle + 1..<range.upperBound
        }
        return range.lowerBound
    }
}
