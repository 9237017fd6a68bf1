// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// The values of one property of all objects in a list or set, as the value of a projected property.
///
/// The collection is live: it has as many elements as the list or set, in the same order, and reads and writes the
/// property of each object. The values of a projected set may contain duplicates.
public struct ProjectedCollection<Element>: RandomAccessCollection, CustomStringConvertible, ThreadConfined
where Element: RealmCollectionValue {
    public typealias Index = Int

    let source: ProjectionSource<Element>

    init(source: ProjectionSource<Element>) { self.source = source }

    init<Base: RealmCollection>(_ base: Base, _ keyPath: KeyPath<Base.Element, Element>)
    where Base.Element: ObjectBase {
        source = ProjectionSourceOf(base, keyPath)
    }

    /// The projected property of the object at an index. Writing requires a write transaction if the object is managed.
    public subscript(position: Int) -> Element {
        get { source.value(at: position) }
        nonmutating set { source.setValue(newValue, at: position) }
    }

    /// The index of the first element: 0.
    public var startIndex: Int { 0 }
    /// The index after the last element, which equals the number of elements.
    public var endIndex: Int { source.count }

    /// The Realm that manages the list or set; nil when unmanaged.
    public var realm: Realm? { source.realm }

    /// A Boolean value that indicates whether the object with the list or set was deleted.
    public var isInvalidated: Bool { source.isInvalidated }

    /// A Boolean value that indicates whether the list or set belongs to a frozen object.
    public var isFrozen: Bool { source.isFrozen }

    /// Returns an immutable snapshot of the values at the version that the Realm reads.
    ///
    /// - Precondition: The collection is managed.
    public func freeze() -> Self { ProjectedCollection(source: source.freeze()) }

    /// Returns the live counterpart of the values for the caller's thread, or nil if the object with the list or set
    /// was deleted.
    public func thaw() -> Self? { source.thaw().map { ProjectedCollection(source: $0) } }

    /// A textual representation of at most 100 values.
    public var description: String {
        var lines = prefix(100).enumerated().map { "\t[\($0.offset)] \($0.element)" }
        if count > lines.count { lines.append("\t... \(count - lines.count) objects skipped.") }
        return "ProjectedCollection<\(Element.self)> {\n\(lines.joined(separator: "\n"))\n}"
    }

    /// Returns the index of the first element that equals `object`, or nil if there isn't one. Compares the elements
    /// one by one.
    public func index(of object: Element) -> Int? { firstIndex(of: object) }

    /// Returns the index of the first object of the list or set that satisfies a predicate, or nil if there isn't one.
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

/// Maps the objects of a list or set to one of their properties, as in `\Person.friends.projectTo.firstName`.
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

    /// The property of all objects.
    public subscript<V>(dynamicMember member: KeyPath<Element, V>) -> ProjectedCollection<V> {
        if let probe = PropertyProbe.element(Element.self) { _ = probe[keyPath: member] }
        if let set { return ProjectedCollection(set, member) }
        return ProjectedCollection(list ?? List(), member)
    }
}

extension List where Element: ObjectBase {
    /// A mapping of the objects to one of their properties, for use with `@Projected`.
    public var projectTo: CollectionElementMapper<Element> { CollectionElementMapper(self) }
}

extension MutableSet where Element: ObjectBase {
    /// A mapping of the objects to one of their properties, for use with `@Projected`.
    public var projectTo: CollectionElementMapper<Element> { CollectionElementMapper(self) }
}
