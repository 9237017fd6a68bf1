// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Some integers, made to be asked for often: bits where they are close together or few enough for a cache, else a hash
/// table.
struct IntegerSet: Sendable {
    /// Ascending, without repetitions.
    let values: [Int64]
    /// A bit for each integer from the least to the greatest; empty if there is a table.
    private var bits: [UInt64] = []
    private var slots: [Int64] = []
    /// What marks an empty slot: an integer that is not in the set.
    private var empty: Int64 = 0
    private var shift: UInt64 = 0
    private let salt = UInt64.random(in: .min ... .max)

    init(_ given: some Sequence<Int64>) {
        var values: [Int64] = []
        for value in given.sorted() where values.last != value { values.append(value) }
        self.values = values
        guard let least = values.first, let greatest = values.last else { return }
        let span = UInt64(bitPattern: greatest) &- UInt64(bitPattern: least)
        if span / 128 <= UInt64(values.count) || span < 1 << 20 { fillBits(least, span) } else { fillSlots(least) }
    }

    var count: Int { values.count }

    private mutating func fillBits(_ least: Int64, _ span: UInt64) {
        bits = Array(repeating: 0, count: Int(span >> 6) + 1)
        for value in values {
            let place = UInt64(bitPattern: value &- least)
            bits[Int(place >> 6)] |= 1 << (place & 63)
        }
    }

    private mutating func fillSlots(_ least: Int64) {
        // Below the least value, or where a gap between values begins: values of this kind are far apart.
        empty = least > .min ? least - 1 : gap() ?? 0
        var size = 16
        while size < values.count * 2 { size *= 2 }
        shift = 64 - UInt64(size.trailingZeroBitCount)
        slots = Array(repeating: empty, count: size)
        for value in values {
            var slot = place(value)
            while slots[slot] != empty { slot = (slot + 1) & (size - 1) }
            slots[slot] = value
        }
    }

    /// The first integer behind one of the set that is not in it.
    private func gap() -> Int64? {
        zip(values, values.dropFirst()).first { $0 < .max && $0 + 1 < $1 }.map { $0.0 + 1 }
    }

    /// A salt of its own for every set: nobody can choose values that all meet in one place.
    private func place(_ value: Int64) -> Int {
        var bits = (UInt64(bitPattern: value) ^ salt) &* 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ (bits >> 32)) &* 0xD6E8_FEB8_6659_FD93
        return Int(truncatingIfNeeded: bits &>> shift)
    }

    func contains(_ value: Int64) -> Bool {
        if !bits.isEmpty {
            let place = UInt64(bitPattern: value &- values[0])
            guard place >> 6 < UInt64(bits.count) else { return false }
            return bits[Int(truncatingIfNeeded: place >> 6)] & (1 &<< (place & 63)) != 0
        }
        guard !slots.isEmpty, value != empty else { return false }
        var slot = place(value)
        while slots[slot] != empty {
            if slots[slot] == value { return true }
            slot = (slot &+ 1) & (slots.count &- 1)
        }
        return false
    }
}

/// Some floating-point numbers, made to be asked for often; by their bits, with one zero. NaN is never in it.
struct NumberSet<Number: BinaryFloatingPoint & Sendable>: Sendable {
    private let bits: IntegerSet
    /// From the least to the greatest; nil if there are none.
    let range: ClosedRange<Number>?

    init(_ numbers: [Number]) {
        let numbers = numbers.filter { !$0.isNaN }
        bits = IntegerSet(numbers.lazy.map { NumberSet.bits($0) })
        range = numbers.min().flatMap { least in numbers.max().map { least...$0 } }
    }

    func contains(_ number: Number) -> Bool { !number.isNaN && bits.contains(NumberSet.bits(number)) }

    /// A Float is a Double exactly.
    private static func bits(_ number: Number) -> Int64 {
        Int64(bitPattern: Double(number == 0 ? 0 : number).bitPattern)
    }
}

/// Some objects of one table, made to be asked for often.
package struct KeySet: Sendable {
    /// Ascending, without repetitions.
    package let keys: [ObjectKey]
    private let numbers: IntegerSet
    /// Whether the second byte of all keys is 0, as in the keys of tables without primary key (content 1.3): without
    /// it they are close together.
    private let isSqueezed: Bool

    package init(_ given: some Collection<ObjectKey>) {
        let isSqueezed = given.allSatisfy { $0.rawValue & 0xFF00 == 0 }
        self.isSqueezed = isSqueezed
        numbers = IntegerSet(given.lazy.map { isSqueezed ? KeySet.number($0) : $0.rawValue })
        keys = numbers.values.map { isSqueezed ? KeySet.key($0) : ObjectKey($0) }
    }

    private static func number(_ key: ObjectKey) -> Int64 { key.rawValue & 0xFF | (key.rawValue >> 8 & ~0xFF) }
    private static func key(_ number: Int64) -> ObjectKey { ObjectKey(number & 0xFF | (number & ~0xFF) << 8) }

    package func contains(_ key: ObjectKey) -> Bool {
        guard isSqueezed else { return numbers.contains(key.rawValue) }
        return key.rawValue & 0xFF00 == 0 && numbers.contains(KeySet.number(key))
    }
}
