// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmStorage

indirect enum PredicateTerm {
    /// A Swift value, without layers of optionals.
    case constant(Any?)
    case path(PredicatePlace)
    case elements(PredicatePlace)
    case subset(PredicatePlace, Predicate)
    case number(Operand)
    case condition(Predicate)
    /// The first term if the condition is true, otherwise the second.
    case choice(Predicate, PredicateTerm, PredicateTerm)

    func mapOutcomes(_ change: (PredicateTerm) throws -> PredicateTerm) rethrows -> PredicateTerm {
        guard case .choice(let test, let first, let second) = self else { return try change(self) }
        return .choice(test, try first.mapOutcomes(change), try second.mapOutcomes(change))
    }

    func overOutcomes(_ make: (PredicateTerm) throws -> Predicate) rethrows -> Predicate {
        guard case .choice(let test, let first, let second) = self else { return try make(self) }
        return .either(test, try first.overOutcomes(make), try second.overOutcomes(make))
    }
}

/// A path from an object or from an element of a collection to a value.
struct PredicatePlace {
    var steps: [PathStep] = []
    let scope: Int
    var shape: _PropertyShape
    /// The value is nil if one of these paths leads to null.
    var nilPaths: [[PathStep]] = []

    init(elementOf shape: _PropertyShape, scope: Int) {
        self.scope = scope
        self.shape = shape
        self.shape.collection = .none
        if shape.type == .linkingObjects { self.shape.type = .object }
        if shape.isOptional, self.shape.type != .object { nilPaths = [[]] }
    }

    var isObject: Bool { shape.type == .object && shape.collection == .none && !shape.isMapped }

    var isCollection: Bool { shape.collection != .none || shape.type == .linkingObjects }

    var unwrapped: PredicatePlace {
        var place = self
        place.nilPaths = []
        return place
    }

    func appending(_ property: PropertyInfo) -> PredicatePlace {
        var place = self
        place.steps.append(.property(property.name))
        place.shape = property.shape
        let isSingle = property.shape.collection == .none && !property.isComputed
        if isSingle, property.shape.isOptional || property.shape.type == .object { place.nilPaths.append(place.steps) }
        return place
    }

    var count: PredicatePlace {
        var place = self
        place.steps.append(.operation(.count))
        place.shape = _PropertyShape(type: .int)
        return place
    }
}

extension Predicate {
    /// Omits constants without effect.
    static func each(of conditions: [Predicate]) -> Predicate {
        if conditions.contains(.constant(false)) { return .constant(false) }
        return .all(conditions.filter { $0 != .constant(true) })
    }

    static func either(of conditions: [Predicate]) -> Predicate {
        if conditions.contains(.constant(true)) { return .constant(true) }
        return .any(conditions.filter { $0 != .constant(false) })
    }

    /// Returns a condition that equals `first` if `test` is true, otherwise `second`.
    static func either(_ test: Predicate, _ first: Predicate, _ second: Predicate) -> Predicate {
        .either(of: [.each(of: [test, first]), .each(of: [test.negated, second])])
    }

    var negated: Predicate {
        switch self {
        case .constant(let value): .constant(!value)
        case .not(let condition): condition
        default: .not(self)
        }
    }
}
