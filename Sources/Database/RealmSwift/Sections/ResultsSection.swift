// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

/// A section of `SectionedResults`: the elements with the same key, in order.
///
/// A section is live. If no element has its key, it is empty and invalidated, until elements have the key again.
public struct ResultsSection<Key: _Persistable & Hashable, T: RealmCollectionValue>: RealmSectionedResult, Identifiable
{
    public typealias Element = T
    public typealias Index = Int

    let core: SectionsCore<Key, T>

    /// The key of all elements.
    public let key: Key

    /// The key of the section.
    public var id: Key { key }

    init(_ core: SectionsCore<Key, T>, _ key: Key) {
        self.core = core
        self.key = key
    }

    private var rows: SectionRows? {
        let layout = core.layout
        return layout.number(of: key).map(layout.rows)
    }

    public var count: Int { rows?.count ?? 0 }

    /// Returns the element at an index of the section.
    public subscript(_ index: Int) -> T {
        guard let rows else { throwRealmException("Section key \(flattened(key) ?? "nil") not found.") }
        guard isPosition(index, below: rows.count, in: core.results.realm) else { return core.element(at: -1) }
        return core.element(at: rows[index])
    }

    public func makeIterator() -> SectionIterator<T> {
        SectionIterator(rows.map { RLMIterator(core.results.makeCursor(at: $0)) } ?? RLMIterator([]))
    }

    /// Returns whether both are the section with the same key of the same sectioned results. The elements aren't
    /// compared.
    public static func == (lhs: ResultsSection, rhs: ResultsSection) -> Bool {
        lhs.core === rhs.core && lhs.key == rhs.key
    }

    /// The Realm of the elements.
    public var realm: Realm? {
        core.results.realm.verifyThread()
        return Realm(core.results.realm)
    }

    /// A Boolean value that indicates whether no element has the key, or the collection on which the sections are based
    /// was deleted.
    public var isInvalidated: Bool { core.results.isInvalidated || core.layout.number(of: key) == nil }

    /// A Boolean value that indicates whether the section belongs to a frozen Realm: it is immutable, and can be used
    /// on any thread.
    public var isFrozen: Bool { core.results.realm.isFrozen }

    /// Returns an immutable snapshot of the section at the version that the Realm reads. The block that computes keys
    /// is called before this returns.
    public func freeze() -> ResultsSection { frozenValue(in: core.results.realm) }

    /// Returns the live counterpart of the section for the caller's thread, or nil if it was deleted.
    public func thaw() -> ResultsSection? { thawedValue(from: core.results.realm) }
}

extension ResultsSection: Transferable {
    var managingInstance: RealmInstance? { core.results.realm }

    func transferred(to instance: RealmInstance) -> ResultsSection {
        ResultsSection(core.transferred(to: instance), key)
    }
}

extension ResultsSection: _ObjcBridgeable {
    public static func _convert(_ value: Any?) -> ResultsSection? { value as? ResultsSection }

    public var _rlmDynamicValue: Any? { self }

    public var _rlmContent: _StoredContent { _StoredContent(.elements(map(\._rlmContent))) }

    /// Returns nil: a section can't be an element of a collection.
    public static func _make(_ stored: _StoredElement) -> ResultsSection? { nil }
}
