// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmQuery
import RealmStorage

/// What a typed query says, as it was written.
indirect enum QueryNode {
    case constant(Any?)
    case path(QueryPath)
    case comparison(Operator, QueryNode, QueryNode, StringOptions)
    case and(QueryNode, QueryNode)
    case or(QueryNode, QueryNode)
    case not(QueryNode)
    case between(QueryPath, Any?, Any?)
    /// How many elements of the one collection that the condition mentions satisfy it.
    case subqueryCount(QueryNode)

    /// The object itself. It never changes and holds no constant, so any thread may use it.
    nonisolated(unsafe) static let object = QueryNode.path(QueryPath())

    var path: QueryPath {
        guard case .path(let path) = self else { throwRealmException("Cannot apply a keypath to \(self)") }
        return path
    }

    /// What a key path leads to from here.
    func member(_ keyPath: AnyKeyPath) -> QueryNode {
        path.isObject ? PropertyProbe.node(of: keyPath) : .path(path.appending(keyPath))
    }

    typealias Operator = ComparisonOperator

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
        // Before anybody asks of what class an array is: for that, Foundation makes an object of each element.
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
struct QueryPath {
    private(set) var steps: [PathStep] = []
    /// The numbers of steps after which the path is at a collection.
    private(set) var collections: [Int] = []
    /// Whether a comparison with the path asks for some element.
    private(set) var needsAny = false
    /// What stands in brackets behind the last step.
    private(set) var subscripts: [PathSubscript] = []
    /// Whether the first of the subscripts is a key of a map property; otherwise they are of a mixed value.
    private(set) var isMapSubscript = false

    /// Whether it leads nowhere.
    var isObject: Bool { steps.isEmpty && subscripts.isEmpty }

    var isCollection: Bool { collections.last == steps.count }

    /// The path to a property of what this path leads to.
    func appending(_ keyPath: AnyKeyPath) -> QueryPath {
        if !subscripts.isEmpty { throwRealmException("Cannot apply key path to Map subscripts.") }
        return PropertyProbe.properties(of: keyPath).reduce(self) { $0.appending($1) }
    }

    /// The path to a property of what this path leads to.
    func appending(_ property: PropertyInfo) -> QueryPath {
        var path = self
        path.steps.append(.property(property.name))
        if property.shape.collection != .none {
            path.collections.append(path.steps.count)
            path.needsAny = true
        }
        return path
    }

    /// The path to the value of a map's key, or to an element of a collection inside a mixed value.
    func appending(_ step: PathSubscript) -> QueryPath {
        var path = self
        if isCollection {
            // One value and not some value of the map.
            path.collections.removeLast()
            path.needsAny = !path.collections.isEmpty
            path.isMapSubscript = true
        }
        path.subscripts.append(step)
        return path
    }

    /// The number of elements of a collection.
    var count: QueryPath {
        var path = self
        path.steps.append(.operation(.count))
        path.needsAny = false
        return path
    }

    /// The keys or the values of a map.
    func contents(_ operation: CollectionOperation) -> QueryPath {
        var path = self
        path.steps.append(.operation(operation))
        return path
    }

    /// An aggregate over a collection: of its elements, or of the property behind it. The operator stands right behind
    /// the collection; behind a path without one it is refused when the query is made.
    func aggregate(_ operation: CollectionOperation) -> QueryPath {
        var path = self
        let place = isCollection ? steps.count : collections.first ?? steps.count
        path.steps.insert(.operation(operation), at: place)
        path.needsAny = false
        return path
    }

    /// The collection that the path enters first, and the steps behind it.
    var parts: (collection: [PathStep], rest: [PathStep])? {
        collections.first.map { (Array(steps[..<$0]), Array(steps[$0...])) }
    }

    /// As `needsAny`, seen from an element of the first collection.
    var needsAnyInSubquery: Bool { needsAny && collections.count > 1 }
}
