// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmRuntime
import RealmStorage

/// The condition or operand of a typed query, as written in the program.
enum QueryNode {
    indirect case constant(Any?)
    case path(QueryPath)
    indirect case comparison(Operator, QueryNode, QueryNode, StringOptions)
    /// A comparison of a property, of the object or of a linked one, with a value that doesn't depend on the Realm. It
    /// is already a part of the final predicate.
    case test(Comparison)
    case junction(QueryJunction)
    indirect case not(QueryNode)
    indirect case between(QueryPath, Any?, Any?)
    /// A comparison with a value that is stored as an embedded object, and the equivalent condition on its properties.
    indirect case memberwise(QueryPath, Operator, EmbeddedObject, QueryNode)
    indirect case subqueryCount(QueryNode)

    /// The object itself. It is immutable and holds no constant, so any thread may use it.
    nonisolated(unsafe) static let object = QueryNode.path(QueryPath())

    var path: QueryPath {
        guard case .path(let path) = self else { throwRealmException("Cannot apply a keypath to \(self)") }
        return path
    }

    var plainPath: PropertyPath? {
        guard case .path(let path) = self, path.isPlain else { return nil }
        return path.resolvable
    }

    func member(_ keyPath: AnyKeyPath) -> QueryNode { .path(path.appending(keyPath)) }

    typealias Operator = ComparisonOperator

    /// The node as a general comparison, if it is a `.test`.
    var spelledOut: QueryNode {
        guard case .test(let test) = self, case .path(let path) = test.left, case .value(let value) = test.right
        else { return self }
        return .comparison(
            test.operation, .path(QueryPath(path.steps)), .constant(value.plain),
            StringOptions(rawValue: test.options.rawValue))
    }

    /// Only one of the operands may be a collection.
    static func compare(
        _ left: QueryNode, _ operation: Operator, _ right: QueryNode, _ options: StringOptions = []
    ) -> QueryNode {
        if case .path(let right) = right, right.needsAny, case .path(let left) = left, left.needsAny {
            throwRealmException("Comparing two collection columns is not permitted.")
        }
        return .comparison(operation, left, right, options)
    }

    /// Converts `value` to its stored form: the raw value of an enum, or an array of stored forms.
    static func constant(storing value: Any?) -> QueryNode { .constant(storedForm(value)) }

    private static func storedForm(_ value: Any?) -> Any? {
        if let value, isPlain(value) { return value }
        // Checked before casts to classes, because these make Foundation box each element of an array.
        if let value, let constants = StoredConstants(value) { return constants }
        return switch flattened(value) {
        case let object as ObjectBase: object
        case let collection as RLMSwiftCollectionBase: collection
        case let value as any _ObjcBridgeable: value._rlmDynamicValue
        case let value?: StoredConstants(value) as Any? ?? storedElements(of: value) ?? value
        case nil: nil
        }
    }

    private static func storedElements(of value: Any) -> Any? {
        sequenceElements(of: value).map { $0.map(storedForm) }
    }

    /// The constant in the documented form of the arguments of a query's text.
    static func shown(_ constant: Any?) -> Any? {
        guard let constants = constant as? StoredConstants else { return constant }
        return storedElements(of: constants.source)
    }
}

/// A path from the queried object to a property. A class, because each comparison of the property refers to it.
final class QueryPath {
    let resolvable: PropertyPath
    let steps: [PathStep]
    /// The numbers of steps after which the path has reached a collection.
    let collections: [Int]
    let needsAny: Bool
    let subscripts: [PathSubscript]
    /// Whether the first subscript is a key of a map property. Otherwise all subscripts are applied to a mixed value.
    let isMapSubscript: Bool
    let operation: CollectionOperation?

    init(
        _ steps: [PathStep] = [], collections: [Int] = [], needsAny: Bool = false, subscripts: [PathSubscript] = [],
        isMapSubscript: Bool = false, operation: CollectionOperation? = nil
    ) {
        let end = operation.map { [PathStep.operation($0)] } ?? []
        resolvable = PropertyPath(
            subscripts.isEmpty && end.isEmpty ? steps : steps + subscripts.map { .subscript($0) } + end)
        self.operation = operation
        self.steps = steps
        self.collections = collections
        self.needsAny = needsAny
        self.subscripts = subscripts
        self.isMapSubscript = isMapSubscript
    }

    var isPlain: Bool { collections.isEmpty && subscripts.isEmpty && operation == nil }

    var isCollection: Bool { collections.last == steps.count }

    func appending(_ keyPath: AnyKeyPath) -> QueryPath {
        if !subscripts.isEmpty { throwRealmException("Cannot apply key path to Map subscripts.") }
        return PropertyProbe.properties(of: keyPath).reduce(self) { $0.appending($1) }
    }

    func appending(_ property: PropertyInfo) -> QueryPath {
        let steps = steps + [.property(property.name)]
        let isCollection = property.shape.collection != .none
        return with(
            steps, collections: isCollection ? collections + [steps.count] : collections,
            needsAny: needsAny || isCollection)
    }

    func appending(_ step: PathSubscript) -> QueryPath {
        // The result is a single value, so no quantifier applies to the map.
        let outer = isCollection ? Array(collections.dropLast()) : collections
        return QueryPath(
            steps, collections: outer, needsAny: isCollection ? !outer.isEmpty : needsAny,
            subscripts: subscripts + [step], isMapSubscript: isMapSubscript || isCollection)
    }

    func asking(_ operation: CollectionOperation) -> QueryPath {
        QueryPath(
            steps, collections: collections, needsAny: needsAny, subscripts: subscripts,
            isMapSubscript: isMapSubscript, operation: operation)
    }

    var count: QueryPath { with(steps + [.operation(.count)], needsAny: false) }

    func contents(_ operation: CollectionOperation) -> QueryPath { with(steps + [.operation(operation)]) }

    /// Inserts the operator after the collection, before the property of its elements. A path without a collection is
    /// rejected when the predicate is created.
    func aggregate(_ operation: CollectionOperation) -> QueryPath {
        let place = isCollection ? steps.count : collections.first ?? steps.count
        return with(Array(steps[..<place]) + [.operation(operation)] + steps[place...], needsAny: false)
    }

    private func with(_ steps: [PathStep], collections: [Int]? = nil, needsAny: Bool? = nil) -> QueryPath {
        QueryPath(
            steps, collections: collections ?? self.collections, needsAny: needsAny ?? self.needsAny,
            subscripts: subscripts, isMapSubscript: isMapSubscript)
    }
}
