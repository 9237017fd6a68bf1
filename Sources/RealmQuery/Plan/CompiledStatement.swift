// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A statement compiled for the objects of a table; serves every version in which its columns exist, as a `Query` does.
package struct CompiledStatement: Sendable {
    package let query: Query
    package let steps: [Step]

    package enum Step: Sendable {
        case sort(SortOrder)
        case distinct(Distinct)
        case limit(Int)
    }

    /// Throws all the `PredicateError`s that the statement deserves.
    package init(
        _ statement: QueryStatement, on table: TableKey, in source: any TableSource, names: PropertyNames = .stored
    ) throws {
        query = try Query(statement.predicate, on: table, in: source, names: names, dialect: .query)
        steps = try statement.steps.map { step in
            switch step {
            case .sort(let keys): .sort(try SortOrder(keys, on: table, in: source, names: names))
            case .distinct(let paths): .distinct(try Distinct(paths, on: table, in: source, names: names))
            case .limit(let count): .limit(count)
            }
        }
    }

    /// The objects that satisfy the predicate, after all steps.
    package func objects(in source: any TableSource) throws -> [ObjectKey] {
        try steps.reduce(try query.objects(in: source)) { keys, step in
            switch step {
            case .sort(let order): try order.sort(keys, in: source)
            case .distinct(let distinct): try distinct.firsts(of: keys, in: source)
            case .limit(let count): Array(keys.prefix(count))
            }
        }
    }
}
