// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery

/// Traps for a mistake in a query.
package func throwRealmException(_ error: PredicateError) -> Never {
    throwRealmException(error.message, name: error.name.rawValue)
}
