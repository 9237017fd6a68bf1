// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A statement compiled for the objects of a table. Like a `Query`, it can be used with every version in which its
/// columns exist.
package struct CompiledStatement: Sendable {
    package let query: Query
    package let steps: [QueryStep]

    package init(
        _ statement: QueryStatement, on table: TableKey, in source: any TableSource, names: PropertyNames = .stored
    ) throws {
        query = try Query.compile(statement.predicate, on: table, in: source, names: names, dialect: .query)
        steps = try statement.steps.map { step in
            switch step {
            case .sort(let keys): .sort(try SortOrder(keys, on: table, in: source, names: names))
            case .distinct(let paths): .distinct(try Distinct(paths, on: table, in: source, names: names))
            case .limit(let count): .limit(count)
            }
        }
    }

    /// Returns the objects that satisfy the predicate, after all steps. A step finds no more objects than a subsequent
    /// limit retains.
    package func objects(in source: any TableSource) throws -> [ObjectKey] {
        var rest = steps[...]
        let keys: [ObjectKey]
        switch (rest.first, rest.dropFirst().first) {
        case (.limit(let count), _): keys = try query.objects(in: source, first: count)
        case (.sort(let order), .limit(let count)):
            keys = try order.first(count, of: query, in: source)
            rest = rest.dropFirst(2)
        case (.distinct(let distinct), _):
            keys = try distinct.distinct(of: query, in: source)
            rest = rest.dropFirst()
        default: keys = try query.objects(in: source)
        }
        return try rest.reduce(keys) { try $1.objects(of: $0, in: source) }
    }

    package func explain(in source: any TableSource) throws -> PlanReport {
        try PlanReport(table: query.table, [.filter(query)] + steps, in: source)
    }
}
