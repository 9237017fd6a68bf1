// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmQuery
import RealmRuntime
import RealmStorage

/// Evaluates a predicate for single objects and values in memory: the elements of unmanaged collections, and the
/// argument of `NSPredicate.evaluate(with:)`.
///
/// Comparisons follow the rules of queries. Properties are read through their accessors, so objects may be managed or
/// unmanaged.
final class MemoryQuery: PredicateMaker {
    private var predicate = Predicate.constant(true)
    private var numbers: [ObjectIdentity: Int64] = [:]
    /// Retains the objects, so that their addresses aren't reused.
    private var objects: [ObjectBase] = []

    init(_ format: String, _ arguments: [Any?]) { predicate = self.predicate(format, arguments) }

    init(_ predicate: NSPredicate) { self.predicate = self.predicate(predicate) }

    init(_ node: QueryNode) {
        predicate = trappingOnError { try QueryTranslator.predicate(node, argument: predicateArgument) }
    }

    var text: String { "\(predicate)" }

    /// `type` is the type of a column that stores the element. Traps if the predicate is invalid.
    func matches(_ element: _StoredContent, of type: ColumnType) -> Bool {
        trappingOnError { try matches(predicate, Item(content: element, type: type)) }
    }

    func predicate(_ format: String, _ arguments: [Any?]) -> Predicate {
        let arguments = arguments.map(predicateArgument)
        return trappingOnError { try Predicate(parsing: format, arguments: arguments) }
    }

    func predicateArgument(_ value: Any?) -> PredicateArgument {
        RealmSwift.predicateArgument(value) { link(to: $0) }
    }

    private func trappingOnError<Result>(_ body: () throws -> Result) -> Result {
        do {
            return try body()
        } catch let error as PredicateError {
            throwRealmException(error)
        } catch {
            throwRealmException("\(error)")
        }
    }

    private func link(to object: ObjectBase) -> StoredValue {
        let number = numbers[ObjectIdentity(object)] ?? Int64(objects.count)
        if number == objects.count {
            numbers[ObjectIdentity(object)] = number
            objects.append(object)
        }
        return .link(ObjectKey(number))
    }

    // MARK: Conditions

    private func matches(_ predicate: Predicate, _ element: Item) throws -> Bool {
        switch predicate {
        case .constant(let value): value
        case .and(let parts): try parts.allSatisfy { try matches($0, element) }
        case .or(let parts): try parts.contains { try matches($0, element) }
        case .not(let part): try !matches(part, element)
        case .comparison(let comparison): try matches(comparison, element)
        }
    }

    private func matches(_ comparison: Comparison, _ element: Item) throws -> Bool {
        let left = try items(comparison.left, element)
        if case .values(let constants) = comparison.right {
            let rule = SingleComparison(comparison.operation, comparison.options, of: name(comparison.left))
            return try quantified(comparison.quantifier, left) {
                try rule.holds(stored($0), of: $0.type, constants)
            }
        }
        let right = try items(comparison.right, element)
        let pairs = left.flatMap { left in right.map { (left, $0) } }
        // The type of a property determines the conversion of a constant on either side.
        if case .value = comparison.left, let mirrored = comparison.operation.mirrored {
            let rule = SingleComparison(mirrored, comparison.options, of: name(comparison.right))
            return try quantified(comparison.quantifier, pairs) {
                try rule.holds(stored($0.1), of: $0.1.type, stored($0.0))
            }
        }
        let isMembership = comparison.operation == .in
        let rule = SingleComparison(
            isMembership ? .equal : comparison.operation, comparison.options, of: name(comparison.left))
        return try quantified(isMembership ? .any : comparison.quantifier, pairs) {
            try rule.holds(stored($0.0), of: $0.0.type, stored($0.1))
        }
    }

    private func quantified<Value>(
        _ quantifier: Quantifier?, _ values: [Value], _ holds: (Value) throws -> Bool
    ) rethrows -> Bool {
        switch quantifier {
        case nil, .any?: try values.contains(where: holds)
        case .all?: try values.allSatisfy(holds)
        case .no?: try !values.contains(where: holds)
        }
    }

    private func name(_ operand: Operand) -> String {
        guard case .path(let path) = operand, case .property(let name)? = path.steps.last else { return "self" }
        return name
    }

    // MARK: Operands

    private struct Item {
        let content: _StoredContent
        let type: ColumnType
    }

    private func stored(_ item: Item) -> StoredValue {
        switch item.content.kind {
        case .value(let value): value
        case .object(let object): link(to: object)
        case .elements: .list(0, key: 0)
        case .entries: .dictionary(0, key: 0)
        }
    }

    private func item(_ value: StoredValue) -> Item { Item(content: _StoredContent(value), type: value.columnType) }

    private func items(_ operand: Operand, _ element: Item) throws -> [Item] {
        switch operand {
        case .path(let path): return try items(path.steps[...], from: element)
        case .value(let value): return [item(value)]
        case .subqueryCount(let path, _, let condition):
            let count = try items(path.steps[...], from: element).count { try matches(condition, $0) }
            return [item(.int(Int64(count)))]
        case .arithmetic(let left, let operation, let right):
            let (left, right) = (try items(left, element), try items(right, element))
            return left.flatMap { left in right.map { item(operation.apply(stored(left), stored($0))) } }
        case .values, .shape, .object:
            throw PredicateError(.unsupportedPredicate, "Such a comparison needs a collection that a Realm manages.")
        }
    }

    /// Returns the values at the end of a path. A collection contributes each of its elements.
    private func items(_ steps: ArraySlice<PathStep>, from item: Item) throws -> [Item] {
        guard let step = steps.first else { return spread(item) }
        let rest = steps.dropFirst()
        switch step {
        case .property(let name): return try items(named: name, rest, from: item)
        case .operation(let operation): return try items(operation, rest, from: item)
        case .subscript(let place): return try elements(at: place, of: item).flatMap { try items(rest, from: $0) }
        case .backlinks, .incomingLinks:
            throw PredicateError(.unsupportedPredicate, "@links needs a collection that a Realm manages.")
        }
    }

    /// Returns the elements of a collection, or the item itself if it isn't a collection.
    private func spread(_ item: Item) -> [Item] {
        switch item.content.kind {
        case .value, .object: [item]
        case .elements(let elements): elements.map { Item(content: $0, type: item.type) }
        case .entries(let entries): entries.map { Item(content: $0.value, type: item.type) }
        }
    }

    private func items(named name: String, _ rest: ArraySlice<PathStep>, from item: Item) throws -> [Item] {
        switch item.content.kind {
        case .object(let object): return try items(rest, from: property(name, of: object))
        case .value(let value):
            if value.isNull { return [item] }
            throw PredicateError(.invalidProperty, "A value has no property '\(name)'.")
        case .entries(let entries) where entries.contains { $0.key == name }:
            return try elements(at: .key(name), of: item).flatMap { try items(rest, from: $0) }
        case .elements, .entries:
            return try spread(item).filter { !stored($0).isNull }.flatMap { try items(named: name, rest, from: $0) }
        }
    }

    private func property(_ name: String, of object: ObjectBase) throws -> Item {
        guard let property = object.classInfo.property(named: name) else {
            throw PredicateError(
                .invalidProperty, "Property '\(name)' not found in object of type '\(object.classInfo.name)'")
        }
        return Item(content: content(object.dynamicValue(of: property)), type: property.shape.type.columnType)
    }

    /// Returns a property's value in the form that the engine accepts. Linking objects, which the engine doesn't accept
    /// as a value, are converted to their elements.
    private func content(_ value: Any?) -> _StoredContent {
        if let owners = value as? any LinkingObjectsProperty { return owners.elementContents }
        return (value as? any _ObjcBridgeable)?._rlmContent ?? .null
    }

    private func elements(at place: PathSubscript, of item: Item) -> [Item] {
        switch (item.content.kind, place) {
        case (_, .any): return spread(item)
        case (.entries(let entries), .key(let key)):
            return entries.filter { $0.key == key }.map { Item(content: $0.value, type: item.type) }
        case (.elements(let elements), .index(let index)):
            return elements.indices.contains(index) ? [Item(content: elements[index], type: item.type)] : []
        case (.elements(let elements), .first): return spread(item).prefix(elements.isEmpty ? 0 : 1).map { $0 }
        case (.elements, .last): return spread(item).suffix(1).map { $0 }
        default: return []
        }
    }

    private func items(
        _ operation: CollectionOperation, _ rest: ArraySlice<PathStep>, from item: Item
    ) throws -> [Item] {
        switch operation {
        case .count, .size: return [self.item(size(item))]
        case .allValues: return try items(rest, from: item)
        case .allKeys:
            guard case .entries(let entries) = item.content.kind else { return [] }
            return entries.map { self.item(.string($0.key)) }
        case .min, .max, .sum, .average:
            let values = try rest.isEmpty ? spread(item) : spread(item).flatMap { try items(rest, from: $0) }
            let type = values.first { !stored($0).isNull }?.type ?? .int
            let aggregate = AggregateOperation(operation)
            guard aggregate.accepts(type) else { return [self.item(.null)] }
            return [self.item(Aggregate.value(aggregate, of: type, over: values.map(stored)))]
        case .type: throw PredicateError(.unsupportedPredicate, "@type needs a collection that a Realm manages.")
        }
    }

    private func size(_ item: Item) -> StoredValue {
        switch item.content.kind {
        case .elements(let elements): .int(Int64(elements.count))
        case .entries(let entries): .int(Int64(entries.count))
        case .value(.string(let text)): .int(Int64(text.utf8.count))
        case .value(.binary(let bytes)): .int(Int64(bytes.count))
        case .value, .object: .null
        }
    }
}

/// Identifies an object independently of its accessors: its row, or the instance if it is unmanaged.
private enum ObjectIdentity: Hashable {
    case row(realm: ObjectIdentifier, table: UInt32, key: Int64)
    case instance(ObjectIdentifier)

    init(_ object: ObjectBase) {
        if let realm = object._rlmRow.realm, let managed = object._rlmRow.managed {
            self = .row(
                realm: ObjectIdentifier(realm), table: managed.tableKey.rawValue, key: object._rlmRow.key.rawValue)
        } else {
            self = .instance(ObjectIdentifier(object))
        }
    }
}

extension StoredValue {
    fileprivate var columnType: ColumnType {
        switch type {
        case .typedLink: .link
        case nil, .list, .dictionary: .mixed
        case let type?: type
        }
    }
}

extension RealmCollection {
    func index(matching query: MemoryQuery) -> Int? {
        let type = Element._elementShape.type.columnType
        return enumerated().first { query.matches($0.element._rlmContent, of: type) }?.offset
    }
}

extension LinkingObjects: LinkingObjectsProperty {
    fileprivate var elementContents: _StoredContent { _StoredContent(.elements(map(\._rlmContent))) }
}

private protocol LinkingObjectsProperty {
    var elementContents: _StoredContent { get }
}
