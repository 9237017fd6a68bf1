// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmStorage

/// A step of a query. Steps are applied in sequence.
package enum ResultsStep: Sendable {
    case filter(Query)
    indirect case sort(SortOrder)
    indirect case distinct(Distinct)
    case limit(Int)
    case sortValues(ascending: Bool, TextCollation?)
    case distinctValues

    package var isDistinct: Bool {
        switch self {
        case .distinct, .distinctValues: true
        default: false
        }
    }

    package var isLimit: Bool { limit != nil }

    package var isFilter: Bool { if case .filter = self { true } else { false } }

    package var isOrder: Bool { if case .sort = self { true } else { false } }

    package var limit: Int? { if case .limit(let count) = self { count } else { nil } }
}

extension ArraySlice where Element == ResultsStep {
    /// Returns the result of the steps on all objects of a table, which `all` lists up to a number.
    package func run(on source: any TableSource, all: (Int) throws -> [ObjectKey]) throws -> [ObjectKey] {
        var steps = self
        var query: Query?
        if case .filter(let first)? = steps.first {
            query = first
            steps.removeFirst()
        }
        if case .sort(let order)? = steps.first, let limit = steps.dropFirst().first?.limit {
            return try steps.dropFirst(2).run(on: source, try order.first(limit, of: query, in: source))
        }
        if case .distinct(let distinct)? = steps.first {
            return try steps.dropFirst().run(on: source, try distinct.distinct(of: query, in: source))
        }
        let limit = steps.first?.limit ?? .max
        return try steps.run(on: source, try query?.objects(in: source, first: limit) ?? all(limit))
    }

    /// Returns the result of the steps on given objects, in order.
    package func run(on source: any TableSource, _ keys: [ObjectKey]) throws -> [ObjectKey] {
        var steps = self
        var keys = keys
        while let step = steps.popFirst() {
            // The step before a limit needs to find only that many elements.
            let limit = steps.first?.limit
            switch step {
            case .filter(let query): keys = try query.filter(keys, in: source, first: limit ?? .max)
            case .sort(let order):
                keys = try limit.map { try order.first($0, of: keys, in: source) } ?? order.sort(keys, in: source)
            case .distinct(let distinct): keys = try distinct.distinct(of: keys, in: source)
            case .limit(let count): keys.removeLast(Swift.max(0, keys.count - count))
            case .sortValues, .distinctValues: break
            }
        }
        return keys
    }
}

extension Array where Element == ResultsStep {
    /// Returns the values after all steps.
    package func run(_ values: [StoredValue]) -> [StoredValue] {
        reduce(values) { values, step in
            switch step {
            case .sortValues(let ascending, let collation):
                SortOrder.permutation(of: values, ascending: ascending, collation: collation).map { values[$0] }
            case .distinctValues: Distinct.distinct(of: values).map { values[$0] }
            case .limit(let count): Swift.Array(values.prefix(count))
            case .filter, .sort, .distinct: values
            }
        }
    }
}
