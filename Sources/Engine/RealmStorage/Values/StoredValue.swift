// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A value of any type: of a property, a list element, or a query's constant.
///
/// Reads and scans have typed fast paths; this form is for code that handles all types alike. `==` compares the
/// representation (`-0.0 == 0.0` for floats as in Swift, decimals by bits, strings by their bytes).
/// `StoredValue.compare` is the comparison of content 8.
package enum StoredValue: Sendable {
    case null
    case int(Int64)
    case bool(Bool)
    case float(Float)
    case double(Double)
    case string(String)
    case binary([UInt8])
    case timestamp(Timestamp)
    case decimal(DecimalBits)
    case objectId(ObjectIdBytes)
    case uuid(UUIDBytes)
    /// A link whose table is that of the column's links.
    case link(ObjectKey)
    case typedLink(ObjectLink)
    /// A nested collection inside Mixed: the root of its tree, or 0 if it's empty, and its collection key.
    case list(Ref, key: Int64)
    case dictionary(Ref, key: Int64)

    package var isNull: Bool { if case .null = self { true } else { false } }

    /// Returns `nil` for null, which every type has.
    package var type: ColumnType? {
        switch self {
        case .null: nil
        case .int: .int
        case .bool: .bool
        case .float: .float
        case .double: .double
        case .string: .string
        case .binary: .binary
        case .timestamp: .timestamp
        case .decimal: .decimal
        case .objectId: .objectId
        case .uuid: .uuid
        case .link: .link
        case .typedLink: .typedLink
        case .list: .list
        case .dictionary: .dictionary
        }
    }

    var isUnresolvedLink: Bool { if case .link(let key) = self { key.isUnresolved } else { false } }
}
