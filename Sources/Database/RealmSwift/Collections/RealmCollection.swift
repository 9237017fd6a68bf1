// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

/// The common base protocol of this library's collections.
///
/// `map` and `filter` with closures are lazy: they evaluate their closures at each access, like those of
/// `LazyCollection`.
public protocol RealmCollectionBase: RandomAccessCollection, LazyCollectionProtocol, CustomStringConvertible,
    ThreadConfined
where Element: RealmCollectionValue {
    /// The type of the elements; the same as `Element`.
    typealias ElementType = Element
}

/// A random-access collection of values or objects: `List`, `MutableSet`, `Results` or `LinkingObjects`.
///
/// A managed collection is live: it always reflects the version that its Realm reads. A loop iterates over the elements
/// that existed when it began, so its body may change the collection.
public protocol RealmCollection: RealmCollectionBase, Equatable where Iterator == RLMIterator<Element>, Index == Int {
    /// The number of elements.
    var count: Int { get }

    /// The first element; nil when empty.
    var first: Element? { get }

    /// The last element; nil when empty.
    var last: Element? { get }

    /// Returns the index of the first element equal to `object`, or nil if there isn't one.
    func index(of object: Element) -> Int?

    /// Returns the value of a property for each element, as an array with nil for null; for `"self"`, the elements
    /// themselves.
    func value(forKey key: String) -> Any?

    /// Returns the value of a property for each element, like `value(forKey:)`, but also for properties of linked
    /// objects, or the result of an operator.
    func value(forKeyPath keyPath: String) -> Any?

    /// Sets a property of each element to a value.
    func setValue(_ value: Any?, forKey key: String)

    /// The source for queries on the collection; nil if it is unmanaged.
    var _origin: _CollectionOrigin? { get }
}

/// A managed collection as the source of queries.
public struct _CollectionOrigin {
    let core: LiveQuery

    init(_ core: LiveQuery) { self.core = core }
}

extension RealmCollectionBase {
    /// A lower bound for the number of elements: 0, because damage in the file may prevent counted elements from being
    /// read.
    @inlinable public var underestimatedCount: Int { 0 }

    /// Returns the elements as an array, without relying on `count`.
    @inlinable public func _copyToContiguousArray() -> ContiguousArray<Element> {
        var elements = ContiguousArray<Element>()
        elements.reserveCapacity(count)
        for element in self { elements.append(element) }
        return elements
    }
}

extension RealmCollection {
    /// Returns the result of `contains(_:)` for an object whose class compares objects by row, from the row.
    /// Returns nil for any other element; Swift then compares the elements one by one.
    public func _customContainsEquatableElement(_ element: Element) -> Bool? {
        guard let object = element as? ObjectBase, let realm = object._rlmRow.realm, object.hasRow,
            object.classInfo.primaryKey != nil || realm.isFrozen, let core = _origin?.core, core.realm === realm,
            core.elementClass?.info === object.classInfo
        else { return nil }
        return index(of: element) != nil
    }

    /// The index of the first element: 0.
    public var startIndex: Int { 0 }
    /// The index after the last element: `count`.
    public var endIndex: Int { count }
    /// Returns the index after another one.
    public func index(after i: Int) -> Int { i + 1 }
    /// Returns the index before another one.
    public func index(before i: Int) -> Int { i - 1 }

    /// Returns the results of `transform` for all elements, in order.
    ///
    /// Transforms the elements that existed when the call began, like an iteration.
    @inlinable public func map<Transformed, Failure: Error>(
        _ transform: (Element) throws(Failure) -> Transformed
    ) throws(Failure) -> [Transformed] {
        var result: [Transformed] = []
        result.reserveCapacity(count)
        for element in self { result.append(try transform(element)) }
        return result
    }
}
