// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery

/// The compiled form of a query, and the effort for it. It exists as long as its query is registered.
///
/// Used by one thread at a time, which has the documents.
final class QueryForm {
    /// Identifies the schema for which queries are compiled.
    final class Schema {}

    /// The form is nil if the query doesn't fit the schema.
    private var compiled: (query: Query?, schema: Schema)?
    var cost = Cost()

    struct Cost {
        private(set) var evaluationCount = 0
        /// The number of objects on which the query was evaluated.
        private(set) var objectCount = 0

        mutating func add(_ objects: Int) {
            evaluationCount += 1
            objectCount += objects
        }
    }

    func compiled(for schema: Schema, _ compile: () throws -> Query?) rethrows -> Query? {
        if let compiled, compiled.schema === schema { return compiled.query }
        let query = try compile()
        compiled = (query, schema)
        return query
    }
}
