// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmRuntime
import RealmStorage

/// The condition or operand of a typed query, as it was written.
enum QueryNode {
    indirect case constant(Any?)
    case path(QueryPath)
    indirect case comparison(Operator, QueryNode, QueryNode, StringOptions)
    /// A comparison of a property, of the object or of linked ones, with a value that doesn't depend on the Realm: a
    /// part of the final predicate.
    case test(Comparison)
    case junction(QueryJunction)
    indirect case not(QueryNode)
    indirect case between(QueryPath, Any?, Any?)
    /// A comparison with an embedded object as a value, and the equivalent condition on its properties.
    indirect case memberwise(QueryPath, Operator, EmbeddedObject, QueryNode)
    /// The number of elements, of the one collection in the condition, that satisfy it.
    indirect case subqueryCount(QueryNode)

    /// The object itself. It is immutable and holds no constant, so any thread may use it.
    nonisolated(unsafe) static let object = QueryNode.path(QueryPath())

    var path: QueryPath {
        guard case .path(let path) = self else { throwRealmException("Cannot apply a keypath to \(self)") }
        return path
    }

    /// The path, if it consists only of links and a property.
    var plainPath: PropertyPath? {
        guard case .path(let path) = self, path.isPlain else { return nil }
        return path.resolvable
    }

    /// The property at the end of a key path from this node.
    func member(_ keyPath: AnyKeyPath) -> QueryNode { .path(path.appending(keyPath)) }

    typealias Operator = ComparisonOperator

    /// The node without `.test`.
    var spelledOut: QueryNode {
        guard case .test(let test) = self, case .path(let path) = test.left, case .value(let value) = test.right
        else { return self }
        return .comparison(
            test.operation, .path(QueryPath(path.steps)), .constant(value.plain),
            StringOptions(rawValue: test.options.rawValue))
    }

    /// A comparison of two operands, of which only one may be a collection.
    static func compare(
        _ left: QueryNode, _ operation: Operator, _ right: QueryNode, _ options: StringOptions = []
    ) -> QueryNode {
        if case .path(let right) = right, right.needsAny, case .path(let left) = left, left.needsAny {
            throwRealmException("Comparing two collection columns is not permitted.")
        }
        return .comparison(operation, left, right, options)
    }

    /// The stored form of a constant: an enum's raw value, or an array of stored forms.
    static func constant(storing value: Any?) -> QueryNode { .constant(storedForm(value)) }

    private static func storedForm(_ value: Any?) -> Any? {
        if let value, isPlain(value) { return value }
        // Checked before casts to classes, because for these Foundation boxes each element of an array.
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

    /// The constant in the form that the contract requires for the arguments of a query's text.
    static func shown(_ constant: Any?) -> Any? {
        guard let constants = constant as? StoredConstants else { return constant }
        return storedElements(of: constants.source)
    }
}

/// A path from the queried object to a property.
///
/// This is a class, because each comparison with the property refers to it.
final class QueryPath {
    /// The steps in the engine's form, followed by the subscripts.
    let resolvable: PropertyPath
    let steps: [PathStep]
    /// The numbers of steps after which the path is at a collection.
    let collections: [Int]
    /// Whether a comparison with the path matches some element.
    let needsAny: Bool
    /// The subscripts behind the last step.
    let subscripts: [PathSubscript]
    /// Whether the first of the subscripts is a key of a map property; otherwise they are of a mixed value.
    let isMapSubscript: Bool
    /// The operation applied to the value at the end of the path.
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

    /// Whether the path consists only of links and a property.
    var isPlain: Bool { collections.isEmpty && subscripts.isEmpty && operation == nil }

    var isCollection: Bool { collections.last == steps.count }

    /// The path to a property of the object at the end of this path.
    func appending(_ keyPath: AnyKeyPath) -> QueryPath {
        if !subscripts.isEmpty { throwRealmException("Cannot apply key path to Map subscripts.") }
        return PropertyProbe.properties(of: keyPath).reduce(self) { $0.appending($1) }
    }

    /// The path to a property of the object at the end of this path.
    func appending(_ property: PropertyInfo) -> QueryPath {
        let steps = steps + [.property(property.name)]
        let isCollection = property.shape.collection != .none
        return with(
            steps, collections: isCollection ? collections + [steps.count] : collections,
            needsAny: needsAny || isCollection)
    }

    /// The path to the value of a map's key, or to an element of a collection inside a mixed value.
    func appending(_ step: PathSubscript) -> QueryPath {
        // A single value, so no quantifier applies to the map.
        let outer = isCollection ? Array(collections.dropLast()) : collections
        return QueryPath(
            steps, collections: outer, needsAny: isCollection ? !outer.isEmpty : needsAny,
            subscripts: subscripts + [step], isMapSubscript: isMapSubscript || isCollection)
    }

    /// The path to the type of a mixed value, or to its number of elements.
    func asking(_ operation: CollectionOperation) -> QueryPath {
        QueryPath(
            steps, collections: collections, needsAny: needsAny, subscripts: subscripts,
            isMapSubscript: isMapSubscript, operation: operation)
    }

    var count: QueryPath { with(steps + [.operation(.count)], needsAny: false) }

    func contents(_ operation: CollectionOperation) -> QueryPath { with(steps + [.operation(operation)]) }

    /// An aggregate over a collection: of its elements, or of the property behind it. The operator is inserted after
    /// the collection. A path without a collection is rejected when the query is made.
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
