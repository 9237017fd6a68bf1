// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation

/// Elements in order, in sections by a key that is made of each.
///
/// ```swift
/// let dogs = realm.objects(Dog.self).sectioned(by: \.breed)
/// for section in dogs {
///     print(section.key)
///     for dog in section { print("-", dog.name) }
/// }
/// ```
///
/// Sections come in the order in which their keys first occur. Live: the sections are always those of the present
/// elements, and there is none without elements. Confined to the Realm's thread, where the block that makes keys is
/// called for every element after each change; while the sections are observed, for what has changed.
public struct SectionedResults<Key: _Persistable & Hashable, SectionElement: RealmCollectionValue>:
    RealmSectionedResult
{
    public typealias Element = ResultsSection<Key, SectionElement>
    public typealias Index = Int

    let core: SectionsCore<Key, SectionElement>

    init(_ core: SectionsCore<Key, SectionElement>) { self.core = core }

    /// The keys of the sections, in their order.
    public var allKeys: [Key] { core.layout.keys }

    /// The number of sections.
    public var count: Int { core.layout.keys.count }

    /// Section `index`.
    public subscript(_ index: Int) -> ResultsSection<Key, SectionElement> {
        let keys = core.layout.keys
        // Without a key there is no section to stand for one.
        _ = isPosition(index, below: keys.count, in: nil)
        return ResultsSection(core, keys[index])
    }

    /// The element with the number `indexPath.item` of the section with the number `indexPath.section`.
    public subscript(_ indexPath: IndexPath) -> SectionElement {
        guard indexPath.count == 2 else {
            throwRealmException("An index path of \(indexPath.count) indexes does not name an element of a section.")
        }
        return self[indexPath[0]][indexPath[1]]
    }

    public func makeIterator() -> SectionedResultsIterator<Key, SectionElement> {
        SectionedResultsIterator(core.layout.keys.map { ResultsSection(core, $0) })
    }

    /// Whether both are the same sections, of which one is a copy of the other. The elements are not compared.
    public static func == (lhs: SectionedResults, rhs: SectionedResults) -> Bool { lhs.core === rhs.core }

    /// The Realm that the elements are in.
    public var realm: Realm? {
        core.results.realm.verifyThread()
        return Realm(core.results.realm)
    }

    /// Whether what the elements come from is gone.
    public var isInvalidated: Bool { core.results.isInvalidated }

    /// Whether they are those of a frozen Realm: unchanging, and to be used on any thread.
    public var isFrozen: Bool { core.results.realm.isFrozen }

    /// The sections of the version that the Realm reads. The block that makes keys is called now.
    public func freeze() -> SectionedResults { frozenValue(in: core.results.realm) }

    /// The sections in the live Realm of the caller's thread; nil if what they start from was deleted since.
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

    /// Never an element of a collection.
    public static func _make(_ stored: _StoredElement) -> SectionedResults? { nil }
}
