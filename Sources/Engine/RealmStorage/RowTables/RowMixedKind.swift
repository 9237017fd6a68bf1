// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The kinds of values in a mixed column of formats 2 to 9 (older 5.10).
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
