// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Putting object keys in the order of their table.
package enum KeyOrder {
    /// The keys ascending, each once.
    package static func ascending(_ keys: [ObjectKey]) -> [ObjectKey] {
        guard var last = keys.first else { return keys }
        var (least, greatest, isAscending) = (last, last, true)
        for key in keys.dropFirst() {
            isAscending = isAscending && last < key
            (least, greatest, last) = (min(least, key), max(greatest, key), key)
        }
        if isAscending { return keys }
        let span = UInt64(bitPattern: greatest.rawValue &- least.rawValue)
        if span >> 7 < keys.count { return byBits(keys, from: least.rawValue, span) }
        var result: [ObjectKey] = []
        result.reserveCapacity(keys.count)
        for key in keys.sorted() where result.last != key { result.append(key) }
        return result
    }

    /// By a bit for every key there could be, which takes at most two words for each key there is.
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
