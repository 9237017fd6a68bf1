// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

extension Condition {
    /// Returns a filter for the current state of `source`, confined to one thread.
    func rowFilter(in source: any TableSource) throws -> RowFilter {
        var builder = RowFilterBuilder(source: source)
        return try builder.rowFilter(self)
    }
}

/// Creates the row filters of a condition.
///
/// Each thread of a scan has its own row filters. They are created from the same condition, and so in the same order.
/// Shared sets of objects are identified by their number in that order.
struct RowFilterBuilder {
    let source: any TableSource
    var sets: SharedKeySets?
    private var setCount = 0

    init(source: any TableSource, sets: SharedKeySets? = nil) {
        self.source = source
        self.sets = sets
    }

    mutating func rowFilter(_ condition: Condition) throws -> RowFilter {
        switch condition {
        case .constant(let value): return ConstantFilter(value)
        case .all(let parts): return ConjunctionFilter(try rowFilters(parts))
        case .any(let parts): return DisjunctionFilter(try rowFilters(parts))
        case .chain(let chain): return ConjunctionFilter(try rowFilters(chain.conditions))
        case .not(let part):
            return NegationFilter(
                try rowFilter(part), isWrittenSo: part.comparison?.quantifier.map { $0 != .any } ?? false)
        case .test(let part): return try rowFilter(part.path, part.test, part.text)
        case .pair(let left, let test, let right, let text):
            return try PairFilter(left, test, right, text: text, in: source)
        case .subquery(let path, let condition, let test, let text):
            return try SubqueryFilter(path, try rowFilter(condition), test, text: text, in: source)
        case .geo(let path, let columns, let region, let text):
            return try GeoFilter(path, columns, region, text: text, in: source)
        case .computed(let left, let test, let right, let text):
            return try ComputedFilter(left, test, right, text: text, in: source)
        }
    }

    private mutating func rowFilters(_ parts: [Condition]) throws -> [RowFilter] {
        var rowFilters: [RowFilter] = []
        for part in parts { rowFilters.append(try rowFilter(part)) }
        return rowFilters
    }

    private mutating func rowFilter(_ path: ResolvedPath, _ test: ValueTest, _ text: Comparison) throws -> RowFilter {
        if path.hops.isEmpty, case .column(let key) = path.end, path.aspect == .value {
            return ColumnFilter(try source.require(path.origin).require(key), test, text: text)
        }
        let forward = try PathFilter(path, test, text: text, in: source)
        guard let link = try LinkedSet(path, test, text, in: source) else { return forward }
        setCount += 1
        return LinkFilter(forward, link, sets, number: setCount - 1)
    }
}
