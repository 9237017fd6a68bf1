// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Type codes of columns in formats 2 to 9 (older 3).
package enum RowType: Int64, Sendable {
    case int = 0
    case bool = 1
    case string = 2
    /// Strings as indexes in a list of distinct ones.
    case enumerated = 3
    case binary = 4
    /// A table in each row: a list of primitives, or rows of several columns.
    case table = 5
    case mixed = 6
    /// Whole seconds.
    case oldDate = 7
    case timestamp = 8
    case float = 9
    case double = 10
    case link = 12
    case linkList = 13
    case backlink = 14

    /// The number of elements that a column of this type has in the spec's array of subspecs.
    package var subspecCount: Int {
        switch self {
        case .table, .link, .linkList: 1
        case .backlink: 2
        default: 0
        }
    }

    package var isLink: Bool { self == .link || self == .linkList || self == .backlink }

    /// The type of the converted values; nil if they aren't single values.
    var valueType: ColumnType? {
        switch self {
        case .int: .int
        case .bool: .bool
        case .string, .enumerated: .string
        case .binary: .binary
        case .mixed: .mixed
        case .oldDate, .timestamp: .timestamp
        case .float: .float
        case .double: .double
        case .table, .link, .linkList, .backlink: nil
        }
    }
}
