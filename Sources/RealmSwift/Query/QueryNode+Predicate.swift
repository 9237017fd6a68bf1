// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmStorage

extension QueryNode {
    /// The predicate that the text of this query would be parsed to; nil for what only the text has a form for, such
    /// as subqueries. The Realm says what constants are.
    ///
    /// `level` is how many ANDs, ORs and NOTs are around; those of one operator are one.
    func predicate(in realm: RealmInstance, level: Int = 0) -> Predicate? {
        if level > QueryLimits.depth {
            throwRealmException("A query cannot have more than \(QueryLimits.depth) conditions inside each other.")
        }
        switch self {
        case .path(let path): return QueryNode.comparison(path, true)
        case .test(let test): return .comparison(test.comparison)
        case .not(.path(let path)): return QueryNode.comparison(path, false)
        case .not(let node): return node.predicate(in: realm, level: level + 1).map { .not($0) }
        case .junction(let junction):
            var parts: [Predicate] = []
            for part in junction.parts {
                guard let predicate = part.predicate(in: realm, level: level + 1) else { return nil }
                parts.append(predicate)
            }
            return junction.isConjunction ? .and(parts) : .or(parts)
        case .between(let path, let low, let high):
            guard case .value(let low) = realm.predicateArgument(low),
                case .value(let high) = realm.predicateArgument(high)
            else { return nil }
            return .comparison(
                Comparison(
                    .path(path.resolvable), .between, .values([low, high]), quantifier: path.needsAny ? .any : nil))
        case .comparison(let operation, let left, let right, let options):
            if !left.isOperand, let condition = asCondition {
                return condition.predicate(in: realm, level: level + 1)
            }
            return QueryNode.comparison(operation, left, right, options, realm)
        case .constant(let value): return .constant(value as? Bool == true)
        case .subqueryCount: return nil
        }
    }

    private static func comparison(_ path: QueryPath, _ value: Bool) -> Predicate {
        .compare(path.resolvable, .equal, .bool(value), quantifier: path.needsAny ? .any : nil)
    }

    private static func comparison(
        _ operation: Operator, _ left: QueryNode, _ right: QueryNode, _ options: StringOptions,
        _ realm: RealmInstance
    ) -> Predicate? {
        guard let from = left.operand(in: realm), let to = right.operand(in: realm) else { return nil }
        var actual = operation
        var quantifier: Quantifier?
        if case .path(let path) = left, path.needsAny { quantifier = .any }
        // A value is asked for in the collection itself; otherwise the quantifier has no place on the right.
        let isMembership = if case .constant = left { operation == .in } else { false }
        if case .path(let path) = right, path.needsAny, !isMembership { return nil }
        if operation == .in, case .shape = to { actual = .geoWithin }
        return .comparison(
            Comparison(from, actual, to, options: TextOptions(rawValue: options.rawValue), quantifier: quantifier))
    }

    private func operand(in realm: RealmInstance) -> Operand? {
        switch self {
        case .path(let path): return .path(path.resolvable)
        case .constant(let value):
            if let value, let stored = StoredValue(ofAny: value) { return .value(stored) }
            switch realm.predicateArgument(value) {
            case .value(let value): return .value(value)
            case .shape(let shape): return .shape(shape)
            case .list(let list):
                let values = list.compactMap { if case .value(let value) = $0 { value } else { nil } }
                return values.count == list.count ? .values(values) : nil
            }
        default: return nil
        }
    }
}
