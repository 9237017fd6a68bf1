// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage
import RealmTestSupport

@testable import RealmQuery

/// Random predicates that are valid for a class of a model.
struct RandomPredicates {
    let model: ModelDatabase
    var random: SeededGenerator
    var isQueryLanguage = true

    mutating func predicate(_ index: Int, depth: Int = 3) -> Predicate {
        guard depth > 0, random.chance(55) else { return leaf(index, depth) }
        switch random.below(5) {
        case 0, 1: return .all((0..<2 + random.below(2)).map { _ in predicate(index, depth: depth - 1) })
        case 2, 3: return .any((0..<2 + random.below(2)).map { _ in predicate(index, depth: depth - 1) })
        default: return .not(predicate(index, depth: depth - 1))
        }
    }

    private mutating func leaf(_ index: Int, _ depth: Int) -> Predicate {
        if random.chance(2) { return .constant(random.chance(50)) }
        if depth > 0, random.chance(5) { return subquery(index, depth) }
        if random.chance(6) { return computed(index) ?? test(index) }
        if random.chance(4) { return typeTest(index) ?? test(index) }
        return random.chance(8) ? pair(index) ?? test(index) : test(index)
    }

    // MARK: Paths and constants

    private mutating func test(_ index: Int) -> Predicate {
        let path = path(index)
        let shape = ModelPath(path, model, index)
        let isCount =
            path.steps.last.map { step in
                if case .operation = step { true } else { step == .incomingLinks }
            } ?? false
        let aggregates: [CollectionOperation] = [.min, .max, .sum, .average]
        let isAggregate = aggregates.contains { path.steps.contains(.operation($0)) }
        let operation = self.operation(shape.type)
        let isText = [.string, .mixed, .binary].contains(shape.type)
        var options: TextOptions = isText ? options(operation) : []
        if shape.type == .binary { options = operation.isTextual ? options.intersection(.queryLanguage) : [] }
        let quantifier: Quantifier? = shape.isToMany ? [nil, .any, .no, .all].randomElement(using: &random)! : nil
        let constant = { (self: inout Self) in
            self.constant(shape, operation, mayBeNull: !isCount && !isAggregate)
        }
        switch operation {
        case .in:
            let values = (0..<(random.chance(10) ? 60 : random.below(5))).map { _ in constant(&self) }
            return .comparison(
                Comparison(.path(path), .in, .values(values), options: options, quantifier: quantifier))
        case .between:
            let values = [constant(&self), constant(&self)].map { value in value.isNull ? nonNull(shape) : value }
            return .comparison(Comparison(.path(path), .between, .values(values), quantifier: quantifier))
        default: break
        }
        let value = constant(&self)
        if operation == .equal, shape.isToMany, quantifier == .any, random.chance(30) {
            return .comparison(Comparison(.value(value), .in, .path(path), options: options))
        }
        if let mirrored = operation.mirrored, random.chance(15) {
            return .comparison(
                Comparison(.value(value), mirrored, .path(path), options: options, quantifier: quantifier))
        }
        return .compare(path, operation, value, options: options, quantifier: quantifier)
    }

    private mutating func operation(_ type: ColumnType) -> ComparisonOperator {
        let equality: [ComparisonOperator] = [.equal, .equal, .notEqual, .in]
        let order: [ComparisonOperator] = [.less, .lessOrEqual, .greater, .greaterOrEqual]
        let text: [ComparisonOperator] = [.contains, .beginsWith, .endsWith, .like]
        let all =
            switch type {
            case .bool, .link: equality
            case .objectId, .uuid: equality + order
            case .string, .binary: equality + order + text
            case .mixed: equality + order + text + [.between]
            default: equality + order + [.between]
            }
        return all.randomElement(using: &random)!
    }

    private mutating func options(_ operation: ComparisonOperator) -> TextOptions {
        let language: TextOptions = isQueryLanguage ? .queryLanguage : []
        if operation.isOrdering || operation == .between || random.chance(55) {
            return operation.isTextual ? language : []
        }
        if operation == .like { return language.union(.caseInsensitive) }
        return language.union(folding())
    }

    private mutating func folding() -> TextOptions {
        [.caseInsensitive, .diacriticInsensitive, [.caseInsensitive, .diacriticInsensitive]]
            .randomElement(using: &random)!
    }

    private mutating func constant(
        _ shape: ModelPath, _ operation: ComparisonOperator, mayBeNull: Bool
    ) -> StoredValue {
        if shape.type == .link { return object(shape.classIndex) }
        if operation == .like, random.chance(80) {
            let patterns = ["*", "a*", "?", "*b*", "??", "*é*", "A?", "", "*long*a", "a\u{2A}?"]
            let text = patterns.randomElement(using: &random)!
            return shape.type == .binary ? .binary(Array(text.utf8)) : .string(text)
        }
        let isNumber = [.int, .float, .double, .decimal].contains(shape.type)
        let type: ColumnType =
            isNumber
            ? [.int, .float, .double, .decimal, shape.type].randomElement(using: &random)!
            : shape.type
        let value = model.constant(type, &random)
        if operation == .like, case .binary(let bytes) = value, String(validating: bytes, as: UTF8.self) == nil {
            return .binary([])
        }
        return value.isNull && !mayBeNull ? nonNull(shape) : value
    }

    private mutating func nonNull(_ shape: ModelPath) -> StoredValue {
        while true {
            let value = model.constant(shape.type, &random)
            if !value.isNull { return value }
        }
    }

    private mutating func object(_ index: Int) -> StoredValue {
        if random.chance(15) { return .null }
        let key = model.classes[index].keys.randomElement(using: &random) ?? ObjectKey(3)
        if random.chance(50) { return .link(key) }
        if random.chance(10) { return .typedLink(ObjectLink(table: .null, object: .null)) }
        return .typedLink(ObjectLink(table: model.classes[index].table, object: key))
    }

    // MARK: Paths

    private mutating func path(_ start: Int) -> PropertyPath {
        var steps: [PathStep] = []
        var index = start
        var isFinished = false
        for _ in 0..<[0, 0, 0, 1, 1, 2][random.below(6)] where !isFinished {
            isFinished = !hop(&steps, &index)
        }
        if isFinished { return PropertyPath(steps) }
        let owner = model.classes[index]
        if !steps.isEmpty, random.chance(8) || owner.properties.isEmpty { return PropertyPath(steps) }
        if steps.isEmpty, random.chance(2) { return PropertyPath([]) }
        if random.chance(3) { return PropertyPath(steps + [.incomingLinks]) }
        let property = owner.properties.randomElement(using: &random)!
        steps.append(.property(property.name))
        if let operation = operation(property) { steps += operation }
        return PropertyPath(steps)
    }

    /// Adds a step to another object. Returns false if the path ends with it.
    private mutating func hop(_ steps: inout [PathStep], _ index: inout Int) -> Bool {
        let owner = model.classes[index]
        if random.chance(30), let inverse = owner.inverses.randomElement(using: &random) {
            steps.append(.property(inverse.name))
            index = inverse.origin
            if random.chance(20) {
                steps.append(.operation(.count))
                return false
            }
            return true
        }
        guard let property = owner.properties.filter({ $0.type == .link }).randomElement(using: &random) else {
            return true
        }
        steps.append(.property(property.name))
        if property.kind == .linkList, random.chance(25) { steps.append(place()) }
        index = property.target
        return true
    }

    private mutating func place() -> PathStep {
        .subscript([.first, .last, .index(0), .index(1), .index(3)].randomElement(using: &random)!)
    }

    private mutating func operation(_ property: ModelDatabase.Property) -> [PathStep]? {
        guard random.chance(40) else { return nil }
        switch property.kind {
        case .single:
            return property.type == .string || property.type == .binary ? [.operation(.size)] : nil
        case .link: return nil
        case .list where random.chance(40): return [place()]
        case .list:
            guard let operation = aggregate(property.type), random.chance(50) else { return [.operation(.count)] }
            return [.operation(operation)]
        case .linkList:
            let target = model.classes[property.target].properties.filter { $0.kind == .single }
            guard random.chance(50), let inner = target.randomElement(using: &random),
                let operation = aggregate(inner.type)
            else { return [.operation(.count)] }
            return [.operation(operation), .property(inner.name)]
        }
    }

    private mutating func aggregate(_ type: ColumnType) -> CollectionOperation? {
        let operations: [CollectionOperation] = [.min, .max, .sum, .average]
        return operations.filter { AggregateOperation($0).accepts(type) }.randomElement(using: &random)
    }

    // MARK: Computed numbers and types

    private mutating func computed(_ index: Int) -> Predicate? {
        var mayBeToMany = true
        guard let left = number(index, 2, &mayBeToMany), let right = number(index, 1, &mayBeToMany) else { return nil }
        let operations: [ComparisonOperator] = [.equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual]
        let quantifier: Quantifier? = mayBeToMany ? nil : [.any, .no, .all].randomElement(using: &random)!
        let isPair = if case .value = right { false } else { true }
        let comparison = Comparison(
            left, operations.randomElement(using: &random)!, right,
            options: isPair && isQueryLanguage ? .queryLanguage : [], quantifier: quantifier)
        guard case .arithmetic = left, hasPath(left) else { return nil }
        return .comparison(comparison)
    }

    private func hasPath(_ operand: Operand) -> Bool {
        switch operand {
        case .path: true
        case .arithmetic(let left, _, let right): hasPath(left) || hasPath(right)
        default: false
        }
    }

    /// Only one path may be to-many.
    private mutating func number(_ index: Int, _ depth: Int, _ mayBeToMany: inout Bool) -> Operand? {
        if depth > 0, random.chance(80) {
            guard let left = number(index, depth - 1, &mayBeToMany), let right = number(index, depth - 1, &mayBeToMany)
            else { return nil }
            return .arithmetic(left, ArithmeticOperator.allCases.randomElement(using: &random)!, right)
        }
        if random.chance(35) {
            let type = [ColumnType.int, .double, .float, .decimal].randomElement(using: &random)!
            let value = model.constant(type, &random)
            return value.isNull ? .value(.int(2)) : .value(value)
        }
        for _ in 0..<20 {
            let path = path(index)
            let shape = ModelPath(path, model, index)
            guard [.int, .float, .double, .decimal, .mixed].contains(shape.type), mayBeToMany || !shape.isToMany else {
                continue
            }
            if shape.isToMany { mayBeToMany = false }
            return .path(path)
        }
        return nil
    }

    private mutating func typeTest(_ index: Int) -> Predicate? {
        for _ in 0..<20 {
            let path = path(index)
            let shape = ModelPath(path, model, index)
            let isAggregate = path.steps.contains { if case .operation = $0 { true } else { false } }
            guard shape.type == .mixed, !isAggregate else { continue }
            let names = [
                "null", "bool", "int", "float", "double", "decimal", "string", "binary", "date", "objectId", "uuid",
                "link", "objectlink", "numeric",
            ]
            let name = { (self: inout Self) in StoredValue.string(names.randomElement(using: &self.random)!) }
            let quantifier: Quantifier? = shape.isToMany ? [.any, .no, .all].randomElement(using: &random)! : nil
            let end = Operand.path(PropertyPath(path.steps + [.operation(.type)]))
            if random.chance(30) {
                return .comparison(Comparison(end, .in, .values([name(&self), name(&self)]), quantifier: quantifier))
            }
            let operation: ComparisonOperator = random.chance(50) ? .equal : .notEqual
            return .comparison(Comparison(end, operation, .value(name(&self)), quantifier: quantifier))
        }
        return nil
    }

    // MARK: Two paths and subqueries

    private mutating func pair(_ index: Int) -> Predicate? {
        for _ in 0..<20 {
            let (a, b) = (path(index), path(index))
            let (shapeA, shapeB) = (ModelPath(a, model, index), ModelPath(b, model, index))
            let isAggregate = [a, b].contains { path in
                path.steps.contains { if case .operation = $0 { true } else { $0 == .incomingLinks } }
            }
            let numbers: [ColumnType] = [.int, .float, .double, .decimal]
            let isSame =
                shapeA.type == shapeB.type && (shapeA.type != .link || shapeA.classIndex == shapeB.classIndex)
                || numbers.contains(shapeA.type) && numbers.contains(shapeB.type)
            guard isSame, !isAggregate, !(shapeA.isToMany && shapeB.isToMany) else { continue }
            let operation = operation(shapeA.type)
            guard operation != .in, operation != .between else { continue }
            let quantifier: Quantifier? =
                shapeA.isToMany || shapeB.isToMany ? [nil, .any, .no, .all].randomElement(using: &random)! : nil
            let isText = shapeA.type == .string || operation.isTextual
            var options: TextOptions = isText ? options(operation) : []
            if shapeA.type != .string { options = [] }
            if isQueryLanguage { options.insert(.queryLanguage) }
            return .comparison(Comparison(.path(a), operation, .path(b), options: options, quantifier: quantifier))
        }
        return nil
    }

    private mutating func subquery(_ index: Int, _ depth: Int) -> Predicate {
        let owner = model.classes[index]
        let list = owner.properties.filter { $0.kind == .linkList }.randomElement(using: &random)!
        var (name, target) = (list.name, list.target)
        if random.chance(30), let inverse = owner.inverses.randomElement(using: &random) {
            (name, target) = (inverse.name, inverse.origin)
        }
        let operand = Operand.subqueryCount(
            PropertyPath([.property(name)]), variable: "x\(depth)", predicate(target, depth: depth - 1))
        let operations: [ComparisonOperator] = [.equal, .notEqual, .greater, .lessOrEqual]
        return .comparison(
            Comparison(operand, operations.randomElement(using: &random)!, .value(.int(Int64(random.below(3))))))
    }
}
