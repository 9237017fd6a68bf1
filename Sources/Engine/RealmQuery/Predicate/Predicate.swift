// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// A condition on the objects of a class, with the names of its properties.
///
/// All front ends (the typed builder, the two text languages, `NSPredicate`, `#Predicate`) create this tree.
/// `Query.compile` uses `ConditionResolver` to bind it to the columns of a table, as a `Condition`. `and` and `or` have
/// at least two conditions, which `Predicate.all` and `Predicate.any` ensure.
package enum Predicate: Sendable, Equatable {
    case constant(Bool)
    case comparison(Comparison)
    case and([Predicate])
    case or([Predicate])
    indirect case not(Predicate)

    /// Returns the conjunction; true for an empty array.
    package static func all(_ conditions: [Predicate]) -> Predicate {
        conditions.count > 1 ? .and(conditions) : conditions.first ?? .constant(true)
    }

    /// Returns the disjunction; false for an empty array.
    package static func any(_ conditions: [Predicate]) -> Predicate {
        conditions.count > 1 ? .or(conditions) : conditions.first ?? .constant(false)
    }

    package static func compare(
        _ path: PropertyPath, _ operation: ComparisonOperator, _ value: StoredValue, options: TextOptions = [],
        quantifier: Quantifier? = nil
    ) -> Predicate {
        .comparison(
            Comparison(.path(path), operation, .value(value), options: options, quantifier: quantifier))
    }
}
