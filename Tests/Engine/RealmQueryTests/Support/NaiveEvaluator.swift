// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

@testable import RealmQuery

/// Evaluates predicates on a model, by direct computation.
struct NaiveEvaluator {
    let model: ModelDatabase

    func matches(_ predicate: Predicate, _ key: ObjectKey, _ index: Int) -> Bool {
        switch predicate {
        case .constant(let value): value
        case .and(let parts): parts.allSatisfy { matches($0, key, index) }
        case .or(let parts): parts.contains { matches($0, key, index) }
        case .not(let part): !matches(part, key, index)
        case .comparison(let comparison): matches(comparison, key, index)
        }
    }

    private func matches(_ comparison: Comparison, _ key: ObjectKey, _ index: Int) -> Bool {
        if case .arithmetic = comparison.left { return NaiveNumbers.matches(comparison, key, index, self) }
        if case .path(let path) = comparison.left, path.steps.last == .operation(.type) {
            let types = values(path.steps.dropLast(), key, index)
            return NaiveTypes.matches(comparison, types ?? [])
        }
        let isPair = comparison.left.isPath && comparison.right.isPath
        let left = side(comparison.left, key, index, isPair: isPair)
        let right = side(comparison.right, key, index, isPair: isPair)
        let operation = comparison.operation
        if case .values(let constants) = comparison.right {
            return quantified(comparison.quantifier, left.values) { value in
                operation == .in
                    ? constants.contains { holds(value, .equal, $0, comparison.options, left.type, nil) }
                    : holds(value, .greaterOrEqual, constants[0], [], left.type, nil)
                        && holds(value, .lessOrEqual, constants[1], [], left.type, nil)
            }
        }
        let actual = operation == .in ? .equal : operation
        // Only one side has several values.
        let pairs = left.values.flatMap { a in right.values.map { [a, $0] } }
        return quantified(comparison.quantifier, pairs) {
            holds($0[0], actual, $0[1], comparison.options, left.type, right.type)
        }
    }

    private func quantified<Value>(_ quantifier: Quantifier?, _ values: [Value], _ body: (Value) -> Bool) -> Bool {
        switch quantifier {
        case nil, .any?: values.contains(where: body)
        case .all?: values.allSatisfy(body)
        case .no?: !values.contains(where: body)
        }
    }

    private struct Side {
        var values: [StoredValue]
        var type: ColumnType?
        var isPath: Bool { type != nil }
    }

    private func side(_ operand: Operand, _ key: ObjectKey, _ index: Int, isPair: Bool) -> Side {
        switch operand {
        case .value(let value): return Side(values: [value])
        case .values, .shape, .object, .arithmetic: return Side(values: [])
        case .path(let path):
            let shape = ModelPath(path, model, index)
            var values = self.values(path.steps[...], key, index) ?? (shape.isToMany ? [] : [.null])
            if isPair, shape.isToMany, shape.type == .link { values.removeAll(where: \.isNull) }
            return Side(values: values, type: shape.type)
        case .subqueryCount(let path, _, let condition):
            let shape = ModelPath(path, model, index)
            let objects = values(path.steps[...], key, index) ?? []
            let count = objects.count { object in
                guard case .link(let object) = object else { return false }
                return matches(condition, object, shape.classIndex)
            }
            return Side(values: [.int(Int64(count))], type: .int)
        }
    }

    /// Returns the values at the end of a path, or nil after a null link.
    func values(_ steps: ArraySlice<PathStep>, _ key: ObjectKey, _ index: Int) -> [StoredValue]? {
        if steps.first == .incomingLinks {
            return [.int(Int64(model.classes[index].inverses.reduce(0) { $0 + model.backlinks($1, key).count }))]
        }
        guard case .property(let name) = steps.first else { return [.link(key)] }
        let rest = steps.dropFirst()
        let owner = model.classes[index]
        if let inverse = owner.inverses.first(where: { $0.name == name }) {
            let keys = model.backlinks(inverse, key).map { StoredValue.link($0) }
            return collection(keys, rest, target: inverse.origin, type: .link)
        }
        let property = owner.properties.first { $0.name == name }!
        let values = owner.values[key]![name]!
        switch property.kind {
        case .single:
            guard rest.first == .operation(.size) else { return values }
            switch values[0] {
            case .string(let text): return [.int(Int64(text.utf8.count))]
            case .binary(let bytes): return [.int(Int64(bytes.count))]
            default: return [.null]
            }
        case .link:
            if rest.isEmpty { return values }
            guard case .link(let target) = values[0] else { return nil }
            return self.values(rest, target, property.target)
        case .list, .linkList: return collection(values, rest, target: property.target, type: property.type)
        }
    }

    private func collection(
        _ values: [StoredValue], _ rest: ArraySlice<PathStep>, target: Int, type: ColumnType
    ) -> [StoredValue]? {
        if case .subscript(let place) = rest.first {
            let element: StoredValue? =
                switch place {
                case .first: values.first
                case .last: values.last
                case .index(let index): index < values.count ? values[index] : nil
                default: nil
                }
            // A list has no value at an index out of bounds.
            guard type == .link else { return element.map { [$0] } ?? [] }
            guard case .link(let key) = element else { return nil }
            return self.values(rest.dropFirst(), key, target)
        }
        guard case .operation(let operation) = rest.first else {
            if type != .link { return values }
            return values.flatMap { link -> [StoredValue] in
                guard case .link(let key) = link else { return [] }
                return self.values(rest, key, target) ?? []
            }
        }
        if [.count, .size].contains(operation) { return [.int(Int64(values.count))] }
        guard type == .link else { return [NaiveAggregate.value(operation, values, type)] }
        guard case .property(let name) = rest.dropFirst().first else { return [] }
        let property = model.classes[target].properties.first { $0.name == name }!
        let all = values.map { link -> StoredValue in
            guard case .link(let key) = link else { return .null }
            return model.classes[target].values[key]![name]![0]
        }
        return [NaiveAggregate.value(operation, all, property.type)]
    }

    // MARK: Comparison of two values

    private func holds(
        _ a: StoredValue, _ operation: ComparisonOperator, _ b: StoredValue, _ options: TextOptions,
        _ typeA: ColumnType?, _ typeB: ColumnType?
    ) -> Bool {
        if typeA == nil { return holds(b, operation.mirrored ?? operation, a, options, typeB, nil) }
        if a.isNull || b.isNull {
            switch operation {
            case .equal, .like, .lessOrEqual, .greaterOrEqual: return a.isNull && b.isNull
            case .contains, .beginsWith, .endsWith: return options.contains(.queryLanguage) && b.isNull
            case .notEqual: return a.isNull != b.isNull
            default: return false
            }
        }
        if operation.isTextual { return NaiveText.holds(a, operation, b, options) }
        if !options.folding.isEmpty, case .string(let a) = a, case .string(let b) = b {
            let isEqual = Array(NaiveText.fold(a, options).utf8) == Array(NaiveText.fold(b, options).utf8)
            return isEqual ? operation == .equal : operation == .notEqual
        }
        guard let order = order(a, typeA!, b, typeB, options.contains(.queryLanguage)) else {
            return operation == .notEqual
        }
        switch operation {
        case .equal: return order == 0
        case .notEqual: return order != 0
        case .less: return order < 0
        case .lessOrEqual: return order <= 0
        case .greater: return order > 0
        case .greaterOrEqual: return order >= 0
        default: fatalError("no comparison: \(operation)")
        }
    }

    /// Returns nil for values that aren't comparable.
    private func order(
        _ a: StoredValue, _ type: ColumnType, _ b: StoredValue, _ typeB: ColumnType?, _ isQuery: Bool
    ) -> Int? {
        if type == .link || typeB == .link { return a.linkedKey == b.linkedKey && a.linkedKey != nil ? 0 : nil }
        if type == .mixed || typeB == .mixed {
            return a.isComparable(to: b) ? StoredValue.compare(a, b) : nil
        }
        if typeB != nil {
            let isFloating = [type, typeB].contains { $0 == .float || $0 == .double }
            return isFloating && !isQuery && (a.isNaN || b.isNaN) ? nil : StoredValue.compare(a, b)
        }
        if type == .decimal { return StoredValue.compare(a, b.asNumber) }
        if a.isNaN || b.isNaN { return nil }
        switch (type, b.asNumber) {
        case (.float, .double(let value)): return StoredValue.compare(a, .float(Float(value)))
        case (.float, .decimal(let value)): return StoredValue.compare(a, .float(Float(value.doubleValue)))
        case (.double, .decimal(let value)): return StoredValue.compare(a, .double(value.doubleValue))
        case (.bool, .int(let value)): return StoredValue.compare(a, .bool(value != 0))
        case (.bool, _): return StoredValue.compare(a, b)
        case (_, let value): return StoredValue.compare(a, value)
        }
    }
}

extension Operand {
    fileprivate var isPath: Bool { if case .path = self { true } else { false } }
}

extension StoredValue {
    fileprivate var linkedKey: ObjectKey? {
        switch self {
        case .link(let key): key
        case .typedLink(let link): link.object
        default: nil
        }
    }

    fileprivate var asNumber: StoredValue {
        if case .bool(let value) = self { .int(value ? 1 : 0) } else { self }
    }
}

struct ModelPath {
    private(set) var type = ColumnType.link
    private(set) var classIndex: Int
    private(set) var isToMany = false

    init(_ path: PropertyPath, _ model: ModelDatabase, _ index: Int) {
        classIndex = index
        for step in path.steps {
            switch step {
            case .property(let name): follow(name, model)
            case .incomingLinks: type = .int
            case .operation(let operation): apply(operation)
            case .backlinks: fatalError("inverses have names here")
            case .subscript: isToMany = wasToMany
            }
        }
        if let aggregate { type = AggregateOperation(aggregate).resultType(type) }
    }

    private var aggregate: CollectionOperation?
    private var wasToMany = false

    private mutating func follow(_ name: String, _ model: ModelDatabase) {
        let owner = model.classes[classIndex]
        wasToMany = isToMany
        if let inverse = owner.inverses.first(where: { $0.name == name }) {
            (classIndex, isToMany) = (inverse.origin, true)
            return
        }
        let property = owner.properties.first { $0.name == name }!
        type = property.type
        if property.type == .link { classIndex = property.target }
        if property.kind == .list || property.kind == .linkList { isToMany = true }
    }

    private mutating func apply(_ operation: CollectionOperation) {
        isToMany = wasToMany
        if [.count, .size].contains(operation) { type = .int } else { aggregate = operation }
    }
}
