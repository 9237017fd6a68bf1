// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A set of integers that is optimised for frequent tests: bits if they are close together or few enough for a cache,
/// otherwise a hash table.
///
/// A class for the same reason as `ByteSet`.
final class IntegerSet: Sendable {
    /// The values in ascending order, without repetitions.
    let values: [Int64]
    let bits: IntegerBits?
    private let table: IntegerTable?

    init(_ given: some Sequence<Int64>) {
        var values: [Int64] = []
        for value in given.sorted() where values.last != value { values.append(value) }
        self.values = values
        guard let least = values.first, let greatest = values.last else {
            (bits, table) = (nil, nil)
            return
        }
        let span = UInt64(bitPattern: greatest) &- UInt64(bitPattern: least)
        let isDense = span / 128 <= UInt64(values.count) || span < 1 << 20
        bits = isDense ? IntegerBits(values, from: least, span) : nil
        table = isDense ? nil : IntegerTable(values, from: least)
    }

    func contains(_ value: Int64) -> Bool {
        if let bits { return bits.flag(value) != 0 }
        return table?.contains(value) ?? false
    }
}

/// A bit for each integer from the minimum of a set to the maximum.
struct IntegerBits: Sendable {
    private let least: Int64
    /// The last word has no bits. It represents all integers that are too large or too small.
    private var words: [UInt64]

    /// - Precondition: `values` are from `least` to `least + span`.
    fileprivate init(_ values: [Int64], from least: Int64, _ span: UInt64) {
        self.least = least
        words = Array(repeating: 0, count: Int(span >> 6) + 2)
        for value in values {
            let place = UInt64(bitPattern: value &- least)
            words[Int(place >> 6)] |= 1 << (place & 63)
        }
    }

    /// Returns 1 if the integer is in the set, otherwise 0. Without a branch, for scans.
    func flag(_ value: Int64) -> UInt8 {
        let place = UInt64(bitPattern: value &- least)
        let word = min(place >> 6, UInt64(words.count &- 1))
        return UInt8(truncatingIfNeeded: words[Int(truncatingIfNeeded: word)] &>> (place & 63)) & 1
    }
}

/// A hash table of integers that are far apart.
private struct IntegerTable: Sendable {
    private var slots: [Int64]
    private let empty: Int64
    private let shift: UInt64
    private let salt = UInt64.random(in: .min ... .max)

    init(_ values: [Int64], from least: Int64) {
        // An integer below the minimum, or in a gap between values, which are far apart here.
        empty = least > .min ? least - 1 : IntegerTable.gap(values) ?? 0
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

    private static func gap(_ values: [Int64]) -> Int64? {
        zip(values, values.dropFirst()).first { $0 < .max && $0 + 1 < $1 }.map { $0.0 + 1 }
    }

    /// Each set has its own salt, so that an attacker can't choose values that all have the same slot.
    private func place(_ value: Int64) -> Int {
        var bits = (UInt64(bitPattern: value) ^ salt) &* 0x9E37_79B9_7F4A_7C15
        bits = (bits ^ (bits >> 32)) &* 0xD6E8_FEB8_6659_FD93
        return Int(truncatingIfNeeded: bits &>> shift)
    }

    func contains(_ value: Int64) -> Bool {
        guard value != empty else { return false }
        var slot = place(value)
        while slots[slot] != empty {
            if slots[slot] == value { return true }
            slot = (slot &+ 1) & (slots.count &- 1)
        }
        return false
    }
}

/// A set of floating-point numbers that is optimised for frequent tests. It compares bits, with a single zero, and
/// never contains NaN.
struct NumberSet<Number: BinaryFloatingPoint & Sendable>: Sendable {
    private let bits: IntegerSet
    let range: ClosedRange<Number>?

    init(_ numbers: [Number]) {
        let numbers = numbers.filter { !$0.isNaN }
        bits = IntegerSet(numbers.lazy.map { NumberSet.bits($0) })
        range = numbers.min().flatMap { least in numbers.max().map { least...$0 } }
    }

    func contains(_ number: Number) -> Bool { !number.isNaN && bits.contains(NumberSet.bits(number)) }

    /// Every Float is exactly representable as a Double.
    private static func bits(_ number: Number) -> Int64 {
        Int64(bitPattern: Double(number == 0 ? 0 : number).bitPattern)
    }
}

/// A set of objects of one table that is optimised for frequent tests.
package struct KeySet: Sendable {
    /// The keys in ascending order, without repetitions.
    package let keys: [ObjectKey]
    private let numbers: IntegerSet
    /// Whether the second byte of all keys is 0, as in the keys of tables without a primary key (content 1.3). Without
    /// this byte they are close together.
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

    package func places(in given: [ObjectKey]) -> [Int] {
        guard !keys.isEmpty else { return [] }
        guard let bits = numbers.bits else { return given.indices.filter { contains(given[$0]) } }
        var places: [Int] = []
        // Without a branch for each key, because few of many keys are in the set.
        for start in stride(from: 0, to: given.count, by: 64) {
            let part = given[start..<min(start + 64, given.count)]
            var found = isSqueezed ? KeySet.squeezed(part, bits) : KeySet.flags(part) { bits.flag($0.rawValue) }
            while found != 0 {
                places.append(start + found.trailingZeroBitCount)
                found &= found &- 1
            }
        }
        return places
    }

    private static func squeezed(_ keys: ArraySlice<ObjectKey>, _ bits: IntegerBits) -> UInt64 {
        flags(keys) { bits.flag(number($0)) & ($0.rawValue & 0xFF00 == 0 ? 1 : 0) }
    }

    @inline(__always)
    private static func flags(_ keys: ArraySlice<ObjectKey>, _ flag: (ObjectKey) -> UInt8) -> UInt64 {
        var flags: UInt64 = 0
        for (place, key) in keys.enumerated() { flags |= UInt64(flag(key)) &<< UInt64(place) }
        return flags
    }
}
