// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A date: seconds and nanoseconds since 1970, never of opposite sign (content 10.4).
@frozen @usableFromInline
package struct Timestamp: Hashable, Comparable, Sendable {
    @usableFromInline package var seconds: Int64
    @usableFromInline package var nanoseconds: Int32

    @inlinable package init(seconds: Int64, nanoseconds: Int32) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    @inlinable package static func < (a: Timestamp, b: Timestamp) -> Bool {
        a.seconds == b.seconds ? a.nanoseconds < b.nanoseconds : a.seconds < b.seconds
    }

    package var isValid: Bool {
        abs(Int64(nanoseconds)) <= 999_999_999 && !(seconds < 0 && nanoseconds > 0) && !(seconds > 0 && nanoseconds < 0)
    }
}

/// The twelve bytes of an ObjectId, as big-endian numbers so that numeric order is byte order.
@frozen @usableFromInline
package struct ObjectIdBytes: Hashable, Comparable, Sendable {
    @usableFromInline package var high: UInt64
    @usableFromInline package var low: UInt32

    @inlinable package init(high: UInt64, low: UInt32) {
        self.high = high
        self.low = low
    }

    @inlinable package static func < (a: ObjectIdBytes, b: ObjectIdBytes) -> Bool {
        a.high == b.high ? a.low < b.low : a.high < b.high
    }

    package static let byteCount = 12

    package init(bytes: some Collection<UInt8>) {
        high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes.dropFirst(8).prefix(4).reduce(0) { $0 << 8 | UInt32($1) }
    }

    package init?(hexadecimal text: String) {
        guard let bytes = Hexadecimal.bytes(text, count: ObjectIdBytes.byteCount) else { return nil }
        self.init(bytes: bytes)
    }

    package var bytes: [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: high >> (56 - 8 * $0)) }
            + (0..<4).map { UInt8(truncatingIfNeeded: low >> (24 - 8 * $0)) }
    }
}

/// The sixteen bytes of a UUID, as big-endian numbers so that numeric order is byte order.
@frozen @usableFromInline
package struct UUIDBytes: Hashable, Comparable, Sendable {
    @usableFromInline package var high: UInt64
    @usableFromInline package var low: UInt64

    @inlinable package init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    @inlinable package static func < (a: UUIDBytes, b: UUIDBytes) -> Bool {
        a.high == b.high ? a.low < b.low : a.high < b.high
    }

    package static let byteCount = 16

    package init(bytes: some Collection<UInt8>) {
        high = bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        low = bytes.dropFirst(8).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
    }

    package var bytes: [UInt8] {
        (0..<8).map { UInt8(truncatingIfNeeded: high >> (56 - 8 * $0)) }
            + (0..<8).map { UInt8(truncatingIfNeeded: low >> (56 - 8 * $0)) }
    }
}

/// The 128 bits of an IEEE 754 decimal128 in binary-integer encoding. Sign, exponent and coefficient are as stored
/// (content 6.9).
@frozen @usableFromInline
package struct DecimalBits: Hashable, Sendable {
    @usableFromInline package var low: UInt64
    @usableFromInline package var high: UInt64

    @inlinable package init(low: UInt64, high: UInt64) {
        self.low = low
        self.high = high
    }
}
