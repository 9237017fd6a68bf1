// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmRuntime
import RealmStorage

/// Queries in the forms of the API.
extension LiveQuery {
    func filtered(_ format: String, _ arguments: [Any]) -> LiveQuery {
        filtered(realm.predicate(format, variadic: arguments))
    }

    /// Throws `RealmQueryError` if the statement isn't valid for the elements.
    func queried(_ statement: QueryStatement) throws -> LiveQuery {
        do {
            return try applying(statement)
        } catch let error as PredicateError {
            throw RealmQueryError(error)
        } catch {
            throw Realm.Error(error)
        }
    }

    func sorted(by descriptors: [SortDescriptor]) -> LiveQuery {
        sorted(
            by: descriptors.map {
                SortKey(PropertyPath($0.keyPath), ascending: $0.ascending, collation: $0.order.collation)
            }, descriptors.map(\.keyPath))
    }
}

extension AwaitedQuery {
    convenience init(_ type: ObjectBase.Type) {
        self.init(ManagedClass(unstored: ClassRegistry.shared.info(for: type))) { $0.requireManaged(type) }
    }
}
