// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

/// A type-erased `List`, `MutableSet`, `Results` or `LinkingObjects`.
///
/// Forwards all calls to the wrapped collection.
public struct AnyRealmCollection<Element: RealmCollectionValue>: RealmCollection {
    public typealias Index = Int

    let base: ErasedCollection<Element>

    init(erased base: ErasedCollection<Element>) { self.base = base }

    /// Creates a type-erased wrapper of `base`.
    public init<C: RealmCollection & _ObjcBridgeable>(_ base: C) where C.Element == Element {
        if let wrapped = base as? AnyRealmCollection<Element> {
            self.base = wrapped.base
        } else {
            self.base = ErasedCollectionOf(base)
        }
    }

    /// The Realm that manages the collection; nil when unmanaged.
    public var realm: Realm? { base.realm }

    /// A Boolean value that indicates whether the collection was managed and its owner was deleted, or its Realm was
    /// invalidated.
    public var isInvalidated: Bool { base.isInvalidated }

    /// A Boolean value that indicates whether the collection belongs to a frozen Realm.
    public var isFrozen: Bool { base.isFrozen }

    /// Returns an immutable snapshot of the collection at the version that its Realm reads.
    ///
    /// - Precondition: The collection is managed.
    public func freeze() -> AnyRealmCollection { AnyRealmCollection(erased: base.freeze()) }

    /// Returns the live version of the collection for the current thread, or nil if the collection no longer
    /// exists.
    public func thaw() -> AnyRealmCollection? { base.thaw().map { AnyRealmCollection(erased: $0) } }

    public var count: Int { base.count }

    public var first: Element? { base.first }

    public var last: Element? { base.last }

    public subscript(position: Int) -> Element { base.element(at: position) }

    public func makeIterator() -> RLMIterator<Element> { base.makeIterator() }

    /// Returns the index of the first element equal to `object`, or nil if there isn't one.
    public func index(of object: Element) -> Int? { base.index(of: object) }

    public var _origin: _CollectionOrigin? { base.origin }

    /// The description of the wrapped collection, with the name of this type.
    public var description: String { "AnyRealmCollection" + base.description.drop { $0 != "<" } }

    /// Returns whether the wrapped collections have the same type and are equal.
    public static func == (lhs: AnyRealmCollection<Element>, rhs: AnyRealmCollection<Element>) -> Bool {
        lhs.base.isEqual(to: rhs.base)
    }
}

class ErasedCollection<Element: RealmCollectionValue> {
    var realm: Realm? { nil }
    var isInvalidated: Bool { false }
    var isFrozen: Bool { false }
    var count: Int { 0 }
    var first: Element? { nil }
    var last: Element? { nil }
    var origin: _CollectionOrigin? { nil }
    var words: CollectionVocabulary { .list }
    var description: String { "" }

    func freeze() -> ErasedCollection<Element> { self }
    func thaw() -> ErasedCollection<Element>? { self }
    func transferred(to instance: RealmInstance) -> ErasedCollection<Element> { self }
    func element(at index: Int) -> Element { throwRealmException("Collection is no longer valid") }
    func makeIterator() -> RLMIterator<Element> { RLMIterator([]) }
    func index(of element: Element) -> Int? { nil }
    func isEqual(to other: ErasedCollection<Element>) -> Bool { self === other }
}

private final class ErasedCollectionOf<Base: RealmCollection>: ErasedCollection<Base.Element> {
    private let base: Base

    init(_ base: Base) { self.base = base }

    override var realm: Realm? { base.realm }
    override var isInvalidated: Bool { base.isInvalidated }
    override var isFrozen: Bool { base.isFrozen }
    override var count: Int { base.count }
    override var first: Base.Element? { base.first }
    override var last: Base.Element? { base.last }
    override var origin: _CollectionOrigin? { base._origin }
    override var words: CollectionVocabulary { base.words }
    override var description: String { base.description }

    override func freeze() -> ErasedCollection<Base.Element> { ErasedCollectionOf(base.freeze()) }
    override func thaw() -> ErasedCollection<Base.Element>? { base.thaw().map { ErasedCollectionOf($0) } }
    override func transferred(to instance: RealmInstance) -> ErasedCollection<Base.Element> {
        guard let base = base as? any Transferable, let moved = base.transferred(to: instance) as? Base else {
            return self
        }
        return ErasedCollectionOf(moved)
    }

    override func element(at index: Int) -> Base.Element { base.element(at: index) }
    override func makeIterator() -> RLMIterator<Base.Element> { base.makeIterator() }
    override func index(of element: Base.Element) -> Int? { base.index(of: element) }

    override func isEqual(to other: ErasedCollection<Base.Element>) -> Bool {
        (other as? ErasedCollectionOf<Base>).map { base == $0.base } ?? false
    }
}

extension RealmCollection {
    var words: CollectionVocabulary {
        if let collection = self as? RLMSwiftCollectionBase { return collection.words }
        return (self as? AnyRealmCollection<Element>)?.base.words ?? .list
    }
}

extension AnyRealmCollection: Transferable {
    var managingInstance: RealmInstance? { base.origin?.core.realm }

    func transferred(to instance: RealmInstance) -> AnyRealmCollection {
        AnyRealmCollection(erased: base.transferred(to: instance))
    }
}

// MARK: Conversions from and to Any

extension AnyRealmCollection: _ObjcBridgeable {
    public static func _convert(_ value: Any?) -> AnyRealmCollection? { value as? AnyRealmCollection }

    public var _rlmDynamicValue: Any? { self }

    public var _rlmContent: _StoredContent { _StoredContent(.elements(map(\._rlmContent))) }

    /// Returns nil: a collection can't be an element of another collection.
    public static func _make(_ stored: _StoredElement) -> AnyRealmCollection? { nil }
}

extension Results: _ObjcBridgeable {
    public static func _convert(_ value: Any?) -> Results? { value as? Results }

    public var _rlmDynamicValue: Any? { self }

    public var _rlmContent: _StoredContent { _StoredContent(.elements(map(\._rlmContent))) }

    /// Returns nil: a collection can't be an element of another collection.
    public static func _make(_ stored: _StoredElement) -> Results? { nil }
}
