// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A property of each element of a list or set of objects, for a projection.
///
/// The collection is live: it has as many elements as the list or set, in the same order, and reads and writes the
/// objects' property. A projected set may have equal elements.
public struct ProjectedCollection<Element>: RandomAccessCollection, CustomStringConvertible, ThreadConfined
where Element: RealmCollectionValue {
    public typealias Index = Int

    let source: ProjectionSource<Element>

    init(source: ProjectionSource<Element>) { self.source = source }

    init<Base: RealmCollection>(_ base: Base, _ keyPath: KeyPath<Base.Element, Element>)
    where Base.Element: ObjectBase {
        source = ProjectionSourceOf(base, keyPath)
    }

    /// The property of the element at a position. Writing it requires a write transaction if the object is managed.
    public subscript(position: Int) -> Element {
        get { source.value(at: position) }
        nonmutating set { source.setValue(newValue, at: position) }
    }

    /// Always 0.
    public var startIndex: Int { 0 }
    /// The number of elements.
    public var endIndex: Int { source.count }

    /// The Realm that manages the list or set; nil when unmanaged.
    public var realm: Realm? { source.realm }

    /// A Boolean value that indicates whether the list or set was managed and its object was deleted.
    public var isInvalidated: Bool { source.isInvalidated }

    /// A Boolean value that indicates whether the list or set belongs to a frozen object.
    public var isFrozen: Bool { source.isFrozen }

    /// Returns the values in the version that the Realm reads.
    ///
    /// - Precondition: The collection is managed.
    public func freeze() -> Self { ProjectedCollection(source: source.freeze()) }

    /// Returns the values in the live Realm of the caller's thread, or nil if the object with the list or set was
    /// deleted.
    public func thaw() -> Self? { source.thaw().map { ProjectedCollection(source: $0) } }

    /// The values as text, at most a hundred.
    public var description: String {
        unsafe collectionDescription(
            "ProjectedCollection<\(Element._elementShape.elementName)>",
            at: unsafe Unmanaged.passUnretained(source).toOpaque(), count: count,
            within: DescriptionLimits()
        ) { self[$0]._rlmDynamicValue }
    }

    /// Returns the position of the first element whose property equals `object`, or nil if no element's does. Compares
    /// each element.
    public func index(of object: Element) -> Int? { firstIndex(of: object) }

    /// Returns the position of the first element of the list or set that satisfies a predicate on the objects, or nil
    /// if no element does.
    public func index(matching predicateFormat: String, _ args: Any...) -> Int? {
        source.index(matching: predicateFormat, args)
    }
}

extension ProjectedCollection: Encodable where Element: Encodable {
    /// Encodes the values as an array.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.unkeyedContainer()
        for element in self { try container.encode(element) }
    }
}

extension ProjectedCollection: ProjectedElements {
    static var elementShape: _PropertyShape? { Element._elementShape }
}

/// Maps the elements of a list or set of objects to one of their properties: `\Person.friends.projectTo.firstName`.
@dynamicMemberLookup
public struct CollectionElementMapper<Element> where Element: ObjectBase & RealmCollectionValue {
    private let list: List<Element>?
    private let set: MutableSet<Element>?

    init(_ list: List<Element>) {
        self.list = list
        set = nil
    }

    init(_ set: MutableSet<Element>) {
        list = nil
        self.set = set
    }

    /// The property of each element.
    public subscript<V>(dynamicMember member: KeyPath<Element, V>) -> ProjectedCollection<V> {
        if let probe = PropertyProbe.element(Element.self) { _ = probe[keyPath: member] }
        if let set { return ProjectedCollection(set, member) }
        return ProjectedCollection(list ?? List(), member)
    }
}

extension List where Element: ObjectBase {
    /// For `@Projected`: maps the objects to one of their properties.
    public var projectTo: CollectionElementMapper<Element> { CollectionElementMapper(self) }
}

extension MutableSet where Element: ObjectBase {
    /// For `@Projected`: maps the objects to one of their properties.
    public var projectTo: CollectionElementMapper<Element> { CollectionElementMapper(self) }
}
