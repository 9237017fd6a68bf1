// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmStorage

/// A collection of unique values or objects, used as the type of a property.
///
/// ```swift
/// class Dog: Object {
///     @Persisted var tricks: MutableSet<String>
/// }
/// ```
///
/// A set is a reference type. Assigning to a set property copies the elements; the property's set remains the same
/// instance. Changing a managed set outside of a write transaction traps. The order of the elements is unspecified,
/// and indexes are valid until the set changes. Strings are compared by their bytes, objects by their rows. Removing an
/// object from a set doesn't delete it.
@safe public final class MutableSet<Element: RealmCollectionValue>: RLMSwiftCollectionBase, RealmCollection {
    public typealias Index = Int

    /// The elements of an unmanaged set.
    var storage = UniqueElements<Element>()
    /// The core of a managed set; nil while unmanaged. Doesn't retain the owner, which retains this set.
    @safe @exclusivity(unchecked) var managed: ManagedSet? {
        didSet { reference = unsafe managed.map(Unmanaged.passUnretained) }
    }
    /// An unretained `managed`, for single elements: a retain takes as long as a part of the search.
    @safe @exclusivity(unchecked) private(set) var reference: Unmanaged<ManagedSet>?

    /// Creates an empty unmanaged set.
    public override init() {
        if Element._isProjection { throwRealmException("Collections of projections must be used with @Projected.") }
    }

    init(_ managed: ManagedSet) {
        self.managed = managed
        reference = unsafe .passUnretained(managed)
    }

    /// The Realm that manages the set; nil when unmanaged.
    public var realm: Realm? { managed.map { Realm($0.realm) } }

    /// A Boolean value that indicates whether the set was managed and its object was deleted, or its Realm was
    /// invalidated. Such a set reads as empty and can't be changed.
    public var isInvalidated: Bool { managed?.isInvalidated ?? false }

    public override var count: Int {
        if let managed { return managed.count }
        return storage.elements.count
    }

    public var first: Element? { isEmpty ? nil : self[0] }

    public var last: Element? { isEmpty ? nil : self[count - 1] }

    public subscript(position: Int) -> Element {
        if managed == nil, storage.elements.isEmpty, let element = PropertyProbe.element(Element.self) {
            return element
        }
        _ = isPosition(position, below: count, in: managed?.realm)
        if let managed { return Element._element(managed.element(at: position)) }
        return storage.elements[position]
    }

    public func makeIterator() -> RLMIterator<Element> {
        managed.map { RLMIterator($0.makeCursor()) } ?? RLMIterator(storage.elements)
    }

    /// Traps, because the elements of a set are unordered. Use `contains(_:)`.
    public func index(of object: Element) -> Int? {
        throwRealmException("index(of:) is not available on MutableSet")
    }

    /// Traps, because the elements of a set are unordered.
    public func index(matching predicateFormat: String, _ args: Any...) -> Int? {
        throwRealmException("index(matching:) is not available on MutableSet")
    }

    /// Traps, because the elements of a set are unordered.
    public func index(matching isIncluded: (Query<Element>) -> Query<Bool>) -> Int? {
        throwRealmException("index(matching:) is not available on MutableSet")
    }

    public var _origin: _CollectionOrigin? {
        managed.map { _CollectionOrigin(LiveQuery($0.realm, .collection($0), elementClass: $0.elementClass)) }
    }

    // MARK: Interface for the owner

    override func attach(to owner: ObjectBase, _ key: PropertyKey) {
        guard let anchor = OwnerReference(owner) else {
            owner.probe?.record(owner, key)
            return
        }
        managed = ManagedSet(anchor, key, of: Element.self)
        storage = UniqueElements()
    }

    override var contents: _StoredContent { _StoredContent(.elements(map(\._rlmContent))) }

    override func replaceContents(with other: RLMSwiftCollectionBase) {
        guard let other = other as? MutableSet<Element> else { return }
        let elements = Array(other)
        removeAll()
        insert(objectsIn: elements)
    }

    // MARK: Description and equality

    override var words: CollectionVocabulary { .set }

    public override var description: String { super.description }

    override func description(within limits: DescriptionLimits) -> String {
        if limits.depth == 0 { return "<Maximum depth exceeded>" }
        return unsafe collectionDescription(
            "MutableSet<\(managed?.elementName ?? Element._elementShape.elementName)>",
            at: unsafe Unmanaged.passUnretained(self).toOpaque(), count: count, within: limits
        ) { self[$0]._rlmDynamicValue }
    }

    override func isEqual(to other: RLMSwiftCollectionBase) -> Bool {
        guard let other = other as? MutableSet<Element> else { return false }
        if let managed { return other.managed.map(managed.isSame) ?? false }
        return other.managed == nil && count == other.count && isSubset(of: other)
    }
}
