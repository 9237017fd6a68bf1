// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmRuntime
import RealmStorage

/// Translates a typed query to the engine's predicate. The result equals the predicate parsed from the query's text.
struct QueryTranslator {
    private let argument: (Any?) -> PredicateArgument
    private var isInSubquery = false
    private var subqueryCount = 0

    static func predicate(
        _ node: QueryNode, argument: @escaping (Any?) -> PredicateArgument
    ) throws(PredicateError) -> Predicate {
        var translator = QueryTranslator(argument: argument)
        return try translator.condition(node, level: 0)
    }

    private init(argument: @escaping (Any?) -> PredicateArgument) { self.argument = argument }

    // MARK: Conditions

    /// `level` is the number of enclosing ANDs, ORs, NOTs and subqueries. Nested ones of the same operator count once.
    private mutating func condition(_ node: QueryNode, level: Int) throws(PredicateError) -> Predicate {
        if level > QueryLimits.depth {
            throwRealmException("A query cannot have more than \(QueryLimits.depth) nested conditions.")
        }
        switch node {
        case .path(let path): return truth(path, true)
        case .test(let comparison):
            if isInSubquery { QueryNode.throwNoCollection() }
            return .comparison(comparison)
        case .not(.path(let path)): return truth(path, false)
        case .not(let node): return .not(try condition(node, level: level + 1))
        case .junction(let junction):
            var parts: [Predicate] = []
            for part in junction.parts { parts.append(try condition(part, level: level + 1)) }
            return junction.isConjunction ? .and(parts) : .or(parts)
        case .between(let path, let low, let high):
            let place = place(path)
            let bounds = try constants([argument(low), argument(high)])
            return .comparison(
                Comparison(.path(place.path), .between, .values(bounds), quantifier: place.needsAny ? .any : nil))
        case .memberwise(_, _, _, let members): return try condition(members, level: level)
        case .comparison(let operation, let left, let right, let options):
            if !left.isOperand, let node = node.asCondition { return try condition(node, level: level + 1) }
            return try comparison(operation, left, right, options, level)
        case .constant(let value): return .constant(value as? Bool == true)
        case .subqueryCount: throwRealmException("A count is not a condition.")
        }
    }

    private func truth(_ path: QueryPath, _ value: Bool) -> Predicate {
        let place = place(path)
        return .compare(place.path, .equal, .bool(value), quantifier: place.needsAny ? .any : nil)
    }

    private mutating func comparison(
        _ operation: QueryNode.Operator, _ left: QueryNode, _ right: QueryNode, _ options: StringOptions,
        _ level: Int
    ) throws(PredicateError) -> Predicate {
        // IN with a constant on the left applies to the collection itself. Otherwise a quantifier isn't allowed on the
        // right.
        let isMembership = if case .constant = left { operation == .in } else { false }
        let bare = (left: left.isBare(comparedWith: right), right: right.isBare(comparedWith: left))
        if case .path(let path) = right, !isMembership, place(path, isBare: bare.right).needsAny {
            throw PredicateError(
                .invalidPredicate, "A collection can only be the left operand of '\(operation.rawValue)'.")
        }
        var quantifier: Quantifier?
        if case .path(let path) = left, place(path, isBare: bare.left).needsAny { quantifier = .any }
        let (from, to) = (
            try operand(left, level, isBare: bare.left), try operand(right, level, isBare: bare.right)
        )
        var actual = operation
        if operation == .in, case .shape = to { actual = .geoWithin }
        return .comparison(
            Comparison(from, actual, to, options: TextOptions(rawValue: options.rawValue), quantifier: quantifier))
    }

    // MARK: Operands

    private mutating func operand(
        _ node: QueryNode, _ level: Int, isBare: Bool
    ) throws(PredicateError) -> Operand {
        switch node {
        case .path(let path): return .path(place(path, isBare: isBare).path)
        case .constant(let value):
            switch argument(value) {
            case .value(let value): return .value(value)
            case .shape(let shape): return .shape(shape)
            case .list(let list): return .values(try constants(list))
            }
        case .subqueryCount(let condition): return try subquery(condition, level)
        case .comparison, .test, .junction, .not, .between, .memberwise:
            throwRealmException("Only properties and values can be compared.")
        }
    }

    private func constants(_ arguments: [PredicateArgument]) throws(PredicateError) -> [StoredValue] {
        var values: [StoredValue] = []
        for argument in arguments {
            guard case .value(let value) = argument else {
                throw PredicateError(.invalidValue, "Expressions within predicate aggregates must be constant values")
            }
            values.append(value)
        }
        return values
    }

    private mutating func subquery(_ node: QueryNode, _ level: Int) throws(PredicateError) -> Operand {
        let collection = node.subqueryCollection
        subqueryCount += 1
        let variable = "col\(subqueryCount)"
        let outer = isInSubquery
        isInSubquery = true
        defer { isInSubquery = outer }
        return .subqueryCount(PropertyPath(collection), variable: variable, try condition(node, level: level + 1))
    }

    /// Returns the path from the object or from the element of a subquery. `needsAny` is true if a comparison with it
    /// is true for at least one matching element.
    private func place(_ path: QueryPath, isBare: Bool = false) -> (path: PropertyPath, needsAny: Bool) {
        guard isInSubquery, !isBare else { return (path.resolvable, path.needsAny) }
        return (PropertyPath(path.partInSubquery), path.needsAnyInSubquery)
    }
}
