// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if Server
    import RealmStorage
    import RealmSyncCore

    extension RuleExpression {
        /// Returns whether the user satisfies an expression without fields.
        ///
        /// A comparison with a missing member of the user is unknown, also when it's negated. So a user without
        /// the member doesn't get more rights from `$ne` or `$nin`.
        func isSatisfied(by user: UserValues) -> Bool { value(for: user) == true }

        /// Returns `nil` if the result is unknown.
        func value(for user: UserValues) -> Bool? {
            switch self {
            case .constant(let value): return value
            case .not(let expression): return expression.value(for: user).map { !$0 }
            case .all(let expressions):
                let values = expressions.map { $0.value(for: user) }
                return values.contains(false) ? false : values.contains(nil) ? nil : true
            case .any(let expressions):
                let values = expressions.map { $0.value(for: user) }
                return values.contains(true) ? true : values.contains(nil) ? nil : false
            case .test(.value(let operand), let test): return test.value(of: operand.value(for: user), user)
            case .test(.field, _): return nil
            }
        }
    }

    extension RuleExpression.Test {
        /// An array satisfies the test if one of its elements does.
        fileprivate func value(of subject: ExtendedJSON?, _ user: UserValues) -> Bool? {
            let values: [StoredValue]
            if case .array(let elements)? = subject {
                values = elements.compactMap(\.scalar)
            } else {
                values = [subject?.scalar ?? .null]
            }
            switch self {
            case .exists: return subject != nil && subject != .null
            case .compare(let comparison, let operand):
                guard let operand = operand.scalar(for: user) else { return nil }
                return values.contains { comparison.holds($0, operand) }
            case .oneOf(let operand):
                let (elements, isComplete) = operand.elements(for: user)
                let isMember = values.contains { value in
                    elements.contains { RuleExpression.Comparison.equal.holds(value, $0) }
                }
                return isMember ? true : isComplete ? false : nil
            }
        }
    }

    extension RuleExpression.Comparison {
        /// Values of different types aren't equal and have no order, except for numbers.
        func holds(_ a: StoredValue, _ b: StoredValue) -> Bool {
            if a.isNull || b.isNull { return self == .equal && a.isNull && b.isNull }
            guard a.isComparable(to: b) else { return false }
            let order = StoredValue.compare(a, b)
            switch self {
            case .equal: return order == 0
            case .less: return order < 0
            case .lessOrEqual: return order <= 0
            case .greater: return order > 0
            case .greaterOrEqual: return order >= 0
            }
        }
    }
#endif
