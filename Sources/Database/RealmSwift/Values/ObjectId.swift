// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmStorage

/// A 12-byte identifier that is unique without coordination between its creators.
///
/// ```swift
/// class Person: Object {
///     @Persisted(primaryKey: true) var id: ObjectId
/// }
/// ```
///
/// A generated identifier begins with the number of seconds since 1970, so identifiers are ordered approximately by
/// their creation time. Identifiers are immutable and compared by their bytes.
public final class ObjectId: Sendable {
    package let bits: ObjectIdBytes

    /// Creates the identifier whose bytes are all zero. Use `generate()` for a new identifier.
    public required init() {
        bits = ObjectIdBytes(high: 0, low: 0)
    }

    package init(bits: ObjectIdBytes) {
        self.bits = bits
    }

    /// Creates an identifier from its 24 hexadecimal digits, in either case.
    ///
    /// - Throws: `Realm.Error.invalidInput` if the string doesn't consist of 24 hexadecimal digits.
    public required init(string: String) throws {
        guard let bits = ObjectIdBytes(hexadecimal: string) else {
            throw Realm.Error(.invalidInput, ObjectId.invalidText(string))
        }
        self.bits = bits
    }

    /// Creates an identifier from a literal of 24 hexadecimal digits.
    ///
    /// - Precondition: The string consists of 24 hexadecimal digits.
    public required init(_ str: StaticString) {
        let text = str.description
        guard let bits = ObjectIdBytes(hexadecimal: text) else { throwRealmException(ObjectId.invalidText(text)) }
        self.bits = bits
    }

    /// Creates an identifier from its parts and the next value of a counter.
    ///
    /// - Parameters:
    ///   - timestamp: The time whose whole seconds since 1970 become the first four bytes.
    ///   - machineId: The number whose low three bytes become the next three bytes.
    ///   - processId: The number whose low two bytes become the next two bytes.
    public required init(timestamp: Date, machineId: Int, processId: Int) {
        let machine = UInt64(truncatingIfNeeded: machineId) & 0xFF_FFFF
        let process = UInt64(truncatingIfNeeded: processId) & 0xFFFF
        bits = ObjectIdGenerator.shared.next(timestamp, identity: machine << 16 | process)
    }

    /// Returns a new identifier, which consists of the current second, five bytes that are random in each process, and
    /// a three-byte counter. Call it from any thread.
    public static func generate() -> ObjectId {
        ObjectId(bits: ObjectIdGenerator.shared.next(Date()))
    }

    /// The identifier as 24 lowercase hexadecimal digits.
    public var stringValue: String { Hexadecimal.text(bits.bytes) }

    /// The creation time in the identifier, in whole seconds.
    public var timestamp: Date {
        Date(timeIntervalSince1970: TimeInterval(bits.high >> 32))
    }

    private static func invalidText(_ text: String) -> String {
        "Invalid Object ID string '\(text)': must be 24 hex digits"
    }
}

extension ObjectId: Comparable, Hashable {
    public static func == (lhs: ObjectId, rhs: ObjectId) -> Bool { lhs.bits == rhs.bits }
    public static func < (lhs: ObjectId, rhs: ObjectId) -> Bool { lhs.bits < rhs.bits }
    public static func <= (lhs: ObjectId, rhs: ObjectId) -> Bool { !(rhs.bits < lhs.bits) }
    public static func >= (lhs: ObjectId, rhs: ObjectId) -> Bool { !(lhs.bits < rhs.bits) }
    public static func > (lhs: ObjectId, rhs: ObjectId) -> Bool { rhs.bits < lhs.bits }

    public func hash(into hasher: inout Hasher) { hasher.combine(bits) }
}

extension ObjectId: CustomStringConvertible {
    /// The identifier as a string, equal to `stringValue`.
    public var description: String { stringValue }
}

/// An identifier is encoded as a string of 24 hexadecimal digits.
extension ObjectId: Codable {
    public convenience init(from decoder: any Decoder) throws {
        try self.init(string: decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(stringValue)
    }
}
