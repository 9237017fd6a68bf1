// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// What `SectionedResults` and its sections share: the ordered elements, what makes a key of one, and the sections of
/// the version that was read last.
final class SectionsCore<Key: _Persistable & Hashable, Element: RealmCollectionValue> {
    /// The elements in order.
    let results: ResultsCore
    private let key: (Element) -> Key

    // When `known` was found.
    private var stamp: ChangeStamp<ValueExtent>
    private var known: SectionLayout<Key>?

    init(_ results: ResultsCore, _ key: @escaping (Element) -> Key) {
        self.results = results
        self.key = key
        stamp = results.realm.state.pointee.clock.value
        // Frozen sections, which several threads may read, change nothing after they were made.
        if results.realm.isFrozen { known = makeLayout() }
    }

    /// The sections as they are now. Calls the key block for every element where the Realm has changed.
    var layout: SectionLayout<Key> {
        results.realm.verifyThread()
        results.trackRead(deep: true)
        let now = results.realm.state.pointee.clock.value
        if let known, results.realm.isFrozen || stamp == now { return known }
        let layout = makeLayout()
        stamp = now
        known = layout
        return layout
    }

    private func makeLayout() -> SectionLayout<Key> {
        var layout = SectionLayout<Key>()
        for (position, element) in Results<Element>(results).enumerated() { layout.append(key(element), at: position) }
        return layout
    }

    /// The element at a position among all elements.
    func element(at position: Int) -> Element { Element._element(results.element(at: position)) }

    /// The same sections in another instance of the database.
    func transferred(to instance: RealmInstance) -> SectionsCore {
        SectionsCore(results.transferred(to: instance), key)
    }
}
