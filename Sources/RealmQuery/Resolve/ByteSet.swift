// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Some strings or data, made to be asked for often: a hash table of their bytes.
struct ByteSet: Sendable {
    /// Ascending, without repetitions.
    let values: [[UInt8]]
    /// The number of a value, plus one, below the upper half of its hash; 0 where there is none.
    private var slots: [UInt64]
    /// All values one after the other, and where each ends.
    private let bytes: [UInt8]
    private let ends: [Int]
    private let salt = UInt64.random(in: .min ... .max)

    init(_ given: [[UInt8]]) {
        var values: [[UInt8]] = []
        for value in ByteSet.sorted(given) where values.last != value { values.append(value) }
        self.values = values
        var (bytes, ends) = ([UInt8](), [Int]())
        for value in values {
            bytes += value
            ends.append(bytes.count)
        }
        (self.bytes, self.ends) = (bytes, ends)
        var size = 16
        while size < values.count * 2 { size *= 2 }
        slots = Array(repeating: 0, count: size)
        for (number, value) in values.enumerated() {
            let place = unsafe value.withUnsafeBytes { unsafe hash($0) }
            var slot = Int(truncatingIfNeeded: place) & (size - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (size - 1) }
            slots[slot] = place & ~0xFFFF_FFFF | UInt64(number + 1)
        }
    }

    /// In ascending order, which the first sixteen bytes decide for most.
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
        let place = unsafe hash(value)
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

    /// Eight bytes at a time; a salt of its own for every set keeps anybody from choosing values that all meet.
    private func hash(_ value: UnsafeRawBufferPointer) -> UInt64 {
        let count = value.count
        var hash = salt ^ UInt64(truncatingIfNeeded: count)
        var offset = 0
        while offset &+ 8 <= count {
            hash = ByteSet.mixed(hash, unsafe value.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
            offset &+= 8
        }
        guard offset < count else { return hash }
        // The rest in one piece, together with bytes that were taken before.
        if count >= 8 {
            return ByteSet.mixed(hash, unsafe value.loadUnaligned(fromByteOffset: count &- 8, as: UInt64.self))
        }
        if count >= 4 {
            let low = unsafe value.loadUnaligned(as: UInt32.self)
            let high = unsafe value.loadUnaligned(fromByteOffset: count &- 4, as: UInt32.self)
            return ByteSet.mixed(hash, UInt64(low) | UInt64(high) << 32)
        }
        let (first, middle, last) = unsafe (value[0], value[count >> 1], value[count &- 1])
        return ByteSet.mixed(hash, UInt64(first) | UInt64(middle) << 8 | UInt64(last) << 16)
    }

    private static func mixed(_ hash: UInt64, _ word: UInt64) -> UInt64 {
        let product = (hash ^ word) &* 0x9E37_79B9_7F4A_7C15
        return (product ^ (product >> 29)) &* 0xD6E8_FEB8_6659_FD93
    }
}
