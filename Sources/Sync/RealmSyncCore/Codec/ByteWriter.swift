// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Writes the primitive encodings of §3.1.
struct ByteWriter {
    private(set) var bytes: [UInt8] = []

    mutating func clear() { bytes.removeAll(keepingCapacity: true) }

    mutating func int(_ value: Int64) {
        let sign: UInt8 = value < 0 ? 0x40 : 0
        var magnitude = UInt64(bitPattern: value < 0 ? ~value : value)
        while magnitude >> 6 != 0 {
            bytes.append(UInt8(magnitude & 0x7F) | 0x80)
            magnitude >>= 7
        }
        bytes.append(UInt8(magnitude) | sign)
    }

    mutating func int(_ value: Int) { int(Int64(value)) }

    mutating func bool(_ value: Bool) { bytes.append(value ? 1 : 0) }

    mutating func raw(_ value: some Sequence<UInt8>) { bytes.append(contentsOf: value) }

    mutating func binary(_ value: [UInt8]) {
        int(value.count)
        raw(value)
    }

    mutating func text(_ value: Text) {
        int(value.string.utf8.count)
        raw(value.string.utf8)
    }

    mutating func fixed<Number: FixedWidthInteger>(_ value: Number) {
        var rest = value
        for _ in 0..<MemoryLayout<Number>.size {
            bytes.append(UInt8(truncatingIfNeeded: rest))
            rest >>= 8
        }
    }

    mutating func timestamp(_ value: Timestamp) {
        int(value.seconds)
        int(Int64(value.nanoseconds))
    }

    mutating func decimal(_ value: DecimalBits) {
        var (low, high) = (value.low, value.high & 0x0001_FFFF_FFFF_FFFF)
        while high != 0 || low >> 6 != 0 {
            bytes.append(UInt8(low & 0x7F) | 0x80)
            low = low >> 7 | high << 57
            high >>= 7
        }
        bytes.append(UInt8(low))
        int(Int64(value.high >> 49 & 0x3FFF) - 6176)
        bool(value.high >> 63 != 0)
    }
}
