// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import Foundation

/// A live, ordered collection of sections, or of the elements of one section: `SectionedResults` or `ResultsSection`.
public protocol RealmSectionedResult: RandomAccessCollection, Equatable, ThreadConfined {
    /// The number of elements.
    var count: Int { get }

    /// Calls `block` with the current sections, and again after each change, until the token is invalidated or
    /// deallocated.
    func observe(
        keyPaths: [String]?, on queue: DispatchQueue?, _ block: @escaping (SectionedResultsChange<Self>) -> Void
    ) -> NotificationToken
}

extension RealmSectionedResult where Index == Int {
    /// The index of the first element: 0.
    public var startIndex: Int { 0 }
    /// The index after the last element: `count`.
    public var endIndex: Int { count }
}

/// The name of ``SectionedResultsIterator`` in Realm's SDK.
@available(*, deprecated, renamed: "SectionedResultsIterator")
public typealias RLMSectionedResultsIterator = SectionedResultsIterator

/// The name of ``SectionIterator`` in Realm's SDK.
@available(*, deprecated, renamed: "SectionIterator")
public typealias RLMSectionIterator = SectionIterator

/// An iterator over the sections that existed when the iteration began.
@frozen
public struct SectionedResultsIterator<Key: _Persistable & Hashable, Element: RealmCollectionValue>:
    IteratorProtocol
{
    private var sections: IndexingIterator<[ResultsSection<Key, Element>]>

    init(_ sections: [ResultsSection<Key, Element>]) { self.sections = sections.makeIterator() }

    public mutating func next() -> ResultsSection<Key, Element>? { sections.next() }
}

/// An iterator over the elements that a section had when the iteration began.
@frozen public struct SectionIterator<Element: RealmCollectionValue>: IteratorProtocol {
    private var elements: RLMIterator<Element>

    init(_ elements: RLMIterator<Element>) { self.elements = elements }

    public mutating func next() -> Element? { elements.next() }
}

#if !canImport(UIKit) && !canImport(AppKit)
    /// The members of index paths that UIKit and AppKit add on Apple's platforms.
    extension IndexPath {
        /// Creates the index path of an element in a section.
        public init(item: Int, section: Int) { self.init(indexes: [section, item]) }

        /// Creates the index path of an element in a section.
        public init(row: Int, section: Int) { self.init(item: row, section: section) }

        /// The index of the section.
        public var section: Int { self[0] }

        /// The index of the element within the section.
        public var item: Int { self[1] }

        /// The index of the element within the section.
        public var row: Int { self[1] }
    }
#endif
