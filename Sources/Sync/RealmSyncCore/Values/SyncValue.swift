// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A value in an instruction (§3.3).
///
/// Equality is that of the encoding: −0.0 differs from 0.0, and NaNs with the same bits are equal.
package enum SyncValue: Sendable {
    case null
    case int(Int64)
    case bool(Bool)
    case string(Text)
    case binary([UInt8])
    case timestamp(Timestamp)
    case float(Float)
    case double(Double)
    case decimal(DecimalBits)
    case link(ObjectReference)
    case objectId(ObjectIdBytes)
    case uuid(UUIDBytes)
    /// Creates an embedded object.
    case object
    case dictionary
    case list
    case set
    /// Removes the key.
    case erased

    package var type: ValueType {
        switch self {
        case .null: .null
        case .int: .int
        case .bool: .bool
        case .string: .string
        case .binary: .binary
        case .timestamp: .timestamp
        case .float: .float
        case .double: .double
        case .decimal: .decimal
        case .link: .link
        case .objectId: .objectId
        case .uuid: .uuid
        case .object: .object
        case .dictionary: .dictionary
        case .list: .list
        case .set: .set
        case .erased: .erased
        }
    }
}

extension SyncValue: Hashable {
    package static func == (a: SyncValue, b: SyncValue) -> Bool {
        switch (a, b) {
        case (.int(let a), .int(let b)): a == b
        case (.bool(let a), .bool(let b)): a == b
        case (.string(let a), .string(let b)): a == b
        case (.binary(let a), .binary(let b)): a == b
        case (.timestamp(let a), .timestamp(let b)): a == b
        case (.float(let a), .float(let b)): a.bitPattern == b.bitPattern
        case (.double(let a), .double(let b)): a.bitPattern == b.bitPattern
        case (.decimal(let a), .decimal(let b)): a == b
        case (.link(let a), .link(let b)): a == b
        case (.objectId(let a), .objectId(let b)): a == b
        case (.uuid(let a), .uuid(let b)): a == b
        default: a.type == b.type
        }
    }

    package func hash(into hasher: inout Hasher) {
        hasher.combine(type)
        switch self {
        case .null, .object, .dictionary, .list, .set, .erased: break
        case .int(let value): hasher.combine(value)
        case .bool(let value): hasher.combine(value)
        case .string(let value): hasher.combine(value)
        case .binary(let value): hasher.combine(value)
        case .timestamp(let value): hasher.combine(value)
        case .float(let value): hasher.combine(value.bitPattern)
        case .double(let value): hasher.combine(value.bitPattern)
        case .decimal(let value): hasher.combine(value)
        case .link(let value): hasher.combine(value)
        case .objectId(let value): hasher.combine(value)
        case .uuid(let value): hasher.combine(value)
        }
    }
}
