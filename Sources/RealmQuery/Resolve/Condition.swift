// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A predicate bound to columns: all names looked up, all constants converted, all errors raised.
indirect enum Condition: Sendable {
    case constant(Bool)
    case all([Condition])
    case any([Condition])
    case not(Condition)
    /// Some value at the end of the path passes the test.
    case test(ResolvedPath, ValueTest, text: Comparison)
    /// Some value at the end of one path and some at the end of the other pass the test.
    case pair(ResolvedPath, PairTest, ResolvedPath, text: Comparison)
    /// The number of objects at the end of the path that satisfy a condition passes the test.
    case subquery(ResolvedPath, Condition, ValueTest, text: Comparison)
    /// Some place at the end of the path lies in the region.
    case geo(ResolvedPath, PlaceColumns, GeoRegion, text: Comparison)
    /// Two computed numbers pass the test.
    case computed(NumberExpression, PairTest, NumberExpression, text: Comparison)
}

extension Condition {
    /// What it says as it was written; nil for what is put together from several or is constant.
    var comparison: Comparison? {
        switch self {
        case .test(_, _, let text), .pair(_, _, _, let text), .subquery(_, _, _, let text), .geo(_, _, _, let text),
            .computed(_, _, _, let text):
            text
        case .constant, .all, .any, .not: nil
        }
    }
}

/// A comparison of two values.
struct PairTest: Sendable {
    let operation: ComparisonOperator
    let options: TextOptions
    /// Whether one of the paths is to a Float or Double, where a NaN compares with nothing.
    let isFloating: Bool
    var isNegated = false

    func matches(_ a: StoredValue, _ b: StoredValue) -> Bool { holds(a, b) != isNegated }

    private func holds(_ a: StoredValue, _ b: StoredValue) -> Bool {
        guard !a.isNull, !b.isNull else { return holdsForNull(bothNull: a.isNull && b.isNull) }
        if operation.isTextual { return matchesText(a, b) }
        let isEqual = operation == .notEqual || operation == .equal
        if isFloating, a.isNaN || b.isNaN { return operation == .notEqual }
        guard a.isComparable(to: b) else { return operation == .notEqual }
        if isEqual, !options.isEmpty, case .string(let a) = a, case .string(let b) = b {
            return TextMatcher(.equal, a, options).matches(b) == (operation == .equal)
        }
        return operation.holds(StoredValue.compare(a, b))
    }

    private func holdsForNull(bothNull: Bool) -> Bool {
        switch operation {
        case .equal, .like: bothNull
        case .notEqual: !bothNull
        default: false
        }
    }

    private func matchesText(_ value: StoredValue, _ pattern: StoredValue) -> Bool {
        let maker = ValueTestMaker(
            type: .mixed, target: nil, property: "", operation: operation, options: options)
        return (try? maker.test(pattern))?.matches(value) ?? false
    }
}
