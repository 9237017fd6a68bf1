// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Numbers distinct values in the order of their first occurrence. It's a hash table with open addressing, optimised
/// for many rows with few values.
///
/// Values are distinct if they are stored differently, except that all NaNs of a type are one value.
struct GroupTable {
    private(set) var values: [StoredValue] = []
    /// Each number plus one; 0 for a free slot. The count is a power of two.
    private var slots: [Int32] = Array(repeating: 0, count: 64)

    mutating func number(of value: StoredValue) -> Int {
        let value = value.isNaN ? value.plainNaN : value
        var slot = Int(truncatingIfNeeded: value.groupHash) & (slots.count - 1)
        while slots[slot] != 0 {
            let number = Int(slots[slot]) - 1
            if values[number].isIdentical(to: value) { return number }
            slot = (slot + 1) & (slots.count - 1)
        }
        values.append(value)
        slots[slot] = Int32(values.count)
        if values.count * 2 > slots.count { grow() }
        return values.count - 1
    }

    private mutating func grow() {
        slots = Array(repeating: 0, count: slots.count * 4)
        for (number, value) in values.enumerated() {
            var slot = Int(truncatingIfNeeded: value.groupHash) & (slots.count - 1)
            while slots[slot] != 0 { slot = (slot + 1) & (slots.count - 1) }
            slots[slot] = Int32(number + 1)
        }
    }
}

extension StoredValue {
    fileprivate var plainNaN: StoredValue {
        switch self {
        case .float: .float(.nan)
        case .double: .double(.nan)
        default: self
        }
    }

    /// Equal for values stored alike, and distributed over all bits.
    fileprivate var groupHash: UInt64 {
        switch self {
        case .null: 0
        case .int(let value): Self.mixed(UInt64(bitPattern: value))
        case .bool(let value): Self.mixed(value ? 1 : 2)
        case .string(let text): Self.mixed(text.utf8)
        default: UInt64(bitPattern: Int64(hashValue))
        }
    }

    private static func mixed(_ bits: UInt64) -> UInt64 {
        let product = bits.multipliedFullWidth(by: 0x9E37_79B9_7F4A_7C15)
        return product.high ^ product.low
    }

    private static func mixed(_ bytes: some Sequence<UInt8>) -> UInt64 {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in bytes { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        return mixed(hash)
    }
}
