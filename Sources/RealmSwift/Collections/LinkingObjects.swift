// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The objects that lead to this one through a given property: the inverse of a link.
///
/// ```swift
/// class Dog: Object {
///     @Persisted(originProperty: "dogs") var owners: LinkingObjects<Person>
/// }
/// ```
///
/// Empty for an unmanaged object. An object that links several times counts several times. There is no order, and
/// nothing can be changed through it.
public struct LinkingObjects<Element: ObjectBase & RealmCollectionValue>: RealmCollection, LinkingObjectsProtocol {
    public typealias Index = Int

    let originProperty: String
    /// The object that is linked to, and its backlink column; nil when unmanaged.
    private let owner: (object: ObjectBase, key: PropertyKey)?

    /// The objects of class `fromType` whose property `propertyName` leads here.
    public init(fromType _: Element.Type, property propertyName: String) {
        originProperty = propertyName
        owner = nil
    }

    init(owner: ObjectBase, _ key: PropertyKey) {
        self.owner = (owner, key)
        originProperty = owner._row.managed?.propertyName(key) ?? ""
    }

    /// The Realm that manages the object; nil when unmanaged.
    public var realm: Realm? { nil }

    public var isInvalidated: Bool { false }

    public var count: Int { 0 }

    public var first: Element? { count == 0 ? nil : self[0] }

    public var last: Element? { count == 0 ? nil : self[count - 1] }

    public subscript(index: Int) -> Element {
        if index < 0 { throwRealmException("Cannot pass a negative value for 'index'.") }
        throwRealmException("Index \(index) is out of bounds (must be less than \(count)).")
    }

    public func makeIterator() -> RLMIterator<Element> {
        RLMIterator([])
    }

    public func index(of object: Element) -> Int? { nil }

    public var description: String {
        "LinkingObjects<\(Element.className())> <0x0> (\n\n)"
    }

    /// Whether both are the same property of the same row.
    public static func == (lhs: LinkingObjects<Element>, rhs: LinkingObjects<Element>) -> Bool {
        lhs.originProperty == rhs.originProperty
    }
}

/// `LinkingObjects`, for generic constraints.
public protocol LinkingObjectsProtocol {
    associatedtype Element
    init(fromType: Element.Type, property: String)
}
