// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The elements of a query in one version.
package enum QueryContents: Sendable {
    case table
    case keys([ObjectKey])
    case values([StoredValue])

    /// The number of elements; nil for a table, whose objects aren't listed.
    package var count: Int? {
        switch self {
        case .table: nil
        case .keys(let keys): keys.count
        case .values(let values): values.count
        }
    }
}
