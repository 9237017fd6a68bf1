// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A value for `%@`, `%K`, or `$0` in a predicate's text.
package enum PredicateArgument: Sendable, Equatable {
    /// A constant; for `%K`, a string with a path.
    case value(StoredValue)
    case list([PredicateArgument])
    case shape(GeoShape)
}
