// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Objects by their primary keys, computed numbers, full text, and points on the Earth.
extension ConditionResolver {
    /// Returns the comparison with `obj(…)` replaced by the object, and sums of constants by their values.
    func resolved(_ comparison: Comparison) throws -> Comparison {
        comparison.with(left: try resolved(comparison.left), right: try resolved(comparison.right))
    }

    private func resolved(_ operand: Operand) throws -> Operand {
        switch operand {
        case .object(let className, let key): return .value(try object(className, key))
        case .arithmetic(let left, let operation, let right):
            switch (try resolved(left), try resolved(right)) {
            case (.value(let a), .value(let b)):
                try checkNumber(a)
                try checkNumber(b)
                return .value(operation.apply(a, b))
            case (let left, let right): return .arithmetic(left, operation, right)
            }
        default: return operand
        }
    }

    /// Returns null for an object that doesn't exist.
    private func object(_ className: String, _ key: StoredValue) throws -> StoredValue {
        guard let table = try source.table(named: FileFormat.classPrefix + className) else {
            throw PredicateError(.invalidValue, "obj('\(className)', …): there is no class '\(className)'")
        }
        guard table.primaryKey != nil else {
            throw PredicateError(.invalidValue, "obj('\(className)', …): class '\(className)' has no primary key")
        }
        guard let object = try table.object(primaryKey: key) else {
            return .null
        }
        return .typedLink(ObjectLink(table: table.key, object: object))
    }

    // MARK: Computed numbers

    func computed(_ comparison: Comparison) throws -> Condition {
        guard comparison.operation.mirrored != nil else {
            throw PredicateError(
                .invalidOperator, "Operator '\(comparison.operation.rawValue)' not supported for computed numbers")
        }
        let (left, right) = (try expression(comparison.left), try expression(comparison.right))
        let toMany = (left.paths + right.paths).count(where: \.isToMany)
        guard toMany <= 1 else {
            throw PredicateError(.unsupportedPredicate, "Comparing two collection columns is not permitted.")
        }
        try checkQuantifier(comparison.quantifier, isToMany: toMany > 0, comparison)
        return quantified(comparison, comparison.operation, isFloating: true) {
            .computed(left, $0, right, text: comparison)
        }
    }

    /// Resolves `constant operator path`. The path leads to the text that is searched for in the constant.
    func sought(in value: StoredValue, _ path: PropertyPath, _ comparison: Comparison) throws -> Condition {
        let resolved = try self.path(path)
        try checkQuantifier(comparison.quantifier, isToMany: resolved.isToMany, comparison)
        _ = try maker(BoundPath(resolved), comparison.operation, comparison.options).test(value)
        return quantified(comparison, comparison.operation, isFloating: false) {
            .computed(.constant(value), $0, .path(resolved), text: comparison)
        }
    }

    /// Creates the test with `make`, according to the quantifier.
    func quantified(
        _ comparison: Comparison, _ operation: ComparisonOperator, isFloating: Bool, _ make: (PairTest) -> Condition
    ) -> Condition {
        var test = PairTest(operation: operation, options: comparison.options)
        test.excludesNaN = isFloating && !comparison.options.contains(.queryLanguage)
        switch comparison.quantifier {
        case .any, nil: return make(test)
        case .no: return .not(make(test))
        case .all:
            test.isNegated = true
            return .not(make(test))
        }
    }

    private func expression(_ operand: Operand) throws -> NumberExpression {
        switch operand {
        case .value(let value):
            try checkNumber(value)
            return .constant(value)
        case .path(let path):
            let resolved = try self.path(path)
            guard [.int, .float, .double, .decimal, .mixed].contains(resolved.type), resolved.aspect != .type else {
                throw PredicateError(
                    .invalidOperand,
                    "Cannot compute with property '\(resolved.property)' of type '\(TypeNames.name(resolved.type))'")
            }
            return .path(resolved)
        case .arithmetic(let left, let operation, let right):
            return .binary(try expression(left), operation, try expression(right))
        case .values, .shape, .object, .subqueryCount:
            throw PredicateError(.invalidOperand, "Cannot compute with '\(operand)'")
        }
    }

    private func checkNumber(_ value: StoredValue) throws(PredicateError) {
        guard value.isNumber || value.isNull else {
            throw PredicateError(
                .invalidOperand,
                "Cannot compute with '\(TypeNames.text(value))' of type '\(TypeNames.name(value))'")
        }
    }

    // MARK: Full text

    func words(_ comparison: Comparison) throws -> Condition {
        guard case .path(let path) = comparison.left, case .value(.string(let text)) = comparison.right else {
            throw PredicateError(.invalidPredicate, "Operator 'TEXT' compares a keypath with a string of words")
        }
        let bound = try self.bound(path)
        try checkQuantifier(comparison.quantifier, isToMany: bound.path.isToMany, comparison)
        let table = try source.require(bound.path.hops.last?.target ?? bound.path.origin)
        return quantified(bound, try ConditionResolver.words(text, bound.path, in: table), comparison)
    }

    /// - Precondition: The path ends in `table`.
    static func words(_ text: String, _ path: ResolvedPath, in table: Table) throws(PredicateError) -> ValueTest {
        guard case .column(let key) = path.end, table.column(key)?.isFullTextIndexed ?? false else {
            throw PredicateError(
                .invalidOperator,
                "Operator 'TEXT' needs a full-text index, which property '\(path.property)' doesn't have")
        }
        let query: FullTextQuery
        do {
            query = try FullTextQuery(text)
        } catch {
            throw PredicateError(.invalidValue, "Operator 'TEXT': \((error as? StorageError)?.message ?? "\(error)")")
        }
        // Without required words, a text without any words matches, and so does null.
        return ValueTest(kind: .words(query), matchesNull: query.included.isEmpty && !query.excluded.isEmpty)
    }

    // MARK: Regions

    func geoWithin(_ comparison: Comparison) throws -> Condition {
        guard case .path(let path) = comparison.left, case .shape(let shape) = comparison.right else {
            throw PredicateError(
                .invalidPredicate, "Operator 'GEOWITHIN' compares a keypath with a box, a circle or a polygon")
        }
        var resolved = try self.path(path)
        let isToMany = resolved.isToMany
        guard resolved.type == .link, let target = resolved.target, let table = try source.table(target) else {
            throw wrongFormat(comparison)
        }
        guard table.isEmbedded else {
            throw PredicateError(
                .invalidPredicate,
                "A GEOWITHIN query can only operate on a link to an embedded class but '\(table.displayName)' is at "
                    + "the top level")
        }
        guard let columns = placeColumns(table) else { throw wrongFormat(comparison) }
        switch resolved.end {
        case .column(let key):
            resolved.hops.append(ResolvedPath.Hop(kind: .link, column: key, target: target))
            resolved.end = .object
        case .object where !resolved.hops.isEmpty: break
        default: throw wrongFormat(comparison)
        }
        // In Realm Query Language one of several points suffices.
        if comparison.quantifier != nil || dialect == .predicate {
            try checkQuantifier(comparison.quantifier, isToMany: isToMany, comparison)
        }
        let region = try GeoRegion(shape)
        let text = comparison
        let condition = Condition.geo(resolved, columns, region, text: text)
        switch comparison.quantifier {
        case .any, nil: return condition
        case .no: return .not(condition)
        case .all: throw PredicateError(.invalidPredicate, "ALL modifier not supported")
        }
    }

    private func placeColumns(_ table: Table) -> GeoColumns? {
        func find(_ name: String, _ type: ColumnType) -> Column? {
            guard case .column(let stored)? = names.lookUp(table.displayName, name),
                let column = table.column(named: stored), column.type == type
            else { return nil }
            return column
        }
        guard let type = find("type", .string), !type.key.isCollection,
            let coordinates = find("coordinates", .double), coordinates.key.isList
        else { return nil }
        return GeoColumns(type: type.key, coordinates: coordinates.key)
    }

    private func wrongFormat(_ comparison: Comparison) -> PredicateError {
        PredicateError(
            .invalidPredicate, "Query '\(comparison)' links to data in the wrong format for a geoWithin query")
    }
}

extension Operand {
    var isResolved: Bool {
        switch self {
        case .object, .arithmetic: false
        case .path, .value, .values, .subqueryCount, .shape: true
        }
    }
}
