// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// One section of `SectionedResults`: the elements with one key, in order.
///
/// Live. A section without elements is gone: it is invalidated and empty, until there are elements with its key again.
public struct ResultsSection<Key: _Persistable & Hashable, T: RealmCollectionValue>: RealmSectionedResult, Identifiable
{
    public typealias Element = T
    public typealias Index = Int

    let core: SectionsCore<Key, T>

    /// What the elements have in common.
    public let key: Key

    /// The key.
    public var id: Key { key }

    init(_ core: SectionsCore<Key, T>, _ key: Key) {
        self.core = core
        self.key = key
    }

    /// The positions of the elements among those of all sections; nil if the section is gone.
    private var rows: SectionRows? {
        let layout = core.layout
        return layout.number(of: key).map(layout.rows)
    }

    public var count: Int { rows?.count ?? 0 }

    /// Element `index` of the section.
    public subscript(_ index: Int) -> T {
        guard let rows else { throwRealmException("Section key \(flattened(key) ?? "nil") not found.") }
        guard isPosition(index, below: rows.count, in: core.results.realm) else { return core.element(at: -1) }
        return core.element(at: rows[index])
    }

    public func makeIterator() -> SectionIterator<T> {
        SectionIterator(rows.map { RLMIterator(core.results.makeCursor(at: $0)) } ?? RLMIterator([]))
    }

    /// Whether both are the section with one key of the same sections. The elements are not compared.
    public static func == (lhs: ResultsSection, rhs: ResultsSection) -> Bool {
        lhs.core === rhs.core && lhs.key == rhs.key
    }

    /// The Realm that the elements are in.
    public var realm: Realm? {
        core.results.realm.verifyThread()
        return Realm(core.results.realm)
    }

    /// Whether there is no element with the key any more, or what the elements come from is gone.
    public var isInvalidated: Bool { core.results.isInvalidated || core.layout.number(of: key) == nil }

    /// Whether it is one of a frozen Realm: unchanging, and to be used on any thread.
    public var isFrozen: Bool { core.results.realm.isFrozen }

    /// The section in the version that the Realm reads. The block that makes keys is called now.
    public func freeze() -> ResultsSection { frozenValue(in: core.results.realm) }

    /// The section in the live Realm of the caller's thread; nil if it is gone there.
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

    /// Never an element of a collection.
    public static func _make(_ stored: _StoredElement) -> ResultsSection? { nil }
}
