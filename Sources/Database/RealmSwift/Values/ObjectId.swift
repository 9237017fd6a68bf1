// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage

/// An identifier of twelve bytes that is unique without coordination.
///
/// ```swift
/// class Person: Object {
///     @Persisted(primaryKey: true) var id: ObjectId
/// }
/// ```
///
/// Generated identifiers begin with the seconds since 1970, so they are ordered approximately by their creation time.
/// Identifiers are compared by their bytes, and are immutable.
public final class ObjectId: Sendable {
    /// The bytes as the file stores them.
    package let bits: ObjectIdBytes

    /// Creates the identifier whose bytes are all zero. See `generate()` for a new one.
    public required init() {
        bits = ObjectIdBytes(high: 0, low: 0)
    }

    package init(bits: ObjectIdBytes) {
        self.bits = bits
    }

    /// Creates an identifier from its 24 hexadecimal digits, in either case.
    ///
    /// - Throws: `Realm.Error.invalidInput` if the text is anything else.
    public required init(string: String) throws {
        guard let bits = ObjectIdBytes(hexadecimal: string) else {
            throw Realm.Error(.invalidInput, ObjectId.invalidText(string))
        }
        self.bits = bits
    }

    /// Creates an identifier from its 24 hexadecimal digits in the source of the program.
    ///
    /// - Precondition: The text is 24 hexadecimal digits.
    public required init(_ str: StaticString) {
        let text = str.description
        guard let bits = ObjectIdBytes(hexadecimal: text) else { throwRealmException(ObjectId.invalidText(text)) }
        self.bits = bits
    }

    /// Creates an identifier from its parts and the next value of a counter.
    ///
    /// - Parameters:
    ///   - timestamp: its whole seconds since 1970 are the first four bytes.
    ///   - machineId: its low three bytes are the next ones.
    ///   - processId: its low two bytes are the next ones.
    public required init(timestamp: Date, machineId: Int, processId: Int) {
        let machine = UInt64(truncatingIfNeeded: machineId) & 0xFF_FFFF
        let process = UInt64(truncatingIfNeeded: processId) & 0xFFFF
        bits = ObjectIdGenerator.shared.next(timestamp, identity: machine << 16 | process)
    }

    /// Returns a new identifier: the current second, five bytes that are random in each process, and a counter of three
    /// bytes. Usable from any thread.
    public static func generate() -> ObjectId {
        ObjectId(bits: ObjectIdGenerator.shared.next(Date()))
    }

    /// The 24 hexadecimal digits, in lower case.
    public var stringValue: String {
        bits.bytes.reduce(into: "") { text, byte in
            text += String(byte >> 4, radix: 16) + String(byte & 15, radix: 16)
        }
    }

    /// The creation time of the identifier, in whole seconds.
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
    /// The identifier as text; equal to `stringValue`.
    public var description: String { stringValue }
}

/// An identifier is encoded as its 24 hexadecimal digits.
extension ObjectId: Codable {
    public convenience init(from decoder: any Decoder) throws {
        try self.init(string: decoder.singleValueContainer().decode(String.self))
    }

    public func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(stringValue)
    }
}

extension ObjectIdBytes {
    /// The bytes of 24 hexadecimal digits, or nil if the text is anything else.
    package init?(hexadecimal text: String) {
        let digits = text.utf8.compactMap { Character(Unicode.Scalar($0)).hexDigitValue }
        guard digits.count == 24, text.utf8.count == 24 else { return nil }
        self.init(bytes: stride(from: 0, to: 24, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) })
    }
}
