// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A predicate compiled for the objects of a table.
///
/// It holds no data, so it serves every version of the database in which its columns exist; a table that is gone has
/// no objects. Any thread may use it.
package struct Query: Sendable {
    package let predicate: Predicate
    package let table: TableKey
    let condition: Condition

    /// Compiles `predicate`, which raises all the `PredicateError`s that it deserves.
    package init(
        _ predicate: Predicate, on table: TableKey, in source: any TableSource, names: PropertyNames = .stored
    ) throws {
        guard let found = try source.table(table) else {
            throw StorageError(.invalidArgument, "\(table) is not in the file (any more)")
        }
        self.predicate = predicate
        self.table = table
        condition = try ConditionResolver(source: source, names: names, table: found).resolve(predicate)
    }
}
