// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmStorage

/// The objects that a query selects, in its order; without a query, all objects of a class.
///
/// ```swift
/// let young = realm.objects(Dog.self).where { $0.age < 3 }.sorted(byKeyPath: "name")
/// for dog in young { print(dog.name) }
/// ```
///
/// Results are live and lazy: nothing is computed until it is read, and reads always reflect the current state of the
/// Realm. They are confined to the Realm's thread, queue or actor.
public struct Results<Element: RealmCollectionValue>: RealmCollection {
    public typealias Index = Int

    let core: LiveQuery

    init(_ core: LiveQuery) { self.core = core }

    /// The Realm of the elements. It can be read on any thread.
    public var realm: Realm? { Realm(core.realm) }

    /// A Boolean value that indicates whether the object or collection on which the query is based was deleted, or its
    /// Realm was invalidated.
    public var isInvalidated: Bool { core.isInvalidated }

    public var count: Int { core.count }

    public var first: Element? { core.first.map(Element._element) }

    public var last: Element? { isEmpty ? nil : self[count - 1] }

    public subscript(position: Int) -> Element {
        if core.isIndex(position), let object = core.object(at: position) { return Element._element(object) }
        return Element._element(core.element(at: position))
    }

    @inlinable public func makeIterator() -> RLMIterator<Element> { RLMIterator(makeCursor()) }

    @usableFromInline func makeCursor() -> ElementCursor { core.makeCursor() }

    /// Returns the index of the first element equal to `object`, or nil if there isn't one.
    public func index(of object: Element) -> Int? {
        core.realm.stored(object, of: core.elementClass).flatMap(core.index)
    }

    public var isEmpty: Bool { core.isEmpty }

    /// Returns the objects that satisfy a condition, as live and lazy results.
    public func `where`(_ isIncluded: (Query<Element>) -> Query<Bool>) -> Results<Element> {
        core.verifyValid()
        return Results(core.filtered(isIncluded(Query<Element>()).node))
    }

    public var _origin: _CollectionOrigin? { _CollectionOrigin(core) }

    /// A textual representation of at most 100 elements.
    public var description: String { core.description("Results", Element.self) }

    /// Returns whether the values are copies of the same query. The elements aren't compared.
    public static func == (lhs: Results<Element>, rhs: Results<Element>) -> Bool { lhs.core === rhs.core }
}

extension LiveQuery {
    /// Adds the condition of a typed query. Not inlined, because public functions own their arguments and would count
    /// references to all of them.
    @inline(never)
    func filtered(_ node: consuming QueryNode) -> LiveQuery { filtered(realm.predicate(consume node)) }

    func isIndex(_ index: Int) -> Bool { isPosition(index, below: count, in: realm) }

    func description<Element: RealmCollectionValue>(_ kind: String, _: Element.Type) -> String {
        let elements = Element.self == DynamicObject.self ? elementName : Element._elementShape.elementName
        return unsafe collectionDescription(
            "\(kind)<\(elements)>", at: unsafe Unmanaged.passUnretained(self).toOpaque(),
            count: count, within: DescriptionLimits()
        ) { Element._element(element(at: $0))._rlmDynamicValue }
    }
}

/// A type that `Realm.objects(_:)` can return: an object class or a projection.
public protocol RealmFetchable: RealmCollectionValue {}

extension Object: RealmFetchable {}
