// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage

public final class ObjectId: Hashable, Comparable, CustomStringConvertible, Sendable {
    let bits: ObjectIdBytes
    public required init() { bits = ObjectIdBytes(high: 0, low: 0) }
    package init(bits: ObjectIdBytes) { self.bits = bits }
    public required init(string: String) throws {
        let digits = stride(from: 0, to: string.utf8.count, by: 2).compactMap {
            UInt8(string.dropFirst($0).prefix(2), radix: 16)
        }
        if string.utf8.count != 24 || digits.count != 12 { throw CocoaError(.formatting) }
        bits = ObjectIdBytes(bytes: digits)
    }
    public static func generate() -> ObjectId {
        ObjectId(bits: ObjectIdBytes(high: .random(in: 0 ... .max), low: .random(in: 0 ... .max)))
    }
    public static func == (a: ObjectId, b: ObjectId) -> Bool { a.bits == b.bits }
    public static func < (a: ObjectId, b: ObjectId) -> Bool { a.bits < b.bits }
    public func hash(into hasher: inout Hasher) { hasher.combine(bits) }
    public var description: String {
        bits.bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}

public final class Decimal128: Hashable, CustomStringConvertible, @unchecked Sendable {
    let bits: DecimalBits
    package init(bits: DecimalBits) { self.bits = bits }
    public required init() { bits = DecimalBits(low: 0, high: 0x3040_0000_0000_0000) }
    public required init(value: Any) {
        bits = DecimalBits(low: UInt64(value as? Int64 ?? 0), high: 0x3040_0000_0000_0000)
    }
    public required init(string: String) throws {
        bits = DecimalBits(low: UInt64(string) ?? 0, high: 0x3040_0000_0000_0000)
    }
    public var isNaN: Bool { false }
    public static func == (a: Decimal128, b: Decimal128) -> Bool { a.bits == b.bits }
    public func hash(into hasher: inout Hasher) { hasher.combine(bits) }
    public var description: String { "\(bits.low)" }
}

extension Timestamp {
    init(_ date: Date) { self.init(seconds: Int64(date.timeIntervalSince1970), nanoseconds: 0) }
}

extension UUIDBytes {
    init(_ uuid: UUID) { self = withUnsafeBytes(of: uuid.uuid) { UUIDBytes(bytes: $0) } }
}
