// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// An element of a query, in the form in which it is stored.
package enum QueryElement {
    /// An object, and the location of its row if the query has found it.
    case object(ObjectKey, RowLocation?)
    case value(StoredValue)
}
