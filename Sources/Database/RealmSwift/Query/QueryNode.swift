// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmStorage

/// What a typed query says, as it was written.
enum QueryNode {
    indirect case constant(Any?)
    case path(QueryPath)
    indirect case comparison(Operator, QueryNode, QueryNode, StringOptions)
    /// A comparison of a property, of the object or of linked ones, with a value that means the same to every Realm: a
    /// part of the predicate as it is.
    case test(Comparison)
    case junction(QueryJunction)
    indirect case not(QueryNode)
    indirect case between(QueryPath, Any?, Any?)
    /// A comparison with an embedded object that stands for a value, and the condition that it is about the members.
    indirect case memberwise(QueryPath, Operator, EmbeddedObject, QueryNode)
    /// How many elements of the one collection that the condition mentions satisfy it.
    indirect case subqueryCount(QueryNode)

    /// The object itself. It never changes and holds no constant, so any thread may use it.
    nonisolated(unsafe) static let object = QueryNode.path(QueryPath())

    var path: QueryPath {
        guard case .path(let path) = self else { throwRealmException("Cannot apply a keypath to \(self)") }
        return path
    }

    /// The path, if it leads through links to a property and nothing else.
    var plainPath: PropertyPath? {
        guard case .path(let path) = self, path.isPlain else { return nil }
        return path.resolvable
    }

    /// What a key path leads to from here.
    func member(_ keyPath: AnyKeyPath) -> QueryNode { .path(path.appending(keyPath)) }

    typealias Operator = ComparisonOperator

    /// The same without `.test`.
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

    /// The stored form of a constant: an enum's raw value, an array of such.
    static func constant(storing value: Any?) -> QueryNode { .constant(storedForm(value)) }

    private static func storedForm(_ value: Any?) -> Any? {
        if let value, isPlain(value) { return value }
        // Before an array is asked for its class: for that, Foundation makes an object of each element.
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

    /// A constant as the contract has it among the arguments of a query's text.
    static func shown(_ constant: Any?) -> Any? {
        guard let constants = constant as? StoredConstants else { return constant }
        return storedElements(of: constants.source)
    }
}

/// A way from the object that is asked about to a property.
///
/// An object, because each comparison with the property has it.
final class QueryPath {
    /// The same steps as the engine has them, with what stands in brackets behind the last one.
    let resolvable: PropertyPath
    let steps: [PathStep]
    /// The numbers of steps after which the path is at a collection.
    let collections: [Int]
    /// Whether a comparison with the path asks for some element.
    let needsAny: Bool
    /// What stands in brackets behind the last step.
    let subscripts: [PathSubscript]
    /// Whether the first of the subscripts is a key of a map property; otherwise they are of a mixed value.
    let isMapSubscript: Bool
    /// What is asked of the value at the end of the path.
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

    /// Whether it leads through links to a property, and nothing else.
    var isPlain: Bool { collections.isEmpty && subscripts.isEmpty && operation == nil }

    var isCollection: Bool { collections.last == steps.count }

    /// The path to a property of what this path leads to.
    func appending(_ keyPath: AnyKeyPath) -> QueryPath {
        if !subscripts.isEmpty { throwRealmException("Cannot apply key path to Map subscripts.") }
        return PropertyProbe.properties(of: keyPath).reduce(self) { $0.appending($1) }
    }

    /// The path to a property of what this path leads to.
    func appending(_ property: PropertyInfo) -> QueryPath {
        let steps = steps + [.property(property.name)]
        let isCollection = property.shape.collection != .none
        return with(
            steps, collections: isCollection ? collections + [steps.count] : collections,
            needsAny: needsAny || isCollection)
    }

    /// The path to the value of a map's key, or to an element of a collection inside a mixed value.
    func appending(_ step: PathSubscript) -> QueryPath {
        // One value and not some value of the map.
        let outer = isCollection ? Array(collections.dropLast()) : collections
        return QueryPath(
            steps, collections: outer, needsAny: isCollection ? !outer.isEmpty : needsAny,
            subscripts: subscripts + [step], isMapSubscript: isMapSubscript || isCollection)
    }

    /// What kind of mixed value is at the end, or how many elements it has.
    func asking(_ operation: CollectionOperation) -> QueryPath {
        QueryPath(
            steps, collections: collections, needsAny: needsAny, subscripts: subscripts,
            isMapSubscript: isMapSubscript, operation: operation)
    }

    /// The number of elements of a collection.
    var count: QueryPath { with(steps + [.operation(.count)], needsAny: false) }

    /// The keys or the values of a map.
    func contents(_ operation: CollectionOperation) -> QueryPath { with(steps + [.operation(operation)]) }

    /// An aggregate over a collection: of its elements, or of the property behind it. The operator stands right behind
    /// the collection; behind a path without one it is refused when the query is made.
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
