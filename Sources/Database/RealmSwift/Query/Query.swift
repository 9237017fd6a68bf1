// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmQuery
import RealmRuntime
import RealmStorage

/// A property of the queried objects, or a condition on them, in the closure of `where`. `T` is the type of the
/// property, or `Bool` for a condition.
///
/// ```swift
/// realm.objects(Dog.self).where { $0.age > 3 && $0.name.starts(with: "R") && $0.toy.name != "Bone" }
/// ```
///
/// A comparison of a property inside a collection is true if at least one element satisfies it. A property of a linked
/// object is null if the link is nil.
@dynamicMemberLookup
public struct Query<T> {
    /// nil for the object itself, with which each query begins, because this avoids reference counting.
    private let written: QueryNode?

    var node: QueryNode { unsafe written ?? .object }

    init(_ node: QueryNode) { written = node }

    init() { written = nil }

    /// Creates a query for the object itself, for tests of a query's description.
    public static func _constructForTesting() -> Query<T> { Query() }

    /// Returns the condition in the predicate language, with its arguments.
    public func _constructPredicate() -> (String, [Any]) {
        let text = QueryText(node)
        return (text.format, text.arguments.map { QueryNode.shown($0) ?? NSNull() })
    }

    var path: QueryPath { node.path }

    private var plainPath: PropertyPath? {
        guard let written else { return unsafe QueryNode.object.plainPath }
        return written.plainPath
    }

    func element<V>(_ step: PathSubscript) -> Query<V> {
        guard case .path(let path) = node else { throwRealmException("Cannot add subscript to \(node)") }
        return Query<V>(.path(path.appending(step)))
    }

    func member<V>(_ keyPath: AnyKeyPath) -> Query<V> {
        Query<V>(written?.member(keyPath) ?? PropertyProbe.node(of: keyPath))
    }

    func compare<V>(_ operation: QueryNode.Operator, _ value: V, _ options: StringOptions = []) -> Query<Bool> {
        if let path = plainPath, let value = StoredValue(plain: value) {
            let options = TextOptions(rawValue: options.rawValue)
            return Query<Bool>(.test(Comparison(path, operation, value, options: options)))
        }
        return compare(operation, value as Any?, options)
    }

    private func compare(_ operation: QueryNode.Operator, _ value: Any?, _ options: StringOptions) -> Query<Bool> {
        if let condition = QueryNode.memberwise(node, operation, value) { return Query<Bool>(condition) }
        return Query<Bool>(.compare(node, operation, .constant(storing: value), options))
    }

    func compare<U>(
        _ operation: QueryNode.Operator, to other: Query<U>, _ options: StringOptions = []
    ) -> Query<Bool> {
        Query<Bool>(.compare(node, operation, other.node, options))
    }

    func aggregate<V>(_ operation: CollectionOperation) -> Query<V> { Query<V>(.path(path.aggregate(operation))) }

    func isBetween(_ low: Any?, _ high: Any?) -> Query<Bool> {
        Query<Bool>(.between(path, low, high))
    }

    /// Compares the smallest and the largest element, so that all elements must be in the range.
    func isWithin(_ low: Any?, _ high: Any?, _ upper: QueryNode.Operator) -> Query<Bool> {
        let (least, greatest) = path.isCollection ? (path.aggregate(.min), path.aggregate(.max)) : (path, path)
        return Query<Bool>(
            .and(
                .comparison(.greaterOrEqual, .path(least), .constant(storing: low), []),
                .comparison(upper, .path(greatest), .constant(storing: high), [])))
    }
}

/// Options for comparing strings.
public struct StringOptions: OptionSet, Sendable {
    public let rawValue: Int8

    public init(rawValue: Int8) { self.rawValue = rawValue }

    /// Ignores the difference between uppercase and lowercase letters, in all scripts that have cases.
    public static let caseInsensitive = StringOptions(rawValue: 1)
    /// Ignores accents and other diacritics.
    public static let diacriticInsensitive = StringOptions(rawValue: 2)
}

// MARK: Members

extension Query {
    /// A query for a property of the object.
    public subscript<V>(dynamicMember member: KeyPath<T, V>) -> Query<V> where T: ObjectBase {
        self.member(member)
    }
}

extension Query where T: OptionalProtocol {
    /// A query for a property of the linked object.
    public subscript<V>(dynamicMember member: KeyPath<T.Wrapped, V>) -> Query<V> where T.Wrapped: ObjectBase {
        self.member(member)
    }
}

extension Query where T: RealmCollection {
    /// A query for a property of the elements.
    public subscript<V>(dynamicMember member: KeyPath<T.Element, V>) -> Query<V> where T.Element: ObjectBase {
        self.member(member)
    }
}

// MARK: Equality

extension Query {
    /// Returns a condition that is true if the property equals a value.
    public static func == (_ lhs: Query, _ rhs: T) -> Query<Bool> { lhs.compare(.equal, rhs) }

    /// Returns a condition that is true if the property equals another property.
    public static func == (_ lhs: Query, _ rhs: Query) -> Query<Bool> { lhs.compare(.equal, to: rhs) }

    /// Returns a condition that is true if the property doesn't equal a value.
    public static func != (_ lhs: Query, _ rhs: T) -> Query<Bool> { lhs.compare(.notEqual, rhs) }

    /// Returns a condition that is true if the property doesn't equal another property.
    public static func != (_ lhs: Query, _ rhs: Query) -> Query<Bool> { lhs.compare(.notEqual, to: rhs) }

    /// Returns a condition that is true if the property has one of the values.
    public func `in`<U: Sequence>(_ collection: U) -> Query<Bool> where U.Element == T {
        compare(.in, Array(collection))
    }
}

// MARK: Conditions

extension Query where T == Bool {
    /// Returns a condition that is true if the given condition is false.
    public static prefix func ! (_ query: Query) -> Query<Bool> { Query(query.node.negated) }

    /// Returns a condition that is true if both conditions are true.
    public static func && (_ lhs: Query, _ rhs: Query) -> Query<Bool> { Query(.and(lhs.node, rhs.node)) }

    /// Returns a condition that is true if at least one of the conditions is true.
    public static func || (_ lhs: Query, _ rhs: Query) -> Query<Bool> { Query(.or(lhs.node, rhs.node)) }

    /// The number of elements that satisfy the condition. All properties in it must belong to the elements of one
    /// collection.
    public var count: Query<Int> { Query<Int>(.subqueryCount(node)) }
}
