// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The primary key of an object in changesets (§3.3).
package enum PrimaryKey: Hashable, Sendable {
    case null
    case int(Int64)
    case string(Text)
    case objectId(ObjectIdBytes)
    case uuid(UUIDBytes)
    /// The key of an object whose class has no primary key.
    case globalKey(high: UInt64, low: UInt64)

    package var type: ValueType {
        switch self {
        case .null: .null
        case .int: .int
        case .string: .string
        case .objectId: .objectId
        case .uuid: .uuid
        case .globalKey: .globalKey
        }
    }
}

/// Ordered by type, then by value.
extension PrimaryKey: Comparable {
    package static func < (a: PrimaryKey, b: PrimaryKey) -> Bool {
        switch (a, b) {
        case (.int(let a), .int(let b)): a < b
        case (.string(let a), .string(let b)): a < b
        case (.objectId(let a), .objectId(let b)): a < b
        case (.uuid(let a), .uuid(let b)): a < b
        case (.globalKey(let highA, let lowA), .globalKey(let highB, let lowB)): (highA, lowA) < (highB, lowB)
        default: a.type.rawValue < b.type.rawValue
        }
    }
}

/// The class and primary key of an object. Links and all instructions except those on the schema have one.
package struct ObjectReference: Hashable, Sendable {
    /// The name of the class, without the prefix of tables in a file.
    package var table: Text
    package var key: PrimaryKey

    package init(_ table: Text, _ key: PrimaryKey) {
        self.table = table
        self.key = key
    }
}
