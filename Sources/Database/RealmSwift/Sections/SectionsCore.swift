// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

/// The shared state of `SectionedResults` and its sections: the ordered elements, the block that computes keys, and the
/// sections of the version that was read last.
final class SectionsCore<Key: _Persistable & Hashable, Element: RealmCollectionValue> {
    /// The elements in order.
    let results: ResultsCore
    private let key: (Element) -> Key

    // The version for which `known` was computed.
    private var stamp: ChangeStamp<ValueExtent>
    private var known: SectionLayout<Key>?

    /// `layout` is that of the version that is read, if already known.
    init(_ results: ResultsCore, _ key: @escaping (Element) -> Key, _ layout: SectionLayout<Key>? = nil) {
        self.results = results
        self.key = key
        stamp = results.realm.state.pointee.clock.value
        known = layout
        // Frozen sections, which several threads may read, are immutable after their creation.
        if results.realm.isFrozen, known == nil { known = makeLayout() }
    }

    /// The current sections. Calls the key block for every element if the Realm has changed, unless an observer has
    /// already computed them.
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

    /// The current sections, computed from those before a change. Calls the key block for changed elements only.
    func layout(changing old: SectionLayout<Key>, by change: PositionChange) -> SectionLayout<Key> {
        let layout = old.updated(by: change) { key(element(at: $0)) }
        stamp = results.realm.state.pointee.clock.value
        known = layout
        return layout
    }

    /// The element at a position among all elements.
    func element(at position: Int) -> Element { Element._element(results.element(at: position)) }

    /// Returns the sections in another instance of the database.
    func transferred(to instance: RealmInstance) -> SectionsCore {
        let isCurrent = results.realm.isFrozen || stamp == results.realm.state.pointee.clock.value
        let isSame = isCurrent && instance.readsSameVersion(as: results.realm)
        return SectionsCore(results.transferred(to: instance), key, isSame ? known : nil)
    }
}
