// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import RealmRuntime

extension ProjectedCollection {
    /// Calls `block` with the current collection, and again after elements are inserted, deleted or moved, or their
    /// values change, until the token is invalidated or deallocated. See `RealmCollection.observe(keyPaths:on:_:)`.
    public func observe(
        on queue: DispatchQueue?, _ block: @escaping (RealmCollectionChange<ProjectedCollection<Element>>) -> Void
    ) -> NotificationToken {
        observe(keyPaths: nil, on: queue, block)
    }

    /// Calls `block` with the current collection, and again after each change. With `keyPaths`, these properties of the
    /// objects are observed instead of the projected one.
    public func observe(
        keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
        _ block: @escaping (RealmCollectionChange<ProjectedCollection<Element>>) -> Void
    ) -> NotificationToken {
        guard let core = source.core else {
            throwRealmException("Change notifications are only supported on managed collections.")
        }
        core.realm.delivery.verifyCanObserve()
        let filter = core.filter(keyPaths ?? [source.origin])
        let observing = ObservationRequest(
            target: self, detector: { $0.source.core?.detector(filter) ?? NoDetector() },
            block: { block(RealmCollectionChange($0, $1.change)) }, failed: { block(.error($0)) })
        return observing.on(queue)
    }
}

extension ProjectedCollection: Transferable {
    var managingInstance: RealmInstance? { source.core?.realm }

    func transferred(to instance: RealmInstance) -> ProjectedCollection {
        ProjectedCollection(source: source.transferred(to: instance))
    }
}
