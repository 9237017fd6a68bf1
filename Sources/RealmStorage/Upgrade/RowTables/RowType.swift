// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Type codes of columns in formats 2 to 9 (older 3).
package enum RowType: Int64, Sendable {
    case int = 0
    case bool = 1
    case string = 2
    /// Strings as places in a list of distinct ones.
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

    /// Elements that a column of this type has in the spec's array of subspecs.
    package var subspecCount: Int {
        switch self {
        case .table, .link, .linkList: 1
        case .backlink: 2
        default: 0
        }
    }

    package var isLink: Bool { self == .link || self == .linkList || self == .backlink }

    /// What the values become; nil where they are no single values.
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

/// Kinds of values in a mixed column of formats 2 to 9 (older 5.10).
package enum RowMixedKind: Int64, Sendable {
    case int = 0
    case bool = 1
    case string = 2
    case binary = 4
    case table = 5
    case oldDate = 7
    case timestamp = 8
    case float = 9
    case double = 10
    case negativeDouble = 11
    case negativeInt = 12
}

/// Slots of the nodes that formats 2 to 9 have and ours has not (older 1, 3).
package enum RowFormat {
    package enum Table {
        package static let spec = 0
        package static let columns = 1
        package static let count = 2
    }

    package enum Spec {
        package static let types = 0
        package static let names = 1
        package static let attributes = 2
        package static let subspecs = 3
        package static let enumKeys = 4
        package static let legalCounts = 3...5
    }

    /// Names of columns and tables that the SDKs of the time kept for themselves (older 9).
    package enum Name {
        package static let primaryKeys = "pk"
        package static let primaryKeyTable = "pk_table"
        package static let primaryKeyProperty = "pk_property"
        package static let objectId = "!OID"
    }

    /// Subtables and mixed values nest without a limit of their own; deeper ones than this cannot be told from damage.
    package static let maximumDepth = 64
}
