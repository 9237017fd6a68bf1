// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A predicate bound to columns: names are looked up, constants converted, and errors thrown.
enum Condition: Sendable {
    case constant(Bool)
    case all([Condition])
    case any([Condition])
    case chain(QueryChain)
    indirect case not(Condition)
    case test(PathTest)
    /// A value at the end of one path and a value at the end of the other pass the test.
    indirect case pair(ResolvedPath, PairTest, ResolvedPath, text: Comparison)
    /// The number of objects at the end of the path that satisfy a condition passes the test.
    indirect case subquery(ResolvedPath, Condition, ValueTest, text: Comparison)
    /// A location at the end of the path is in the region.
    indirect case geo(ResolvedPath, GeoColumns, GeoRegion, text: Comparison)
    indirect case computed(NumberExpression, PairTest, NumberExpression, text: Comparison)
}

/// A value at the end of the path passes the test.
///
/// It's a class because planning reads parts of it repeatedly, and extracting a part from an enum copies all of it.
final class PathTest: Sendable {
    let test: ValueTest
    /// The only matching value, if there is exactly one and an index can look it up.
    let onlyValue: StoredValue?
    let bound: BoundPath
    let text: Comparison

    init(_ path: BoundPath, _ test: consuming ValueTest, text: Comparison) {
        bound = path
        onlyValue = test.onlyValue(type: path.path.type)
        self.test = test
        self.text = text
    }

    var path: ResolvedPath { bound.path }

    func indexedColumn(of table: Table) -> Column? {
        guard let key = bound.ownColumn, table.hasIndex(key) else { return nil }
        return table.column(key)
    }
}

extension Condition {
    static func test(_ path: consuming ResolvedPath, _ test: consuming ValueTest, text: Comparison) -> Condition {
        .test(PathTest(BoundPath(path), test, text: text))
    }

    var comparison: Comparison? {
        switch self {
        case .test(let part): part.text
        case .pair(_, _, _, let text), .subquery(_, _, _, let text), .geo(_, _, _, let text),
            .computed(_, _, _, let text):
            text
        case .constant, .all, .any, .chain, .not: nil
        }
    }
}

struct PairTest: Sendable {
    let operation: ComparisonOperator
    let options: TextOptions
    /// Whether NaN is unequal to everything. Otherwise NaN has a position in the order of all values.
    var excludesNaN = false
    var isNegated = false

    func matches(_ a: StoredValue, _ b: StoredValue) -> Bool { holds(a, b) != isNegated }

    private func holds(_ a: StoredValue, _ b: StoredValue) -> Bool {
        if operation.isTextual { return matchesText(a, b) }
        guard !a.isNull, !b.isNull else { return holdsForNull(bothNull: a.isNull && b.isNull) }
        let isEqual = operation == .notEqual || operation == .equal
        if excludesNaN, a.isNaN || b.isNaN { return operation == .notEqual }
        guard a.isComparable(to: b) else { return operation == .notEqual }
        if isEqual, !options.folding.isEmpty, case .string(let a) = a, case .string(let b) = b {
            return TextMatcher(.equal, a, options).matches(b) == (operation == .equal)
        }
        return operation.holds(StoredValue.compare(a, b))
    }

    private func holdsForNull(bothNull: Bool) -> Bool {
        switch operation {
        case .equal, .lessOrEqual, .greaterOrEqual: bothNull
        case .notEqual: !bothNull
        case .less, .greater, .in, .between, .contains, .beginsWith, .endsWith, .like, .matches, .geoWithin, .text:
            false
        }
    }

    private func matchesText(_ value: StoredValue, _ pattern: StoredValue) -> Bool {
        let maker = ValueTestMaker(
            type: .mixed, target: nil, property: "", operation: operation, options: options)
        return (try? maker.test(pattern))?.matches(value) ?? false
    }
}
