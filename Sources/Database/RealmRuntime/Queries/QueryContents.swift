// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// The elements of a query in one version.
package enum QueryContents: Sendable {
    case table
    case keys([ObjectKey])
    case values([StoredValue])
}
