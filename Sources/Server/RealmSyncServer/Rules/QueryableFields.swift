// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmSyncCore

/// The fields that the queries of subscriptions can use. The primary key is always one of them.
package enum QueryableFields: Sendable, Hashable {
    case all
    case listed(common: Set<Text>, byClass: [Text: Set<Text>])

    package func contains(_ field: Text, of className: Text) -> Bool {
        switch self {
        case .all: true
        case .listed(let common, let byClass):
            field == "_id" || common.contains(field) || byClass[className]?.contains(field) == true
        }
    }

    /// Returns the fields with one more for each class.
    func adding(_ field: Text) -> QueryableFields {
        guard case .listed(let common, let byClass) = self else { return .all }
        return .listed(common: common.union([field]), byClass: byClass)
    }
}
