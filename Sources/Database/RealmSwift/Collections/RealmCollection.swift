// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// What all collections of this library have in common.
///
/// Lazy: `map` and `filter` with closures compute at each access, as those of `LazyCollection` do.
public protocol RealmCollectionBase: RandomAccessCollection, LazyCollectionProtocol, CustomStringConvertible,
    ThreadConfined
where Element: RealmCollectionValue {
    /// Another name of `Element`.
    typealias ElementType = Element
}

/// A collection with an order: `List`, `Results`, `LinkingObjects`.
///
/// Live: what is read is always the state of the Realm that the collection belongs to. Iteration goes over the elements
/// that were there when it began, so the loop may change the collection.
public protocol RealmCollection: RealmCollectionBase, Equatable where Iterator == RLMIterator<Element>, Index == Int {
    /// The number of elements.
    var count: Int { get }

    /// The first element; nil when empty.
    var first: Element? { get }

    /// The last element; nil when empty.
    var last: Element? { get }

    /// The position of the first element equal to `object`; nil when there is none.
    func index(of object: Element) -> Int?

    /// The elements' properties of this name, as an array with nil for null; the elements themselves for `"self"`.
    func value(forKey key: String) -> Any?

    /// The elements' properties like `value(forKey:)`, but also properties of linked objects, or what an operator
    /// gives.
    func value(forKeyPath keyPath: String) -> Any?

    /// Gives the property of each element a value.
    func setValue(_ value: Any?, forKey key: String)

    /// What queries on the collection start from; nil when no Realm manages it.
    var _origin: _CollectionOrigin? { get }
}

/// A managed collection as something that queries start from.
public struct _CollectionOrigin {
    let core: ResultsCore

    init(_ core: ResultsCore) { self.core = core }
}

extension RealmCollectionBase {
    /// Nothing is promised: damage may keep elements from being found that are counted.
    @inlinable public var underestimatedCount: Int { 0 }

    /// The elements. (The standard library's own relies on the count.)
    @inlinable public func _copyToContiguousArray() -> ContiguousArray<Element> {
        var elements = ContiguousArray<Element>()
        elements.reserveCapacity(count)
        for element in self { elements.append(element) }
        return elements
    }
}

extension RealmCollection {
    /// Looks for an object by its row where equality is that of rows. For all else the elements are compared one by
    /// one.
    public func _customContainsEquatableElement(_ element: Element) -> Bool? {
        guard let object = element as? ObjectBase, let realm = object._rlmRow.realm, object.hasRow,
            object.classInfo.primaryKey != nil || realm.isFrozen, let core = _origin?.core, core.realm === realm,
            core.elementClass?.info === object.classInfo
        else { return nil }
        return index(of: element) != nil
    }

    /// The position of the first element: 0.
    public var startIndex: Int { 0 }
    /// The position behind the last element: `count`.
    public var endIndex: Int { count }
    /// The position behind another one.
    public func index(after i: Int) -> Int { i + 1 }
    /// The position in front of another one.
    public func index(before i: Int) -> Int { i - 1 }

    /// What `transform` makes of each element, in order.
    ///
    /// The elements are those that the collection has when the call begins, as in an iteration. (The standard library's
    /// own asks a collection for each element by its position.)
    @inlinable public func map<Transformed, Failure: Error>(
        _ transform: (Element) throws(Failure) -> Transformed
    ) throws(Failure) -> [Transformed] {
        var result: [Transformed] = []
        result.reserveCapacity(count)
        for element in self { result.append(try transform(element)) }
        return result
    }
}
