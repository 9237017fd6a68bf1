// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmQuery
import RealmStorage

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension FoundationPredicateTranslator {
    private static let maxConstants = 1000

    func contains(_ sequence: PredicateTerm, _ element: PredicateTerm) throws -> Predicate {
        try sequence.overOutcomes { sequence in
            try element.overOutcomes { element in
                switch (sequence, element) {
                case (.constant(let sequence?), _): return try contains(constants: sequence, element)
                case (.elements(let place), .constant(let value)):
                    try verifyElements(place)
                    if (value as? any FloatingPoint)?.isNaN ?? false { return .constant(false) }
                    let stored = try value.map(stored) ?? .null
                    return .comparison(
                        Comparison(.path(try path(place)), .equal, .value(stored), quantifier: .any))
                case (.elements(let place), .path(let element)):
                    try verifyElements(place)
                    guard element.nilPaths.isEmpty else {
                        throw PredicateRefusal("the element that it searches for may be nil")
                    }
                    return .comparison(Comparison(.path(try path(element)), .in, .path(try path(place))))
                default: throw PredicateRefusal("only stored collections and constants can be searched for elements")
                }
            }
        }
    }

    private func contains(constants sequence: Any, _ element: PredicateTerm) throws -> Predicate {
        if let range = sequence as? any ConstantRange { return try contains(range, element) }
        guard let elements = sequenceElements(of: sequence) else {
            throw PredicateRefusal("'\(sequence)' is not a sequence of values")
        }
        let place: PredicatePlace? = if case .path(let place) = element { place } else { nil }
        let values = elements.compactMap { $0 }.filter { !(($0 as? any FloatingPoint)?.isNaN ?? false) }
        guard let place, elements.allSatisfy({ $0 != nil }) else {
            guard elements.count <= Self.maxConstants else { throw PredicateRefusal("there are too many constants") }
            return .either(of: try elements.map { try compare(element, .equal, .constant($0)) })
        }
        try verifyElements(place)
        let stored = try values.map(stored)
        return .comparison(Comparison(.path(try path(place)), .in, .values(stored)))
    }

    func contains(_ range: any ConstantRange, _ element: PredicateTerm) throws -> Predicate {
        var conditions: [Predicate] = []
        if let lower = range.lower { conditions.append(try compare(element, .greaterOrEqual, .constant(lower))) }
        if let (upper, isIncluded) = range.upper {
            conditions.append(try compare(element, isIncluded ? .lessOrEqual : .less, .constant(upper)))
        }
        return .each(of: conditions)
    }

    private func verifyElements(_ place: PredicatePlace) throws {
        if place.shape.collection == .dictionary { throw PredicateRefusal("queries cannot search entries of a Map") }
        if place.shape.isMapped || place.shape.type == .any {
            throw PredicateRefusal("values of type '\(place.shape.type.name)' are compared differently in queries")
        }
    }

    // MARK: Conditions on elements

    /// With `isAll`, all elements must satisfy the condition, otherwise at least one.
    func quantified(
        _ sequence: PredicateTerm, _ variable: PredicateExpressions.VariableID, all isAll: Bool,
        _ test: () throws -> Predicate
    ) throws -> Predicate {
        try sequence.overOutcomes { sequence in
            switch sequence {
            case .constant(let constants?):
                guard let elements = sequenceElements(of: constants), elements.count <= Self.maxConstants else {
                    throw PredicateRefusal("there are too many constants")
                }
                let conditions = try elements.map { try binding(variable, to: .constant($0), test) }
                return isAll ? .each(of: conditions) : .either(of: conditions)
            case .elements(let place) where place.isObjects:
                let condition = try entering(variable, place.shape, test)
                return try isAll ? count(place, condition.negated, .equal) : count(place, condition, .greater)
            case .elements(let place):
                try verifyElements(place)
                let condition = try entering(variable, place.shape, test)
                return try condition.ofElements(at: path(place), isAll ? .all : .any)
            case .subset(let place, let earlier):
                let condition = try entering(variable, place.shape, test)
                return try isAll
                    ? count(place, .each(of: [earlier, condition.negated]), .equal)
                    : count(place, .each(of: [earlier, condition]), .greater)
            default: throw PredicateRefusal("only stored collections and constants can be searched for elements")
            }
        }
    }

    private func count(
        _ place: PredicatePlace, _ condition: Predicate, _ operation: ComparisonOperator
    ) throws -> Predicate {
        .comparison(Comparison(try count(place, condition), operation, .value(.int(0))))
    }

    func count(_ place: PredicatePlace, _ condition: Predicate) throws -> Operand {
        let path = try path(place)
        if condition == .constant(true) { return .path(PropertyPath(path.steps + [.operation(.count)])) }
        return .subqueryCount(path, variable: "element\(scope)", condition)
    }

    func filtered(
        _ sequence: PredicateTerm, _ variable: PredicateExpressions.VariableID, _ test: () throws -> Predicate
    ) throws -> PredicateTerm {
        switch sequence {
        case .elements(let place) where place.isObjects:
            return .subset(place, try entering(variable, place.shape, test))
        case .subset(let place, let earlier):
            return .subset(place, .each(of: [earlier, try entering(variable, place.shape, test)]))
        default: throw PredicateRefusal("only collections of objects can be filtered")
        }
    }
}

extension PredicatePlace {
    var isObjects: Bool {
        shape.type == .linkingObjects || (shape.type == .object && !shape.isMapped && shape.collection != .dictionary)
    }
}

extension Predicate {
    /// Converts a condition on an element that is a value to a condition on the collection. `any` distributes over OR,
    /// and `all` over AND.
    fileprivate func ofElements(at path: PropertyPath, _ quantifier: Quantifier) throws -> Predicate {
        switch self {
        case .comparison(let comparison) where comparison.left == .path(PropertyPath([])) && !comparison.right.isPath:
            return .comparison(
                Comparison(
                    .path(path), comparison.operation, comparison.right, options: comparison.options,
                    quantifier: quantifier))
        case .or(let conditions) where quantifier == .any:
            return .either(of: try conditions.map { try $0.ofElements(at: path, quantifier) })
        case .and(let conditions) where quantifier == .all:
            return .each(of: try conditions.map { try $0.ofElements(at: path, quantifier) })
        default: throw PredicateRefusal("a condition on elements that are values must be one comparison")
        }
    }
}

extension Operand {
    fileprivate var isPath: Bool {
        switch self {
        case .value, .values: false
        default: true
        }
    }
}

/// A range whose bound type is known only to the predicate.
protocol ConstantRange {
    var lower: Any? { get }
    var upper: (bound: Any, isIncluded: Bool)? { get }
}

extension Range: ConstantRange {
    var lower: Any? { lowerBound }
    var upper: (bound: Any, isIncluded: Bool)? { (upperBound, false) }
}

extension ClosedRange: ConstantRange {
    var lower: Any? { lowerBound }
    var upper: (bound: Any, isIncluded: Bool)? { (upperBound, true) }
}

extension PartialRangeFrom: ConstantRange {
    var lower: Any? { lowerBound }
    var upper: (bound: Any, isIncluded: Bool)? { nil }
}

extension PartialRangeUpTo: ConstantRange {
    var lower: Any? { nil }
    var upper: (bound: Any, isIncluded: Bool)? { (upperBound, false) }
}

extension PartialRangeThrough: ConstantRange {
    var lower: Any? { nil }
    var upper: (bound: Any, isIncluded: Bool)? { (upperBound, true) }
}
