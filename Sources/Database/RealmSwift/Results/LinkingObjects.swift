// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

/// The objects that link to an object through a given property: the inverse of a link.
///
/// ```swift
/// class Dog: Object {
///     @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
/// }
/// ```
///
/// The collection is live, and empty for an unmanaged object. An object with several links to this object is contained
/// as many times. The order is unspecified, and the collection can't be used to change the links.
public struct LinkingObjects<Element: ObjectBase & RealmCollectionValue>: RealmCollection, LinkingObjectsProtocol {
    public typealias Index = Int

    /// Empty if `live` is set.
    private let declaredOrigin: String
    /// The state that a declaration in a class without `@Persisted` shares with its copies.
    let declared: LinkingObjectsDeclared?
    private let live: LiveQuery?

    var core: LiveQuery? { live ?? declared?.core }

    var originProperty: String { live?.originProperty ?? declaredOrigin }

    /// Declares the inverse of a link: the objects of class `fromType` that link to this object through their property
    /// `propertyName`.
    public init(fromType _: Element.Type, property propertyName: String) {
        declaredOrigin = propertyName
        declared = LinkingObjectsDeclared()
        live = nil
    }

    public static func _inverse(of propertyName: String) -> LinkingObjects { LinkingObjects(of: propertyName) }

    private init(of propertyName: String) {
        declaredOrigin = propertyName
        declared = nil
        live = nil
    }

    init(_ core: LiveQuery) {
        declaredOrigin = ""
        declared = nil
        live = core
    }

    init(owner: ObjectBase, _ key: PropertyKey) {
        owner.probe?.record(owner, key)
        declaredOrigin = ""
        declared = nil
        live =
            unsafe owner._rlmRow.rowKeeper?._withUnsafeGuaranteedRef { $0.inverse(of: owner, key, Element.self) }
            ?? LiveQuery(backlinksOf: owner, key, Element.self)
    }

    /// The Realm that manages the object; nil if the object is unmanaged.
    public var realm: Realm? { core.map { Realm($0.realm) } }

    /// A Boolean value that indicates whether the object was deleted, or its Realm was invalidated.
    public var isInvalidated: Bool { core?.isInvalidated ?? false }

    public var count: Int { core?.count ?? 0 }

    public var first: Element? { core?.first.map(Element._element) }

    public var last: Element? { isEmpty ? nil : self[count - 1] }

    public subscript(index: Int) -> Element {
        guard let core else {
            if let element = PropertyProbe.element(Element.self) { return element }
            if index < 0 { throwRealmException("Cannot pass a negative value for 'index'.") }
            throwRealmException("Index \(index) is out of bounds (must be less than 0).")
        }
        _ = core.isIndex(index)
        return Element._element(core.element(at: index))
    }

    @inlinable public func makeIterator() -> RLMIterator<Element> { RLMIterator(makeCursor()) }

    @usableFromInline func makeCursor() -> ElementCursor? { core?.makeCursor() }

    /// Returns the index of the first element equal to `object`, or nil if there isn't one.
    public func index(of object: Element) -> Int? {
        guard let core else { return nil }
        return core.realm.stored(object, of: core.elementClass).flatMap(core.index)
    }

    public var _origin: _CollectionOrigin? { core.map(_CollectionOrigin.init) }

    public var description: String {
        core?.description("LinkingObjects", Element.self) ?? "LinkingObjects<\(Element.className())> <0x0> (\n\n)"
    }

    /// Returns whether both are the same property of the same stored object or, for unmanaged objects, the same
    /// declaration.
    public static func == (lhs: LinkingObjects<Element>, rhs: LinkingObjects<Element>) -> Bool {
        switch (lhs.core?.base, rhs.core?.base) {
        case (nil, nil): lhs.originProperty == rhs.originProperty
        case (.backlinks(let lhs, let left), .backlinks(let rhs, let right)):
            left == right && lhs.denotesSameRow(as: rhs)
        default: false
        }
    }
}

/// A type of linking objects, for use in generic constraints.
public protocol LinkingObjectsProtocol {
    /// The class of the linking objects.
    associatedtype Element
    /// Declares the inverse of a link from a property of a class.
    init(fromType: Element.Type, property: String)
    /// Declares the inverse of a link for a `@Persisted` property, which creates the live collections itself.
    static func _inverse(of property: String) -> Self
}
