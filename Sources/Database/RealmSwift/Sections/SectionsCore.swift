// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

/// The shared state of `SectionedResults` and its sections: the sorted elements, the block that computes keys, and the
/// sections of the version that was read last.
final class SectionsCore<Key: _Persistable & Hashable, Element: RealmCollectionValue> {
    let results: LiveQuery
    private let key: (Element) -> Key

    // The version for which `known` was computed.
    private var stamp: ChangeStamp<ValueExtent>
    private var known: SectionLayout<Key>?

    init(_ results: LiveQuery, _ key: @escaping (Element) -> Key, _ layout: SectionLayout<Key>? = nil) {
        self.results = results
        self.key = key
        stamp = results.realm.state.pointee.clock.value
        known = layout
        // Several threads may read frozen sections, so these are computed at once and don't change.
        if results.realm.isFrozen, known == nil { known = makeLayout() }
    }

    /// Calls the key block for every element if the Realm has changed, unless an observer has already computed the
    /// current sections.
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

    /// Calls the key block only for changed elements.
    func layout(changing old: SectionLayout<Key>, by change: PositionChange) -> SectionLayout<Key> {
        let layout = old.updated(by: change) { key(element(at: $0)) }
        stamp = results.realm.state.pointee.clock.value
        known = layout
        return layout
    }

    func element(at position: Int) -> Element { Element._element(results.element(at: position)) }

    func transferred(to instance: RealmInstance) -> SectionsCore {
        let isCurrent = results.realm.isFrozen || stamp == results.realm.state.pointee.clock.value
        let isSame = isCurrent && instance.readsSameVersion(as: results.realm)
        return SectionsCore(results.transferred(to: instance), key, isSame ? known : nil)
    }
}
