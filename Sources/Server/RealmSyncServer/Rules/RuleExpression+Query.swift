// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmQuery
    import RealmStorage
    import RealmSyncCore

    extension RuleExpression {
        /// Returns the query that a document filter is for a user, with the values of the user as literals.
        ///
        /// A test with an unknown value matches no document, also when it's negated.
        func predicate(for user: UserValues) -> Predicate { predicate(user, isNegated: false) }

        /// Pushes the negations down to the tests.
        private func predicate(_ user: UserValues, isNegated: Bool) -> Predicate {
            switch self {
            case .constant(let value): return .constant(value != isNegated)
            case .not(let expression): return expression.predicate(user, isNegated: !isNegated)
            case .all(let expressions), .any(let expressions):
                let parts = expressions.map { $0.predicate(user, isNegated: isNegated) }
                if case .all = self { return isNegated ? .simplified(any: parts) : .simplified(all: parts) }
                return isNegated ? .simplified(all: parts) : .simplified(any: parts)
            case .test(.field(let steps), let test):
                let path = PropertyPath(steps.map { .property($0) })
                return test.predicate(path, user, isNegated: isNegated) ?? .constant(false)
            case .test(.value, _):
                guard let value = value(for: user) else { return .constant(false) }
                return .constant(value != isNegated)
            }
        }
    }

    extension RuleExpression.Test {
        fileprivate func predicate(_ path: PropertyPath, _ user: UserValues, isNegated: Bool) -> Predicate? {
            switch self {
            case .exists:
                // A comparison with a collection holds if one element satisfies it, so `== NULL` isn't the negation.
                let exists = Predicate.compare(path, .notEqual, .null)
                return isNegated ? .not(exists) : exists
            case .compare(let comparison, let operand):
                guard let value = operand.scalar(for: user) else { return nil }
                let predicate = comparison.predicate(path, value)
                return predicate.map { isNegated ? .not($0) : $0 }
            case .oneOf(let operand):
                let (values, isComplete) = operand.elements(for: user)
                guard isComplete || !isNegated else { return nil }
                if values.isEmpty { return .constant(isNegated) }
                let predicate = RuleExpression.membership(path, values)
                return isNegated ? .not(predicate) : predicate
            }
        }
    }

    extension RuleExpression.Comparison {
        /// Returns `nil` for a value without an order.
        fileprivate func predicate(_ path: PropertyPath, _ value: StoredValue) -> Predicate? {
            let operation: ComparisonOperator
            switch self {
            case .equal: return .compare(path, .equal, value)
            case .less: operation = .less
            case .lessOrEqual: operation = .lessOrEqual
            case .greater: operation = .greater
            case .greaterOrEqual: operation = .greaterOrEqual
            }
            switch value {
            case .null, .bool: return nil
            default: return .compare(path, operation, value)
            }
        }
    }

    extension RuleExpression {
        /// Sorted and without repetitions, so that equal sets give equal queries.
        fileprivate static func membership(_ path: PropertyPath, _ values: [StoredValue]) -> Predicate {
            var literals: [ByteText: StoredValue] = [:]
            for value in values { literals[ByteText(value.literal)] = value }
            let sorted = literals.sorted { $0.key < $1.key }.map(\.value)
            guard sorted.count != 1 else { return .compare(path, .equal, sorted[0]) }
            return .comparison(RealmQuery.Comparison(.path(path), .in, .values(sorted)))
        }
    }

    extension Predicate {
        /// Returns the conjunction without constants, nested conjunctions, and repetitions.
        static func simplified(all parts: [Predicate]) -> Predicate { .all(distinct(parts, isConjunction: true)) }

        /// Returns the disjunction without constants, nested disjunctions, and repetitions.
        static func simplified(any parts: [Predicate]) -> Predicate { .any(distinct(parts, isConjunction: false)) }

        private static func distinct(_ parts: [Predicate], isConjunction: Bool) -> [Predicate] {
            var distinct = DistinctPredicates()
            for part in parts {
                switch part {
                case .constant(!isConjunction): return [part]
                case .and(let inner) where isConjunction, .or(let inner) where !isConjunction:
                    for part in inner { distinct.insert(part) }
                default: distinct.insert(part)
                }
            }
            return distinct.predicates.filter { $0 != .constant(isConjunction) }
        }
    }

    private struct DistinctPredicates {
        private(set) var predicates: [Predicate] = []
        private var texts: Set<ByteText> = []

        mutating func insert(_ predicate: Predicate) {
            if texts.insert(ByteText(predicate.description)).inserted { predicates.append(predicate) }
        }
    }
#endif
