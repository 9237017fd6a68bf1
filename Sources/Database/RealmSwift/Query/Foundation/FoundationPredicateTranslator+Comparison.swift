// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmQuery
import RealmStorage

/// Translates comparisons so that they have the same results as in Swift.
@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension FoundationPredicateTranslator {
    func compare(_ left: PredicateTerm, _ operation: ComparisonOperator, _ right: PredicateTerm) throws -> Predicate {
        try left.overOutcomes { left in
            try right.overOutcomes { right in try compareOutcomes(left, operation, right) }
        }
    }

    private func compareOutcomes(
        _ left: PredicateTerm, _ operation: ComparisonOperator, _ right: PredicateTerm
    ) throws -> Predicate {
        switch (left, right) {
        case (.constant(let a), .constant(let b)): return .constant(try ConstantComparison.holds(a, operation, b))
        case (.condition, _), (_, .condition): return try compareTruths(left, operation, right)
        case (.path(let place), .constant(let value)): return try compare(place, operation, value)
        case (.path(let a), .path(let b)): return try compare(a, operation, b)
        case (.number, .number), (.number, .path), (.number, .constant), (.path, .number):
            return .comparison(Comparison(try operand(left), operation, try operand(right)))
        case (.constant, .path), (.constant, .number):
            guard let mirrored = operation.mirrored else { throw PredicateRefusal("its operands cannot be exchanged") }
            return try compareOutcomes(right, mirrored, left)
        default: throw PredicateRefusal("of a collection, only elements, count and isEmpty are supported")
        }
    }

    private func compareTruths(
        _ left: PredicateTerm, _ operation: ComparisonOperator, _ right: PredicateTerm
    ) throws -> Predicate {
        if case .constant(nil) = left { return .constant(operation == .notEqual) }
        if case .constant(nil) = right { return .constant(operation == .notEqual) }
        let (a, b) = (try condition(left), try condition(right))
        let isEqual = Predicate.either(a, b, b.negated)
        return operation == .equal ? isEqual : isEqual.negated
    }

    // MARK: Paths

    private func compare(_ place: PredicatePlace, _ operation: ComparisonOperator, _ value: Any?) throws -> Predicate {
        guard let value else {
            return operation == .equal ? try isNil(place) : try isNil(place).negated
        }
        try verifyComparable(place, operation)
        if (value as? any FloatingPoint)?.isNaN ?? false { return .constant(operation == .notEqual) }
        return .comparison(Comparison(.path(try path(place)), operation, .value(try stored(value))))
    }

    private func compare(_ a: PredicatePlace, _ operation: ComparisonOperator, _ b: PredicatePlace) throws -> Predicate
    {
        try verifyComparable(a, operation)
        try verifyComparable(b, operation)
        let (left, right) = (Operand.path(try path(a)), Operand.path(try path(b)))
        guard operation == .equal || operation == .notEqual, !a.nilPaths.isEmpty || !b.nilPaths.isEmpty else {
            return .comparison(Comparison(left, operation, right))
        }
        let equality = Predicate.comparison(Comparison(left, .equal, right))
        let (isNilA, isNilB) = (try isNil(a), try isNil(b))
        let isEqual = Predicate.either(of: [
            .each(of: [isNilA, isNilB]), .each(of: [isNilA.negated, isNilB.negated, equality]),
        ])
        return operation == .equal ? isEqual : isEqual.negated
    }

    /// Throws for values whose equality or order in the engine differs from Swift's.
    private func verifyComparable(_ place: PredicatePlace, _ operation: ComparisonOperator) throws {
        let shape = place.shape
        if shape.isMapped { throw PredicateRefusal("queries cannot compare values of custom types") }
        let isEquality = operation == .equal || operation == .notEqual
        switch shape.type {
        case .int, .float, .double, .date, .string, .decimal128: return
        case .any: throw PredicateRefusal("AnyRealmValue is compared differently in queries, where 1 equals 1.0")
        case _ where isEquality: return
        default: throw PredicateRefusal("queries cannot order values of type '\(shape.type.name)'")
        }
    }

    // MARK: Operands

    func operand(_ term: PredicateTerm) throws -> Operand {
        switch term {
        case .number(let operand): return operand
        case .path(let place):
            guard place.nilPaths.isEmpty else { throw PredicateRefusal("it computes with a value that may be nil") }
            return .path(try path(place))
        case .constant(let value?): return .value(try stored(value))
        default: throw PredicateRefusal("it is not a number")
        }
    }

    func stored(_ value: Any) throws -> StoredValue {
        if value is any _CustomPersistable {
            throw PredicateRefusal("queries cannot compare values of custom types")
        }
        guard case .value(let stored) = realm.predicateArgument(value) else {
            throw PredicateRefusal("'\(value)' is not a value that can be stored")
        }
        return stored
    }

    // MARK: Strings

    /// `operation` is `contains` or `beginsWith`.
    func compareText(
        _ left: PredicateTerm, _ operation: ComparisonOperator, _ right: PredicateTerm
    ) throws -> Predicate {
        try left.overOutcomes { left in
            try right.overOutcomes { right in
                if case .constant(let text as String) = left, case .constant(let part as String) = right {
                    return .constant(operation == .contains ? text.contains(part) : text.starts(with: part))
                }
                guard case .path(let place) = left, place.shape.type == .string, !place.shape.isMapped,
                    !place.isCollection
                else { throw PredicateRefusal("only string properties can be searched for a substring") }
                switch right {
                case .constant(let part as String):
                    // Every string contains the empty string.
                    if part.isEmpty { return .constant(true) }
                    return .comparison(Comparison(.path(try path(place)), operation, .value(.string(part))))
                case .path(let part) where part.shape.type == .string && !part.shape.isMapped && !part.isCollection:
                    let path = try self.path(part)
                    return .either(of: [
                        .compare(path, .equal, .string("")),
                        .comparison(Comparison(.path(try self.path(place)), operation, .path(path))),
                    ])
                default: throw PredicateRefusal("a substring must be a string")
                }
            }
        }
    }
}

private enum ConstantComparison {
    static func holds(_ a: Any?, _ operation: ComparisonOperator, _ b: Any?) throws -> Bool {
        guard let a, let b else {
            let bothNil = a == nil && b == nil
            return operation == .equal ? bothNil : operation == .notEqual && !bothNil
        }
        switch operation {
        case .equal, .notEqual:
            guard let a = a as? any Equatable, let isEqual = isEqual(a, b) else { throw incomparable(a, b) }
            return isEqual == (operation == .equal)
        default:
            guard let a = a as? any Comparable, let holds = order(a, operation, b) else { throw incomparable(a, b) }
            return holds
        }
    }

    private static func incomparable(_ a: Any, _ b: Any) -> PredicateRefusal {
        PredicateRefusal("'\(a)' and '\(b)' cannot be compared")
    }

    private static func isEqual<Value: Equatable>(_ a: Value, _ b: Any) -> Bool? {
        (b as? Value).map { a == $0 }
    }

    private static func order<Value: Comparable>(_ a: Value, _ operation: ComparisonOperator, _ b: Any) -> Bool? {
        guard let b = b as? Value else { return nil }
        switch operation {
        case .less: return a < b
        case .lessOrEqual: return a <= b
        case .greater: return a > b
        case .greaterOrEqual: return a >= b
        default: return nil
        }
    }
}
