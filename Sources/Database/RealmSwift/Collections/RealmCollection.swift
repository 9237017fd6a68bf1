// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The common base of all collections of this library.
///
/// Lazy: `map` and `filter` with closures are evaluated at each access, as those of `LazyCollection` are.
public protocol RealmCollectionBase: RandomAccessCollection, LazyCollectionProtocol, CustomStringConvertible,
    ThreadConfined
where Element: RealmCollectionValue {
    /// Another name of `Element`.
    typealias ElementType = Element
}

/// A collection with an order: `List`, `Results`, `LinkingObjects`.
///
/// Live: reads always return the state of the Realm that the collection belongs to. Iteration uses the elements at its
/// beginning, so the loop may change the collection.
public protocol RealmCollection: RealmCollectionBase, Equatable where Iterator == RLMIterator<Element>, Index == Int {
    /// The number of elements.
    var count: Int { get }

    /// The first element; nil when empty.
    var first: Element? { get }

    /// The last element; nil when empty.
    var last: Element? { get }

    /// Returns the position of the first element equal to `object`, or nil if none is equal.
    func index(of object: Element) -> Int?

    /// Returns the elements' properties of this name, as an array with nil for null; the elements themselves for
    /// `"self"`.
    func value(forKey key: String) -> Any?

    /// Returns the elements' properties like `value(forKey:)`, but also properties of linked objects, or the result of
    /// an operator.
    func value(forKeyPath keyPath: String) -> Any?

    /// Sets the property of each element to a value.
    func setValue(_ value: Any?, forKey key: String)

    /// The source for queries on the collection; nil if it is unmanaged.
    var _origin: _CollectionOrigin? { get }
}

/// A managed collection as the source of queries.
public struct _CollectionOrigin {
    let core: ResultsCore

    init(_ core: ResultsCore) { self.core = core }
}

extension RealmCollectionBase {
    /// Zero, because damage may prevent reading elements that are included in the count.
    @inlinable public var underestimatedCount: Int { 0 }

    /// Returns the elements. (The standard library's implementation relies on the count.)
    @inlinable public func _copyToContiguousArray() -> ContiguousArray<Element> {
        var elements = ContiguousArray<Element>()
        elements.reserveCapacity(count)
        for element in self { elements.append(element) }
        return elements
    }
}

extension RealmCollection {
    /// Searches for an object by its row if equality is that of rows. Otherwise, the elements are compared one by one.
    public func _customContainsEquatableElement(_ element: Element) -> Bool? {
        guard let object = element as? ObjectBase, let realm = object._rlmRow.realm, object.hasRow,
            object.classInfo.primaryKey != nil || realm.isFrozen, let core = _origin?.core, core.realm === realm,
            core.elementClass?.info === object.classInfo
        else { return nil }
        return index(of: element) != nil
    }

    /// The position of the first element: 0.
    public var startIndex: Int { 0 }
    /// The position after the last element: `count`.
    public var endIndex: Int { count }
    /// Returns the position after another one.
    public func index(after i: Int) -> Int { i + 1 }
    /// Returns the position before another one.
    public func index(before i: Int) -> Int { i - 1 }

    /// Returns the results of `transform` for all elements, in order.
    ///
    /// Uses the elements at the beginning of the call, as in an iteration. (The standard library's implementation reads
    /// each element by its position.)
    @inlinable public func map<Transformed, Failure: Error>(
        _ transform: (Element) throws(Failure) -> Transformed
    ) throws(Failure) -> [Transformed] {
        var result: [Transformed] = []
        result.reserveCapacity(count)
        for element in self { result.append(try transform(element)) }
        return result
    }
}
