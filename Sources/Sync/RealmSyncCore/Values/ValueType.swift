// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The types of values. The raw values are their numbers in changesets (§3.3).
///
/// Columns have such a type too: `null` denotes a Mixed column.
package enum ValueType: Int8, Hashable, Sendable, CaseIterable {
    case set = -6
    case list = -5
    case erased = -4
    case dictionary = -3
    case object = -2
    case globalKey = -1
    case null = 0
    case int = 1
    case bool = 2
    case string = 3
    case binary = 4
    case timestamp = 5
    case float = 6
    case double = 7
    case decimal = 8
    case link = 9
    case objectId = 10
    case uuid = 11

    package var canBePrimaryKey: Bool {
        switch self {
        case .int, .string, .objectId, .uuid, .globalKey: true
        default: false
        }
    }
}
