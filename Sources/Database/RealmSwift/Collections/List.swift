// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime
import RealmStorage

/// An ordered collection of values or objects, used as the type of a property.
///
/// ```swift
/// class Person: Object {
///     @Persisted var dogs: List<Dog>
/// }
/// ```
///
/// A list is a reference type. Assigning to a list property copies the elements; the property's list remains the same
/// instance. Removing an object from a list doesn't delete it, unless it is an embedded object.
///
/// Changing a managed list outside of a write transaction traps, and so does an index that is out of bounds.
@safe public final class List<Element: RealmCollectionValue>: ListBase, RealmCollection, MutableCollection {
    public typealias Index = Int
    public typealias SubSequence = Slice<List<Element>>

    /// The elements of an unmanaged list.
    var storage: [Element]
    /// The core of a managed list; nil while unmanaged. Doesn't retain the owner, which retains this list.
    @safe @exclusivity(unchecked) var managed: ManagedList? {
        didSet { reference = unsafe managed.map(Unmanaged.passUnretained) }
    }
    /// An unretained `managed`, for reads of single elements: a retain takes as long as reading a number, and delays
    /// the loads of the previous read.
    @safe @exclusivity(unchecked) @usableFromInline var reference: Unmanaged<ManagedList>?
    /// Whether the list belongs to a binding, whose elements are written in separate transactions.
    private(set) var isBound = false

    /// Creates an empty unmanaged list.
    public override init() {
        if Element._isProjection { throwRealmException("Collections of projections must be used with @Projected.") }
        storage = []
    }

    init(_ elements: [Element]) {
        storage = elements
    }

    init(_ managed: ManagedList) {
        storage = []
        self.managed = managed
        reference = unsafe .passUnretained(managed)
    }

    /// Returns the list in a form whose elements a binding may assign: each assignment is written in a separate
    /// transaction, or in the one in progress, and ignored if the position no longer exists.
    package func bound() -> List {
        guard let managed else { return self }
        let list = List(ManagedList(managed, in: managed.realm))
        list.isBound = true
        return list
    }

    private func setBoundElement(_ element: Element, at position: Int) {
        guard let list = thaw(), let realm = list.realm, list.indices.contains(position) else { return }
        let object = (element as? ObjectBase).map { $0.resident(in: realm) as? Element }
        guard let element = object ?? element else { return }
        realm.bindingWrite { list[position] = element }
    }

    /// The Realm that manages the list; nil when unmanaged.
    public var realm: Realm? { managed.map { Realm($0.realm) } }

    /// A Boolean value that indicates whether the list was managed and its object was deleted, or its Realm was
    /// invalidated. Such a list reads as empty and can't be changed.
    public var isInvalidated: Bool { managed?.isInvalidated ?? false }

    public override var count: Int {
        if let managed { return managed.count }
        return storage.count
    }

    public var first: Element? { isEmpty ? nil : self[0] }

    public var last: Element? { isEmpty ? nil : self[count - 1] }

    public subscript(position: Int) -> Element {
        @inlinable get {
            if let reference, let element = unsafe Element._element(position, of: _StoredList(reference)) {
                return element
            }
            return otherElement(position)
        }
        set {
            if isBound { return setBoundElement(newValue, at: position) }
            managed?.verifyChange()
            if !isIndex(position) { return }
            if let managed { return managed.replace(position, by: newValue._rlmContent) }
            storage[position] = newValue
        }
    }

    /// The slow path of the subscript: elements of unmanaged lists and of lists of objects. Traps if
    /// `position` is out of bounds.
    @usableFromInline @inline(never) func otherElement(_ position: Int) -> Element {
        if managed == nil, storage.isEmpty, let element = PropertyProbe.element(Element.self) { return element }
        _ = isIndex(position)
        if let object = managed?.object(at: position) { return Element._element(object) }
        if let managed { return Element._element(managed.element(at: position)) }
        return storage[position]
    }

    public subscript(bounds: Range<Int>) -> Slice<List<Element>> {
        get {
            _ = areBounds(bounds)
            return Slice(base: self, bounds: bounds)
        }
        set { replaceSubrange(bounds, with: newValue) }
    }

    public func makeIterator() -> RLMIterator<Element> {
        managed.map { RLMIterator($0.makeCursor()) } ?? RLMIterator(storage)
    }

    /// Returns the index of the first element equal to `object`, or nil if there isn't one.
    public func index(of object: Element) -> Int? {
        guard let managed else { return storage.firstIndex(of: object) }
        return managed.realm.stored(object, of: managed.elementClass).flatMap(managed.index)
    }

    /// Returns the elements at the given indexes, in ascending order. Traps if an index is out of bounds.
    public func objects(at indexes: IndexSet) -> [Element] {
        if let last = indexes.last, last >= count {
            let text = "Indexes for collection are out of bounds."
            guard let managed else { throwRealmException(text) }
            managed.realm.refuse(text)
        }
        return indexes.map { self[$0] }
    }

    public var _origin: _CollectionOrigin? {
        managed.map {
            _CollectionOrigin(LiveQuery($0.realm, .collection($0), elementClass: $0.elementClass))
        }
    }

    // MARK: Interface for the owner

    override func attach(to owner: ObjectBase, _ key: PropertyKey) {
        guard let anchor = OwnerReference(owner) else {
            owner.probe?.record(owner, key)
            return
        }
        managed = ManagedList(anchor, key, of: Element.self)
        storage = []
    }

    override var contents: _StoredContent { _StoredContent(.elements(map(\._rlmContent))) }

    override func replaceContents(with other: RLMSwiftCollectionBase) {
        guard let other = other as? List<Element> else { return }
        let elements = Array(other)
        removeAll()
        append(objectsIn: elements)
    }

    // MARK: Description and equality

    public override var description: String { super.description }

    override func description(within limits: DescriptionLimits) -> String {
        if limits.depth == 0 { return "<Maximum depth exceeded>" }
        return unsafe collectionDescription(
            "List<\(managed?.elementName ?? Element._elementShape.elementName)>",
            at: unsafe Unmanaged.passUnretained(self).toOpaque(),
            count: count,
            within: limits
        ) { self[$0]._rlmDynamicValue }
    }

    override func isEqual(to other: RLMSwiftCollectionBase) -> Bool {
        guard let other = other as? List<Element> else { return false }
        if let managed { return other.managed.map(managed.isSame) ?? false }
        return other.managed == nil && storage == other.storage
    }

    func isIndex(_ index: Int, _ name: String = "index") -> Bool {
        isPosition(index, below: count, name, in: managed?.realm)
    }

    func isInsertionIndex(_ index: Int, _ name: String = "index") -> Bool {
        isPosition(index, below: count + 1, name, in: managed?.realm)
    }

    func areBounds(_ bounds: Range<Int>) -> Bool {
        isInsertionIndex(bounds.lowerBound) && isInsertionIndex(bounds.upperBound)
    }
}
