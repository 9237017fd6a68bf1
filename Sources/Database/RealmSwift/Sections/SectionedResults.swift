// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime

/// Elements of a collection, sorted, and grouped into sections by a key that is computed for each element.
///
/// ```swift
/// let dogs = realm.objects(Dog.self).sectioned(by: \.breed)
/// for section in dogs {
///     print(section.key)
///     for dog in section { print("-", dog.name) }
/// }
/// ```
///
/// Sections are ordered by the first occurrence of their keys. They are live: they always contain the current elements,
/// and no section is empty. They are confined to the Realm's thread, queue or actor. The block that computes keys is
/// called there for every element after each change; while the sections are observed, it is called only for changed
/// elements.
public struct SectionedResults<Key: _Persistable & Hashable, SectionElement: RealmCollectionValue>:
    RealmSectionedResult
{
    public typealias Element = ResultsSection<Key, SectionElement>
    public typealias Index = Int

    let core: SectionsCore<Key, SectionElement>

    init(_ core: SectionsCore<Key, SectionElement>) { self.core = core }

    /// The keys of the sections, in the order of the sections.
    public var allKeys: [Key] { core.layout.keys }

    /// The number of sections.
    public var count: Int { core.layout.keys.count }

    /// Returns the section at an index.
    public subscript(_ index: Int) -> ResultsSection<Key, SectionElement> {
        let keys = core.layout.keys
        // An invalid index always traps, because a section can't be created without a key.
        _ = isPosition(index, below: keys.count, in: nil)
        return ResultsSection(core, keys[index])
    }

    /// Returns the element at the index `indexPath.item` of the section at the index `indexPath.section`.
    public subscript(_ indexPath: IndexPath) -> SectionElement {
        guard indexPath.count == 2 else {
            throwRealmException("An index path of \(indexPath.count) indexes does not name an element of a section.")
        }
        return self[indexPath[0]][indexPath[1]]
    }

    public func makeIterator() -> SectionedResultsIterator<Key, SectionElement> {
        SectionedResultsIterator(core.layout.keys.map { ResultsSection(core, $0) })
    }

    /// Returns whether the values are copies of the same sectioned results. The elements aren't compared.
    public static func == (lhs: SectionedResults, rhs: SectionedResults) -> Bool { lhs.core === rhs.core }

    /// The Realm of the elements.
    public var realm: Realm? {
        core.results.realm.verifyThread()
        return Realm(core.results.realm)
    }

    /// A Boolean value that indicates whether the collection on which the sections are based was deleted, or its Realm
    /// was invalidated.
    public var isInvalidated: Bool { core.results.isInvalidated }

    /// A Boolean value that indicates whether the sections belong to a frozen Realm: they are immutable, and can be
    /// used on any thread.
    public var isFrozen: Bool { core.results.realm.isFrozen }

    /// Returns an immutable snapshot of the sections at the version that the Realm reads. The block that computes keys
    /// is called before this returns.
    public func freeze() -> SectionedResults { frozenValue(in: core.results.realm) }

    /// Returns the live counterpart of the sections for the caller's thread, or nil if the collection on which they are
    /// based was deleted.
    public func thaw() -> SectionedResults? { thawedValue(from: core.results.realm) }
}

extension SectionedResults: Transferable {
    var managingInstance: RealmInstance? { core.results.realm }

    func transferred(to instance: RealmInstance) -> SectionedResults {
        SectionedResults(core.transferred(to: instance))
    }
}

extension SectionedResults: _ObjcBridgeable {
    public static func _convert(_ value: Any?) -> SectionedResults? { value as? SectionedResults }

    public var _rlmDynamicValue: Any? { self }

    public var _rlmContent: _StoredContent { _StoredContent(.elements(flatMap { $0.map(\._rlmContent) })) }

    /// Returns nil: sections can't be elements of a collection.
    public static func _make(_ stored: _StoredElement) -> SectionedResults? { nil }
}
