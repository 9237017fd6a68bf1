// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

struct ConditionResolver {
    let source: any TableSource
    let names: PropertyNames
    let table: Table
    var dialect = Predicate.Dialect.query
    /// The bound paths of earlier predicates; nil if they aren't cached.
    var known: PathBindingCache?

    func resolve(_ predicate: Predicate) throws -> Condition {
        switch predicate {
        case .constant(let value): .constant(value)
        case .and(let conditions): .all(try conditions.map(resolve))
        case .or(let conditions): .any(try conditions.map(resolve))
        case .not(let condition): .not(try resolve(condition))
        case .comparison(let comparison): try resolve(comparison)
        }
    }

    private func resolve(_ comparison: Comparison) throws -> Condition {
        let comparison =
            comparison.left.isResolved && comparison.right.isResolved ? comparison : try resolved(comparison)
        switch comparison.operation {
        case .geoWithin: return try geoWithin(comparison)
        case .text: return try words(comparison)
        case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .in, .between, .contains, .beginsWith,
            .endsWith, .like, .matches:
            break
        }
        switch (comparison.left, comparison.right) {
        case (.arithmetic, _), (_, .arithmetic): return try computed(comparison)
        case (.path(let left), .path(let right)): return try pair(left, right, comparison)
        case (.path(let path), .value(let value)):
            return try test(path, comparison) { maker throws(PredicateError) in try maker.test(value) }
        case (.path(let path), .values(let values)) where dialect == .query && comparison.operation.mirrored != nil:
            return try oneOf(path, values, comparison)
        case (.path(let path), .values(let values)):
            return try test(path, comparison) { maker throws(PredicateError) in try maker.test(values) }
        case (.value(let value), .path(let path)): return try reversed(value, path, comparison)
        case (.subqueryCount(let path, _, let condition), .value(let value)):
            return try subquery(path, condition, comparison.operation, value, comparison)
        case (.value(let value), .subqueryCount(let path, _, let condition)):
            guard let operation = comparison.operation.mirrored else { throw ConditionResolver.subqueryOperand }
            return try subquery(path, condition, operation, value, comparison)
        case (.subqueryCount, _), (_, .subqueryCount): throw ConditionResolver.subqueryOperand
        case (.values, .path) where comparison.operation == .between:
            throw PredicateError(
                .invalidPredicate,
                "Predicate with BETWEEN operator must compare a KeyPath with an aggregate with two values")
        case (.values, .path):
            throw PredicateError(
                .invalidPredicate, "Predicate with IN operator must compare a KeyPath with an aggregate")
        default:
            throw PredicateError(
                .invalidExpressions,
                "Predicate expressions must compare a keypath and another keypath or a constant value")
        }
    }

    /// Resolves a comparison with a value whose path is already bound to an own column of `table`. Returns nil if the
    /// comparison needs a full resolution: the path leads to a link, or the value is unsuitable.
    static func condition(
        _ comparison: Comparison, _ bound: BoundPath, in table: Table, _ dialect: Predicate.Dialect
    ) throws(PredicateError) -> Condition? {
        guard comparison.operation != .geoWithin, bound.path.target == nil else { return nil }
        let test: ValueTest
        if comparison.operation == .text {
            guard case .string(let text) = comparison.value else { return nil }
            test = try words(text, bound.path, in: table)
        } else {
            test = try ValueTestMaker(
                type: bound.path.type, target: nil, property: bound.path.property, operation: comparison.operation,
                options: comparison.options, dialect: dialect
            ).test(comparison.value)
        }
        return .test(PathTest(bound, test, text: comparison))
    }

    func path(_ path: PropertyPath) throws -> ResolvedPath {
        try PathResolver.resolve(path, from: table, in: source, names: names, dialect: dialect)
    }

    func bound(_ path: PropertyPath) throws -> BoundPath {
        guard let known, path.steps.count == 1 else { return BoundPath(try self.path(path)) }
        if let bound = known.find(path, in: table) { return bound }
        let bound = BoundPath(try self.path(path))
        known.remember(bound)
        return bound
    }

    // MARK: Paths and constants

    private func test(
        _ path: PropertyPath, _ comparison: Comparison,
        _ make: (ValueTestMaker) throws(PredicateError) -> ValueTest
    ) throws -> Condition {
        let bound = try self.bound(path)
        let resolved = bound.path
        // The keys of a dictionary are compared with and without a quantifier.
        let isToMany =
            comparison.quantifier == nil
            ? resolved.isToMany : resolved.skipsNull || dialect == .query && resolved.takesQuantifier
        try checkQuantifier(comparison.quantifier, isToMany: isToMany, comparison)
        if resolved.aspect == .type { return quantified(bound, try TypeOfValue.test(comparison), comparison) }
        try checkOperand(resolved, comparison)
        let test = try make(maker(bound, comparison.operation, comparison.options))
        return quantified(bound, test, comparison)
    }

    func quantified(_ path: BoundPath, _ test: consuming ValueTest, _ comparison: Comparison) -> Condition {
        switch comparison.quantifier {
        case .any, nil: .test(PathTest(path, test, text: comparison))
        case .no: .not(.test(PathTest(path, test, text: comparison)))
        case .all: .not(.test(PathTest(path, test.negated, text: comparison)))
        }
    }

    func maker(
        _ bound: BoundPath, _ operation: ComparisonOperator, _ options: TextOptions
    ) throws -> ValueTestMaker {
        ValueTestMaker(
            type: bound.path.type, target: bound.path.target, property: bound.path.property,
            className: try bound.path.target.flatMap { try source.table($0)?.displayName }, operation: operation,
            options: options, dialect: dialect)
    }

    /// Realm Query Language uses ANY by default. `text` is the comparison, for the error.
    func checkQuantifier(_ quantifier: Quantifier?, isToMany: Bool, _ text: Comparison) throws(PredicateError) {
        if quantifier == nil, isToMany, dialect == .predicate {
            throw PredicateError(
                .invalidPredicate,
                "Key paths that include a collection property must use aggregate operations: '\(text)' needs ANY, ALL "
                    + "or NONE in front of it, or an operator such as @count")
        }
        if quantifier != nil, !isToMany {
            throw PredicateError(
                .invalidPredicate,
                "Aggregate operations can only be used on key paths that include an collection property: '\(text)'")
        }
    }

    /// Counts are compared with numbers, sums with numbers that aren't null.
    private func checkOperand(_ path: ResolvedPath, _ comparison: Comparison) throws(PredicateError) {
        switch path.end {
        case _ where path.aspect == .size:
            // The size of a mixed value is itself mixed: null for a value without a size.
            guard comparison.operation.isTextual || comparison.constants.allSatisfy({ $0.isNumber || $0.isNull }) else {
                throw PredicateError(.invalidOperand, "@count can only be compared with a numeric value.")
            }
        case .count, .backlinkCount, .incomingLinks:
            guard comparison.constants.allSatisfy(\.isNumber) else {
                throw PredicateError(.invalidOperand, "@count can only be compared with a numeric value.")
            }
        case .keys:
            guard ![.in, .between].contains(comparison.operation), comparison.constants.allSatisfy(\.isText) else {
                throw PredicateError(.invalidOperand, "@allKeys can only be compared with a string value.")
            }
        case .aggregate(let operation, _), .linkedAggregate(let operation, _, _):
            let isDate = path.type == .timestamp
            for constant in comparison.constants {
                let fits = constant.isNull ? operation != .sum : isDate ? constant.isDate : constant.isNumber
                guard fits || path.type == .mixed else {
                    throw PredicateError(
                        .invalidOperand,
                        "\(CollectionOperation(operation).rawValue) on a property of type "
                            + "\(TypeNames.name(path.type)) cannot be compared with '\(TypeNames.text(constant))'")
                }
            }
        default: break
        }
    }

    /// `path operator {…}`. A collection of values is compared with the list as a whole, any other operand with each of
    /// the constants.
    private func oneOf(_ path: PropertyPath, _ values: [StoredValue], _ comparison: Comparison) throws -> Condition {
        let resolved = try self.path(path)
        guard case .elements(let column) = resolved.end, !resolved.hasToManyHop, comparison.quantifier == nil,
            !comparison.operation.isOrdering
        else { return .any(try values.map { try resolve(comparison.with(right: .value($0))) }) }
        var parts = [Comparison(.path(path.appending(.operation(.count))), .equal, .value(.int(Int64(values.count))))]
        for (index, value) in values.enumerated() {
            let element = column.isList ? path.appending(.subscript(.index(index))) : path
            parts.append(Comparison(.path(element), .equal, .value(value), options: comparison.options))
        }
        let isEqual = Condition.all(try parts.map { try resolve($0) })
        return comparison.operation == .equal ? isEqual : .not(isEqual)
    }

    /// `constant operator path`. `constant IN path` means that the collection contains the constant.
    private func reversed(_ value: StoredValue, _ path: PropertyPath, _ comparison: Comparison) throws -> Condition {
        let operation = comparison.operation
        if operation == .in { return try isElement(value, path, comparison) }
        if operation.isTextual, dialect == .query { return try sought(in: value, path, comparison) }
        guard let mirrored = operation.mirrored else {
            throw operation == .between
                ? PredicateError(
                    .invalidPredicate,
                    "Predicate with BETWEEN operator must compare a KeyPath with an aggregate with two values")
                : PredicateError(
                    .unsupportedPredicate, "Operator '\(operation.rawValue)' requires a keypath on the left side.")
        }
        return try test(path, comparison.with(mirrored)) { maker throws(PredicateError) in try maker.test(value) }
    }

    private func isElement(_ value: StoredValue, _ path: PropertyPath, _ comparison: Comparison) throws -> Condition {
        let bound = BoundPath(try self.path(path))
        guard bound.path.isToMany else {
            throw PredicateError(
                .invalidPredicate, "Predicate with IN operator must compare a KeyPath with an aggregate")
        }
        let test = try maker(bound, .equal, comparison.options).test(value)
        return quantified(bound, test, comparison)
    }

    // MARK: Two paths

    private func pair(_ left: PropertyPath, _ right: PropertyPath, _ comparison: Comparison) throws -> Condition {
        let operation = comparison.operation
        let (a, b) = (try path(left), try path(right))
        if operation == .in { return try elementPair(a, b, comparison) }
        if operation == .between {
            throw PredicateError(
                .invalidPredicate,
                "Predicate with BETWEEN operator must compare a KeyPath with an aggregate with two values")
        }
        guard !(a.isToMany && b.isToMany) else {
            throw PredicateError(.unsupportedPredicate, "Comparing two collection columns is not permitted.")
        }
        try checkQuantifier(comparison.quantifier, isToMany: a.isToMany || b.isToMany, comparison)
        return try pair(a, operation, b, comparison)
    }

    private func elementPair(_ a: ResolvedPath, _ b: ResolvedPath, _ comparison: Comparison) throws -> Condition {
        guard b.isToMany, !a.isToMany else {
            throw PredicateError(
                .invalidPredicate, "Predicate with IN operator must compare a KeyPath with an aggregate")
        }
        return try pair(a, .equal, b, comparison)
    }

    private func pair(
        _ a: ResolvedPath, _ operation: ComparisonOperator, _ b: ResolvedPath, _ comparison: Comparison
    ) throws -> Condition {
        try checkTypes(a, b)
        // The rules for operators equal those of comparisons with constants.
        _ = try maker(BoundPath(a), operation, comparison.options).test(.null)
        if operation.isOrdering, a.type == .string, comparison.options.contains(.caseInsensitive) {
            throw PredicateError(.invalidPredicate, "Lexicographical comparisons must be case-sensitive")
        }
        let isFloating = a.type.isFloating || b.type.isFloating
        return quantified(comparison, operation, isFloating: isFloating) { .pair(a, $0, b, text: comparison) }
    }

    private func checkTypes(_ a: ResolvedPath, _ b: ResolvedPath) throws {
        guard a.aspect != .type, b.aspect != .type else {
            throw PredicateError(.invalidOperand, "@type can only be compared with the names of types.")
        }
        guard dialect == .query || !(a.isAggregate && b.isAggregate) else {
            throw PredicateError(
                .unsupportedPredicate,
                "Key paths including aggregate operations cannot be compared with other aggregate operations.")
        }
        guard a.type != .mixed, b.type != .mixed else { return }
        guard a.type != b.type || a.target != b.target else { return }
        if a.isAggregate || b.isAggregate || dialect == .query, AggregateOperation.sum.accepts(a.type),
            AggregateOperation.sum.accepts(b.type)
        {
            return
        }
        for (aggregate, other) in [(a, b), (b, a)] { try checkAggregate(aggregate, other) }
        throw PredicateError(
            .typeMismatch, "Property type mismatch between \(try typeName(a)) and \(try typeName(b))")
    }

    private func checkAggregate(_ path: ResolvedPath, _ other: ResolvedPath) throws {
        switch path.end {
        case .count, .backlinkCount, .incomingLinks:
            throw PredicateError(.invalidOperand, "@count can only be compared with a numeric value.")
        case .aggregate(let operation, _), .linkedAggregate(let operation, _, _):
            throw PredicateError(
                .invalidOperand,
                "\(CollectionOperation(operation).rawValue) on a property of type \(TypeNames.name(path.type)) cannot "
                    + "be compared with property of type '\(try typeName(other))'")
        default: break
        }
    }

    private func typeName(_ path: ResolvedPath) throws -> String {
        try path.target.flatMap { try source.table($0)?.displayName } ?? TypeNames.name(path.type)
    }

    // MARK: Subqueries

    private static let subqueryOperand = PredicateError(
        .invalidPredicate,
        "SUBQUERY is only supported when immediately followed by .@count that is compared with a constant number.")

    private func subquery(
        _ path: PropertyPath, _ condition: Predicate, _ operation: ComparisonOperator, _ value: StoredValue,
        _ comparison: Comparison
    ) throws -> Condition {
        guard value.isNumber else {
            throw PredicateError(
                .invalidExpression, "SUBQUERY(…).@count is only supported when compared with a constant number.")
        }
        let resolved = try self.path(path)
        guard case .object = resolved.end, resolved.hasToManyHop, let target = resolved.target,
            let inner = try source.table(target)
        else {
            throw PredicateError(.invalidPredicate, "Subqueries must contain a keypath starting with a collection.")
        }
        let test = try ValueTestMaker(
            type: .int, target: nil, property: "@count", operation: operation, options: []
        ).test(value)
        let resolver = ConditionResolver(source: source, names: names, table: inner, dialect: dialect, known: known)
        return .subquery(resolved, try resolver.resolve(condition), test, text: comparison)
    }
}

extension Comparison {
    fileprivate var constants: [StoredValue] {
        switch (left, right) {
        case (.value(let value), _), (_, .value(let value)): [value]
        case (.values(let values), _), (_, .values(let values)): values
        default: []
        }
    }
}

extension ColumnType {
    fileprivate var isFloating: Bool { self == .float || self == .double }
}

extension StoredValue {
    var isText: Bool { if case .string = self { true } else { false } }
    var isDate: Bool { if case .timestamp = self { true } else { false } }
}

extension CollectionOperation {
    init(_ operation: AggregateOperation) {
        switch operation {
        case .min: self = .min
        case .max: self = .max
        case .sum: self = .sum
        case .average: self = .average
        }
    }
}
