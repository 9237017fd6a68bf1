// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A number with a text form from which all of its bits can be read.
///
/// The text is the usual one of the number, or `bits:7ff8000000000001`, if the usual one is read as another number,
/// such as that of a NaN with a payload.
package protocol ExactlyWritten: CustomStringConvertible {
    init?(usualText: String)
    init?(bigEndianBytes: [UInt8])
    var bigEndianBytes: [UInt8] { get }
    /// Whether another number may have the same usual text.
    var sharesUsualText: Bool { get }
}

extension ExactlyWritten {
    package var exactText: String {
        let text = description
        guard sharesUsualText, Self(usualText: text)?.bigEndianBytes != bigEndianBytes else { return text }
        return exactTextPrefix + Hexadecimal.text(bigEndianBytes)
    }

    /// Returns nil if the text isn't that of a number of this type. Accepts all usual texts.
    package init?(exactText: String) {
        guard exactText.hasPrefix(exactTextPrefix) else {
            self.init(usualText: exactText)
            return
        }
        guard let bytes = Hexadecimal.bytes(exactText.dropFirst(exactTextPrefix.count)) else { return nil }
        self.init(bigEndianBytes: bytes)
    }
}

private let exactTextPrefix = "bits:"

extension Float: ExactlyWritten {
    package init?(usualText: String) { self.init(usualText) }

    package init?(bigEndianBytes bytes: [UInt8]) {
        guard let bits = UInt32(bigEndian: bytes) else { return nil }
        self.init(bitPattern: bits)
    }

    package var bigEndianBytes: [UInt8] { bitPattern.bigEndianBytes }
    package var sharesUsualText: Bool { isNaN }
}

extension Double: ExactlyWritten {
    package init?(usualText: String) { self.init(usualText) }

    package init?(bigEndianBytes bytes: [UInt8]) {
        guard let bits = UInt64(bigEndian: bytes) else { return nil }
        self.init(bitPattern: bits)
    }

    package var bigEndianBytes: [UInt8] { bitPattern.bigEndianBytes }
    package var sharesUsualText: Bool { isNaN }
}

extension DecimalBits: ExactlyWritten {
    package init?(usualText: String) { self.init(usualText) }

    package init?(bigEndianBytes bytes: [UInt8]) {
        guard bytes.count == 16, let high = UInt64(bigEndian: Array(bytes[..<8])),
            let low = UInt64(bigEndian: Array(bytes[8...]))
        else { return nil }
        self.init(low: low, high: high)
    }

    package var bigEndianBytes: [UInt8] { high.bigEndianBytes + low.bigEndianBytes }
    /// Infinities and zeros have several encodings.
    package var sharesUsualText: Bool { true }
}

extension FixedWidthInteger {
    fileprivate init?(bigEndian bytes: [UInt8]) {
        guard bytes.count == Self.bitWidth / 8 else { return nil }
        self = bytes.reduce(0) { $0 << 8 | Self($1) }
    }

    fileprivate var bigEndianBytes: [UInt8] {
        stride(from: Self.bitWidth - 8, through: 0, by: -8).map { UInt8(truncatingIfNeeded: self >> $0) }
    }
}
