// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The bit patterns that represent null (content 10.1).
enum NullPattern {
    static let float: UInt32 = 0x7FC0_00AA
    static let double: UInt64 = 0x7FF8_0000_0000_00AA
    static let decimal = DecimalBits(low: 0xAA, high: 0x7C00_0000_0000_0000)
}
