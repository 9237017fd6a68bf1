// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmQuery
import RealmStorage

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.Conjunction: TranslatedExpression {
    func term(_ translator: FoundationPredicateTranslator) throws -> PredicateTerm {
        .condition(.each(of: [try translator.condition(lhs), try translator.condition(rhs)]))
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.Disjunction: TranslatedExpression {
    func term(_ translator: FoundationPredicateTranslator) throws -> PredicateTerm {
        .condition(.either(of: [try translator.condition(lhs), try translator.condition(rhs)]))
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.Negation: TranslatedExpression {
    func term(_ translator: FoundationPredicateTranslator) throws -> PredicateTerm {
        .condition(try translator.condition(wrapped).negated)
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.Equal: TranslatedExpression {
    func term(_ translator: FoundationPredicateTranslator) throws -> PredicateTerm {
        .condition(try translator.compare(translator.term(lhs), .equal, translator.term(rhs)))
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.NotEqual: TranslatedExpression {
    func term(_ translator: FoundationPredicateTranslator) throws -> PredicateTerm {
        .condition(try translator.compare(translator.term(lhs), .notEqual, translator.term(rhs)))
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.Comparison: TranslatedExpression {
    func term(_ translator: FoundationPredicateTranslator) throws -> PredicateTerm {
        let operation: ComparisonOperator =
            switch op {
            case .lessThan: .less
            case .lessThanOrEqual: .lessOrEqual
            case .greaterThan: .greater
            case .greaterThanOrEqual: .greaterOrEqual
            @unknown default: throw PredicateRefusal("its operator has no counterpart in Realm")
            }
        return .condition(try translator.compare(translator.term(lhs), operation, translator.term(rhs)))
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.Conditional: TranslatedExpression {
    func term(_ translator: FoundationPredicateTranslator) throws -> PredicateTerm {
        .choice(
            try translator.condition(test), try translator.term(trueBranch), try translator.term(falseBranch))
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.CollectionContainsCollection: TranslatedExpression {
    func term(_ translator: FoundationPredicateTranslator) throws -> PredicateTerm {
        .condition(try translator.compareText(translator.term(base), .contains, translator.term(other)))
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.SequenceStartsWith: TranslatedExpression {
    func term(_ translator: FoundationPredicateTranslator) throws -> PredicateTerm {
        .condition(try translator.compareText(translator.term(base), .beginsWith, translator.term(prefix)))
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.SequenceContains: TranslatedExpression {
    func term(_ translator: FoundationPredicateTranslator) throws -> PredicateTerm {
        .condition(try translator.contains(translator.term(sequence), translator.term(element)))
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.SequenceContainsWhere: TranslatedExpression {
    func term(_ translator: FoundationPredicateTranslator) throws -> PredicateTerm {
        .condition(
            try translator.quantified(translator.term(sequence), variable.key, all: false) {
                try translator.condition(test)
            })
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.SequenceAllSatisfy: TranslatedExpression {
    func term(_ translator: FoundationPredicateTranslator) throws -> PredicateTerm {
        .condition(
            try translator.quantified(translator.term(sequence), variable.key, all: true) {
                try translator.condition(test)
            })
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.RangeExpressionContains: TranslatedExpression {
    func term(_ translator: FoundationPredicateTranslator) throws -> PredicateTerm {
        let element = try translator.term(element)
        if let range = range as? any TranslatedRange { return .condition(try range.contains(element, translator)) }
        guard case .constant(let range as any ConstantRange) = try translator.term(range) else {
            throw PredicateRefusal("its range has no counterpart in Realm")
        }
        return .condition(try translator.contains(range, element))
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
private protocol TranslatedRange {
    func contains(_ element: PredicateTerm, _ translator: FoundationPredicateTranslator) throws -> Predicate
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.Range: TranslatedRange {
    func contains(_ element: PredicateTerm, _ translator: FoundationPredicateTranslator) throws -> Predicate {
        .each(of: [
            try translator.compare(element, .greaterOrEqual, translator.term(lower)),
            try translator.compare(element, .less, translator.term(upper)),
        ])
    }
}

@available(macOS 14, iOS 17, tvOS 17, watchOS 10, *)
extension PredicateExpressions.ClosedRange: TranslatedRange {
    func contains(_ element: PredicateTerm, _ translator: FoundationPredicateTranslator) throws -> Predicate {
        .each(of: [
            try translator.compare(element, .greaterOrEqual, translator.term(lower)),
            try translator.compare(element, .lessOrEqual, translator.term(upper)),
        ])
    }
}
