// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

package enum KeyOrder {
    /// Returns the keys in ascending order, without duplicates.
    package static func ascending(_ keys: [ObjectKey]) -> [ObjectKey] {
        if isAscending(keys) { return keys }
        let (least, greatest) = keys.reduce((keys[0], keys[0])) { (min($0.0, $1), max($0.1, $1)) }
        let span = UInt64(bitPattern: greatest.rawValue &- least.rawValue)
        if span >> 7 < keys.count { return byBits(keys, from: least.rawValue, span) }
        var result: [ObjectKey] = []
        result.reserveCapacity(keys.count)
        for key in keys.sorted() where result.last != key { result.append(key) }
        return result
    }

    /// Most lists ascend, so this has no branch for each key.
    private static func isAscending(_ keys: [ObjectKey]) -> Bool {
        var descents = 0
        for index in stride(from: 1, to: keys.count, by: 1) {
            descents &+= keys[index &- 1] < keys[index] ? 0 : 1
        }
        return descents == 0
    }

    /// Sorts with a bit for every possible key, which needs at most two words for each key.
    private static func byBits(_ keys: [ObjectKey], from least: Int64, _ span: UInt64) -> [ObjectKey] {
        var bits = [UInt64](repeating: 0, count: Int(span >> 6) + 1)
        for key in keys {
            let place = Int(key.rawValue &- least)
            bits[place >> 6] |= 1 << UInt64(place & 63)
        }
        var result: [ObjectKey] = []
        result.reserveCapacity(keys.count)
        for index in bits.indices {
            var rest = bits[index]
            while rest != 0 {
                result.append(ObjectKey(least &+ Int64(index << 6 + rest.trailingZeroBitCount)))
                rest &= rest &- 1
            }
        }
        return result
    }
}
