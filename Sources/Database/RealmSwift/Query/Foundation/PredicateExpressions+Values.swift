// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmQuery
import RealmStorage

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.Variable: TranslatedExpression {
    func term(_ translator: FoundationPredicateTranslator) throws -> PredicateTerm { try translator.term(of: key) }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.KeyPath: TranslatedExpression {
    func term(_ translator: FoundationPredicateTranslator) throws -> PredicateTerm {
        try translator.term(root).mapOutcomes { root in
            switch root {
            case .constant(let value): return .constant(try member(of: value))
            case .path(let place) where place.isObject: return try property(of: place, translator)
            case .path(let place): return .condition(try emptiness(of: place, translator))
            case .elements(let place): return try quantity(of: place, .constant(true), translator)
            case .subset(let place, let condition): return try quantity(of: place, condition, translator)
            default: throw PredicateRefusal("the property is not stored in the Realm")
            }
        }
    }

    private func member(of value: Any?) throws -> Any? {
        guard let value = value as? Root.Output else { throw PredicateRefusal("the property is not one of the root") }
        return flattened(value[keyPath: keyPath])
    }

    private func property(
        of place: PredicatePlace, _ translator: FoundationPredicateTranslator
    ) throws -> PredicateTerm {
        guard let name = PropertyProbe.nameIfStored(keyPath) else {
            throw PredicateRefusal("the property is not stored in the Realm")
        }
        translator.note(keyPath, name, of: place.shape)
        let place = PropertyProbe.beginning(of: keyPath).reduce(place) { $0.appending($1) }
        return place.isCollection ? .elements(place) : .path(place)
    }

    /// Translates `isEmpty`, the only supported property of strings and data.
    private func emptiness(of place: PredicatePlace, _ translator: FoundationPredicateTranslator) throws -> Predicate {
        // Foundation doesn't recognise `isEmpty` of `Data`.
        let asksForEmptiness = kind == .collectionIsEmpty || keyPath as AnyKeyPath == \Data.isEmpty
        guard asksForEmptiness, !place.shape.isMapped else {
            throw PredicateRefusal("of a value that is not an object, only isEmpty is supported")
        }
        let empty: Any = place.shape.type == .string ? "" : Data()
        return try translator.compare(.path(place), .equal, .constant(empty))
    }

    private func quantity(
        of place: PredicatePlace, _ condition: Predicate, _ translator: FoundationPredicateTranslator
    ) throws -> PredicateTerm {
        let operand = try translator.count(place, condition)
        let collection = Root.Output.self as? any QuantifiedCollection.Type
        if kind == .collectionCount || keyPath as AnyKeyPath == collection?.countKeyPath {
            return condition == .constant(true) ? .path(place.count) : .number(operand)
        }
        if kind == .collectionIsEmpty || keyPath as AnyKeyPath == collection?.isEmptyKeyPath {
            return .condition(.comparison(Comparison(operand, .equal, .value(.int(0)))))
        }
        throw PredicateRefusal("of a collection, only elements, count and isEmpty are supported")
    }
}

/// Collections whose `count` and `isEmpty` Foundation doesn't recognise.
private protocol QuantifiedCollection {
    static var countKeyPath: AnyKeyPath { get }
    static var isEmptyKeyPath: AnyKeyPath? { get }
}

extension List: QuantifiedCollection {
    fileprivate static var countKeyPath: AnyKeyPath { \List<Element>.count }
    fileprivate static var isEmptyKeyPath: AnyKeyPath? { \List<Element>.isEmpty }
}

extension MutableSet: QuantifiedCollection {
    fileprivate static var countKeyPath: AnyKeyPath { \MutableSet<Element>.count }
    fileprivate static var isEmptyKeyPath: AnyKeyPath? { \MutableSet<Element>.isEmpty }
}

extension LinkingObjects: QuantifiedCollection {
    fileprivate static var countKeyPath: AnyKeyPath { \LinkingObjects<Element>.count }
    fileprivate static var isEmptyKeyPath: AnyKeyPath? { \LinkingObjects<Element>.isEmpty }
}

extension Map: QuantifiedCollection {
    fileprivate static var countKeyPath: AnyKeyPath { \Map<Key, Value>.count }
    fileprivate static var isEmptyKeyPath: AnyKeyPath? { nil }
}

// MARK: Optionals

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.NilCoalesce: TranslatedExpression {
    func term(_ translator: FoundationPredicateTranslator) throws -> PredicateTerm {
        let instead = try translator.term(rhs)
        return try translator.term(lhs).mapOutcomes { outcome in
            switch outcome {
            case .constant(nil): return instead
            case .path(let place) where !place.nilPaths.isEmpty:
                return .choice(try translator.isNil(place), instead, .path(place.unwrapped))
            default: return outcome
            }
        }
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.OptionalFlatMap: TranslatedExpression {
    func term(_ translator: FoundationPredicateTranslator) throws -> PredicateTerm {
        try translator.term(wrapped).mapOutcomes { outcome in
            if case .constant(nil) = outcome { return .constant(nil) }
            guard case .path(let place) = outcome else {
                return try translator.binding(variable.key, to: outcome) { try translator.term(transform) }
            }
            let result = try translator.binding(variable.key, to: .path(place.unwrapped)) {
                try translator.term(transform)
            }
            if place.nilPaths.isEmpty { return result }
            guard case .path(var end) = result, end.scope == place.scope else {
                return .choice(try translator.isNil(place), .constant(nil), result)
            }
            end.nilPaths = place.nilPaths + end.nilPaths
            return .path(end)
        }
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.ForcedUnwrap: TranslatedExpression {
    func term(_ translator: FoundationPredicateTranslator) throws -> PredicateTerm {
        try translator.term(inner).mapOutcomes { outcome in
            if case .path(let place) = outcome { .path(place.unwrapped) } else { outcome }
        }
    }
}

// MARK: Collections

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.Filter: TranslatedExpression {
    func term(_ translator: FoundationPredicateTranslator) throws -> PredicateTerm {
        try translator.term(sequence).mapOutcomes { sequence in
            try translator.filtered(sequence, variable.key) { try translator.condition(filter) }
        }
    }
}

// MARK: Computations

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension FoundationPredicateTranslator {
    /// Translates an arithmetic operation. The engine's result equals Swift's, unless Swift traps.
    fileprivate func computed<Number>(
        _ left: PredicateTerm, _ operation: ArithmeticOperator, _ right: PredicateTerm, as type: Number.Type
    ) throws -> PredicateTerm {
        guard type is Double.Type || type is any BinaryInteger.Type else {
            throw PredicateRefusal("queries compute with integers and Double only")
        }
        return try left.mapOutcomes { left in
            try right.mapOutcomes { right in
                .number(.arithmetic(try operand(left), operation, try operand(right)))
            }
        }
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.Arithmetic: TranslatedExpression {
    func term(_ translator: FoundationPredicateTranslator) throws -> PredicateTerm {
        let operation: ArithmeticOperator =
            switch op {
            case .add: .plus
            case .subtract: .minus
            case .multiply: .times
            @unknown default: throw PredicateRefusal("its operator has no counterpart in Realm")
            }
        return try translator.computed(
            translator.term(lhs), operation, translator.term(rhs), as: LHS.Output.self)
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.IntDivision: TranslatedExpression {
    func term(_ translator: FoundationPredicateTranslator) throws -> PredicateTerm {
        try translator.computed(translator.term(lhs), .divided, translator.term(rhs), as: LHS.Output.self)
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.FloatDivision: TranslatedExpression {
    func term(_ translator: FoundationPredicateTranslator) throws -> PredicateTerm {
        try translator.computed(translator.term(lhs), .divided, translator.term(rhs), as: LHS.Output.self)
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.UnaryMinus: TranslatedExpression {
    func term(_ translator: FoundationPredicateTranslator) throws -> PredicateTerm {
        let minusOne: Any = Wrapped.Output.self is Double.Type ? -1.0 : -1
        return try translator.computed(
            .constant(minusOne), .times, translator.term(wrapped), as: Wrapped.Output.self)
    }
}
