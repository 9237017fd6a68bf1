// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A set of strings or data that is optimised for frequent tests: a hash table of their bytes.
///
/// It's a class so that the threads of a scan, which read it for each block, count references to one object instead of
/// each of its arrays.
final class ByteSet: Sendable {
    /// The values in ascending order, without repetitions.
    let values: [[UInt8]]
    /// The index of a value, plus one, below the upper half of its hash; 0 for an empty slot.
    private let slots: [UInt64]
    /// All values in sequence, and the end of each.
    private let bytes: [UInt8]
    private let ends: [Int]
    private let seed: UInt64
    /// Excludes most strings that aren't in the set.
    let beginnings: PrefixFilter

    init(_ given: [[UInt8]]) {
        var values: [[UInt8]] = []
        for value in ByteSet.sorted(given) where values.last != value { values.append(value) }
        let seed = HashSeed.value
        (self.values, self.seed) = (values, seed)
        beginnings = PrefixFilter(values)
        var (bytes, ends) = ([UInt8](), [Int]())
        for value in values {
            bytes += value
            ends.append(bytes.count)
        }
        (self.bytes, self.ends) = (bytes, ends)
        var size = 16
        while size < values.count * 2 { size *= 2 }
        var slots = [UInt64](repeating: 0, count: size)
        for (number, value) in values.enumerated() {
            let place = unsafe value.withUnsafeBytes { unsafe HashSeed.hash($0, seed: seed) }
            var slot = Int(truncatingIfNeeded: place) & (size - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (size - 1) }
            slots[slot] = place & ~0xFFFF_FFFF | UInt64(number + 1)
        }
        self.slots = slots
    }

    /// Returns the values in ascending order. The first sixteen bytes determine most of it.
    private static func sorted(_ given: [[UInt8]]) -> [[UInt8]] {
        func word(_ value: [UInt8], _ start: Int) -> UInt64 {
            (start..<start + 8).reduce(0) { $0 << 8 | ($1 < value.count ? UInt64(value[$1]) : 0) }
        }
        let keys = given.indices.map { (high: word(given[$0], 0), low: word(given[$0], 8), index: $0) }
        let order = keys.sorted { a, b in
            if a.high != b.high { return a.high < b.high }
            if a.low != b.low { return a.low < b.low }
            return ByteOrder.compare(given[a.index], given[b.index]) < 0
        }
        return order.map { given[$0.index] }
    }

    func contains(_ value: UnsafeRawBufferPointer) -> Bool {
        let place = unsafe HashSeed.hash(value, seed: seed)
        var slot = Int(truncatingIfNeeded: place) & (slots.count &- 1)
        while slots[slot] != 0 {
            if (slots[slot] ^ place) >> 32 == 0 {
                let number = Int(truncatingIfNeeded: slots[slot] & 0xFFFF_FFFF) &- 1
                let start = number == 0 ? 0 : ends[number &- 1]
                let isEqual = unsafe bytes.withUnsafeBytes {
                    unsafe ByteOrder.isEqual(UnsafeRawBufferPointer(rebasing: $0[start..<ends[number]]), value)
                }
                if isEqual { return true }
            }
            slot = (slot &+ 1) & (slots.count &- 1)
        }
        return false
    }
}
