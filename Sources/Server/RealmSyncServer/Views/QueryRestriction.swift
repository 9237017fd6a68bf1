// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmStorage
import RealmSyncCore

/// The values of properties, of which each result of a query has at least one: those of `room == 5`, `n > 3 AND …`,
/// and `room IN {5, 6} OR name BEGINSWITH "a"`. So an object is compared only with the queries on its own values.
struct QueryRestriction: Equatable {
    struct Term: Equatable {
        let field: Text
        let family: ValueFamily
        let interval: ValueInterval
    }

    let terms: [Term]
    /// Whether each object with one of the values is a result.
    let isExact: Bool

    /// A restriction with more terms isn't worth its memory.
    private static let maxTerms = 256

    private init?(_ terms: [Term], isExact: Bool) {
        let terms = terms.filter { !$0.interval.isEmpty }
        guard terms.count <= QueryRestriction.maxTerms else { return nil }
        (self.terms, self.isExact) = (terms, isExact)
    }

    /// Creates the narrowest restriction of a predicate, or returns `nil`.
    init?(_ predicate: Predicate) {
        switch predicate {
        case .constant, .not: return nil
        case .comparison(let comparison): self.init(comparison)
        case .and(let parts):
            let known = parts.compactMap(QueryRestriction.init).sorted { $0.width < $1.width }
            guard var narrowest = known.first else { return nil }
            var isExact = known.count == parts.count
            for other in known.dropFirst() {
                if let both = narrowest.intersection(other) { narrowest = both } else { isExact = false }
            }
            self.init(narrowest.terms, isExact: isExact && narrowest.isExact)
        case .or(let parts):
            let known = parts.compactMap(QueryRestriction.init)
            guard known.count == parts.count else { return nil }
            self.init(known.flatMap(\.terms), isExact: known.allSatisfy(\.isExact))
        }
    }

    /// Approximates the share of all values: single ones before ranges with two ends, and these before others.
    private var width: Int {
        terms.reduce(0) { $0 + ($1.interval.isSingle ? 1 : $1.interval.isBounded ? 1 << 10 : 1 << 20) }
    }

    /// Returns the objects that both restrictions have in common if they are on the same property.
    private func intersection(_ other: QueryRestriction) -> QueryRestriction? {
        guard let first = terms.first ?? other.terms.first,
            (terms + other.terms).allSatisfy({ $0.field == first.field && $0.family == first.family }),
            terms.count * other.terms.count <= QueryRestriction.maxTerms
        else { return nil }
        let both = terms.flatMap { term in
            other.terms.map {
                Term(field: term.field, family: term.family, interval: term.interval.intersection($0.interval))
            }
        }
        return QueryRestriction(both, isExact: isExact && other.isExact)
    }

    private init?(_ comparison: Comparison) {
        guard comparison.quantifier == nil,
            comparison.options.isDisjoint(with: [.caseInsensitive, .diacriticInsensitive])
        else { return nil }
        var (left, operation, right) = (comparison.left, comparison.operation, comparison.right)
        if case .value = left, let mirrored = operation.mirrored { (left, operation, right) = (right, mirrored, left) }
        guard case .path(let path) = left, path.steps.count == 1, let field = path.field else { return nil }
        let terms: [Term?]
        switch (operation, right) {
        case (.in, .values(let values)):
            terms = values.map { Term(field, $0) { ValueInterval(only: $0) } }
        case (.between, .values(let values)):
            guard values.count == 2, ValueFamily(values[0]) == ValueFamily(values[1]), let high = values[1].ordered
            else { return nil }
            terms = [Term(field, values[0]) { ValueInterval(.before($0), .after(high)) }]
        case (let operation, .value(let value)): terms = [Term(field, value) { ValueInterval(operation, $0) }]
        default: return nil
        }
        let known = terms.compactMap { $0 }
        guard known.count == terms.count else { return nil }
        self.init(known, isExact: true)
    }
}

extension QueryRestriction.Term {
    /// - Parameter interval: Returns the interval of a constant.
    fileprivate init?(_ field: Text, _ constant: StoredValue, _ interval: (StoredValue) -> ValueInterval?) {
        guard let family = ValueFamily(constant), let value = constant.ordered, let interval = interval(value) else {
            return nil
        }
        self.init(field: field, family: family, interval: interval)
    }
}

extension ValueInterval {
    /// Creates the interval of the values that satisfy a comparison with a constant. Returns `nil` for other operators.
    fileprivate init?(_ operation: ComparisonOperator, _ constant: StoredValue) {
        switch operation {
        case .equal: self.init(only: constant)
        case .less: self.init(.start, .before(constant))
        case .lessOrEqual: self.init(.start, .after(constant))
        case .greater: self.init(.after(constant), .end)
        case .greaterOrEqual: self.init(.before(constant), .end)
        case .beginsWith:
            guard case .binary(let bytes) = constant, !bytes.isEmpty else { return nil }
            self.init(prefix: bytes)
        case .notEqual, .in, .between, .contains, .endsWith, .like, .matches, .geoWithin, .text: return nil
        }
    }
}
