// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmStorage

extension Realm {
    /// The immutable value of a property in one version. An addition to Realm's API.
    ///
    /// Values are equal if their bits are equal: a NaN equals itself, and 0.0 doesn't equal -0.0.
    public indirect enum ChangeValue: Sendable {
        /// Null.
        case null
        /// A Boolean value.
        case bool(Bool)
        /// An integer.
        case int(Int64)
        /// A `Float`.
        case float(Float)
        /// A `Double`.
        case double(Double)
        /// A string.
        case string(String)
        /// Bytes.
        case data(Data)
        /// A point in time.
        case date(Date)
        /// A ``Decimal128``.
        case decimal128(Decimal128)
        /// An ``ObjectId``.
        case objectId(ObjectId)
        /// A `UUID`.
        case uuid(UUID)
        /// The target of a link.
        case link(ObjectReference)
        /// An embedded object, by the names of its properties.
        case embedded([String: ChangeValue])
        /// The elements of a list, in order.
        case list([ChangeValue])
        /// The elements of a set, in the order in which the file stores them.
        case set([ChangeValue])
        /// The entries of a map, or of a dictionary in an `AnyRealmValue`.
        case dictionary([String: ChangeValue])
    }
}

extension Realm.ChangeValue {
    /// Creates the value from a value of the file that is neither a link nor a collection.
    init(_ value: StoredValue) {
        self =
            switch value {
            case .null, .link, .typedLink, .list, .dictionary: .null
            case .int(let value): .int(value)
            case .bool(let value): .bool(value)
            case .float(let value): .float(value)
            case .double(let value): .double(value)
            case .string(let value): .string(value)
            case .binary(let value): .data(Data(value))
            case .timestamp(let value): .date(Date(value))
            case .decimal(let value): .decimal128(Decimal128(bits: value))
            case .objectId(let value): .objectId(ObjectId(bits: value))
            case .uuid(let value): .uuid(UUID(value))
            }
    }

    /// The value in the file's form; nil for links and collections.
    var storedValue: StoredValue? {
        switch self {
        case .null: .null
        case .bool(let value): .bool(value)
        case .int(let value): .int(value)
        case .float(let value): .float(value)
        case .double(let value): .double(value)
        case .string(let value): .string(value)
        case .data(let value): .binary([UInt8](value))
        case .date(let value): .timestamp(Timestamp(value))
        case .decimal128(let value): .decimal(value.bits)
        case .objectId(let value): .objectId(value.bits)
        case .uuid(let value): .uuid(UUIDBytes(value))
        case .link, .embedded, .list, .set, .dictionary: nil
        }
    }
}

extension Realm.ChangeValue: Hashable {
    public static func == (a: Self, b: Self) -> Bool {
        switch (a, b) {
        case (.null, .null): true
        case (.bool(let a), .bool(let b)): a == b
        case (.int(let a), .int(let b)): a == b
        case (.float(let a), .float(let b)): a.bitPattern == b.bitPattern
        case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
        case (.string(let a), .string(let b)): a.utf8.elementsEqual(b.utf8)
        case (.data(let a), .data(let b)): a == b
        case (.date(let a), .date(let b)): a == b
        case (.decimal128(let a), .decimal128(let b)): a.bits == b.bits
        case (.objectId(let a), .objectId(let b)): a.bits == b.bits
        case (.uuid(let a), .uuid(let b)): a == b
        case (.link(let a), .link(let b)): a == b
        case (.embedded(let a), .embedded(let b)): a == b
        case (.list(let a), .list(let b)), (.set(let a), .set(let b)): a == b
        case (.dictionary(let a), .dictionary(let b)): a == b
        default: false
        }
    }

    public func hash(into hasher: inout Hasher) {
        switch self {
        case .null: break
        case .bool(let value): hasher.combine(value)
        case .int(let value): hasher.combine(value)
        case .float(let value): hasher.combine(value.bitPattern)
        case .double(let value): hasher.combine(value.bitPattern)
        // Doesn't hash the string itself, whose equality differs.
        case .string(let value): for byte in value.utf8 { hasher.combine(byte) }
        case .data(let value): hasher.combine(value)
        case .date(let value): hasher.combine(value)
        case .decimal128(let value): hasher.combine(value)
        case .objectId(let value): hasher.combine(value.bits.high)
        case .uuid(let value): hasher.combine(value)
        case .link(let value): hasher.combine(value)
        case .embedded(let value), .dictionary(let value): hasher.combine(value)
        case .list(let value), .set(let value): hasher.combine(value)
        }
    }
}

extension Realm.ChangeValue: CustomStringConvertible {
    /// A textual representation that resembles a Swift literal.
    public var description: String {
        switch self {
        case .null: "nil"
        case .bool(let value): "\(value)"
        case .int(let value): "\(value)"
        case .float(let value): "\(value)"
        case .double(let value): "\(value)"
        case .string(let value): "\(value.debugDescription)"
        case .data(let value): "\(value)"
        case .date(let value): "\(value)"
        case .decimal128(let value): "\(value)"
        case .objectId(let value): "\(value)"
        case .uuid(let value): "\(value)"
        case .link(let value): "\(value)"
        case .embedded(let values), .dictionary(let values):
            "[" + values.ordered { $0.key < $1.key }.map { "\($0.key): \($0.value)" }.joined(separator: ", ") + "]"
        case .list(let values), .set(let values): "[" + values.map { "\($0)" }.joined(separator: ", ") + "]"
        }
    }
}
