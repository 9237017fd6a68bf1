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

    /// `layout` is that of the version that is read, if it is known.
    init(_ results: ResultsCore, _ key: @escaping (Element) -> Key, _ layout: SectionLayout<Key>? = nil) {
        self.results = results
        self.key = key
        stamp = results.realm.state.pointee.clock.value
        known = layout
        // Frozen sections, which several threads may read, change nothing after they were made.
        if results.realm.isFrozen, known == nil { known = makeLayout() }
    }

    /// The sections as they are now. Calls the key block for every element where the Realm has changed, unless an
    /// observer has found them.
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
        var builder = SectionLayoutBuilder<Key>()
        for element in Results<Element>(results) { builder.append(key(element)) }
        return builder.layout()
    }

    /// The sections as they are now, made of those before a change. Calls the key block for what has changed.
    func layout(changing old: SectionLayout<Key>, by change: PositionChange) -> SectionLayout<Key> {
        let layout = old.updated(by: change) { key(element(at: $0)) }
        stamp = results.realm.state.pointee.clock.value
        known = layout
        return layout
    }

    /// The element at a position among all elements.
    func element(at position: Int) -> Element { Element._element(results.element(at: position)) }

    /// The same sections in another instance of the database.
    func transferred(to instance: RealmInstance) -> SectionsCore {
        let isCurrent = results.realm.isFrozen || stamp == results.realm.state.pointee.clock.value
        let isSame = isCurrent && instance.readsSameVersion(as: results.realm)
        return SectionsCore(results.transferred(to: instance), key, isSame ? known : nil)
    }
}
