// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import RealmRuntime

extension RealmCollection {
    /// Calls `block` with the collection's current state, and again after each change, until the token is invalidated
    /// or deallocated.
    ///
    /// The block is notified of inserted, deleted and moved elements, and of changes of elements. Changes of objects
    /// include those of objects reached through up to four links or, with `keyPaths`, only the properties on these
    /// paths. Several commits may be combined into one change; a change that is reverted before the notification isn't
    /// reported. `block` is called on the Realm's thread or actor, or on `queue`, which must be serial, with a
    /// collection of the Realm opened there. It is never called within this function. When a write begins on that
    /// thread, queue or actor, pending notifications, including the first call, are delivered before anything is
    /// changed.
    ///
    /// - Precondition: The collection is managed and not frozen, and the current write, if there is one, hasn't changed
    ///   anything.
    public func observe(
        keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
        _ block: @escaping (RealmCollectionChange<Self>) -> Void
    ) -> NotificationToken {
        observing(keyPaths, block).on(queue)
    }

    /// Calls `block`, isolated to an actor, with the collection's current state and again after each change; otherwise
    /// like `observe(keyPaths:on:_:)`. No change made after this function returns is missed.
    public func observe<A: Actor>(
        keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
        _ block: @Sendable @escaping (isolated A, RealmCollectionChange<Self>) -> Void
    ) async -> NotificationToken {
        await observingInActor(actor, keyPaths, block).on(actor)
    }

    func observing(
        _ keyPaths: [String]?, _ block: @escaping (RealmCollectionChange<Self>) -> Void
    ) -> ObservationRequest<ObservedCollection<Self>> {
        guard let core = _origin?.core else { words.throwUnmanaged() }
        core.realm.delivery.verifyCanObserve()
        let filter = core.filter(keyPaths ?? projectedKeyPaths(core))
        return ObservationRequest(
            target: ObservedCollection(self),
            detector: { $0.collection._origin?.core.detector(filter) ?? NoDetector() },
            block: { target, delivery in
                if let contents = delivery.contents { target.collection._origin?.core.adopt(contents) }
                block(RealmCollectionChange(target.collection, delivery.change))
            }, failed: { block(.error($0)) })
    }

    func observingInActor<A: Actor>(
        _ actor: A, _ keyPaths: [String]?,
        _ block: @Sendable @escaping (isolated A, RealmCollectionChange<Self>) -> Void
    ) -> ObservationRequest<ObservedCollection<Self>> {
        if _origin == nil { throwRealmException("Change notifications are only supported on managed collections.") }
        return observing(keyPaths, isolatedBlock(to: actor, block))
    }

    /// Returns the key paths that the elements show, for a collection of projections; nil for any other.
    private func projectedKeyPaths(_ core: LiveQuery) -> [String]? {
        (Element.self as? any ProjectionClass.Type)?.origins
    }
}

extension RealmCollection where Element: ObjectBase {
    /// Calls `block` after each change of the collection, like `observe(keyPaths:on:_:)`, but with type-safe key paths.
    public func observe(
        keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue? = nil,
        _ block: @escaping (RealmCollectionChange<Self>) -> Void
    ) -> NotificationToken {
        observing(keyPaths.map { PropertyProbe.name(of: $0) }, block).on(queue)
    }

    /// Calls `block`, isolated to an actor, after each change of the collection, with type-safe key paths. No change
    /// made after this function returns is missed.
    public func observe<A: Actor>(
        keyPaths: [PartialKeyPath<Element>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
        _ block: @Sendable @escaping (isolated A, RealmCollectionChange<Self>) -> Void
    ) async -> NotificationToken {
        await observingInActor(actor, keyPaths.map { PropertyProbe.name(of: $0) }, block).on(actor)
    }
}

/// A managed collection of any kind, in a form that can be observed in another confinement.
struct ObservedCollection<Collection: RealmCollection>: Transferable {
    let collection: Collection

    init(_ collection: Collection) { self.collection = collection }

    var managingInstance: RealmInstance? { collection._origin?.core.realm }
    var realm: Realm? { collection.realm }
    var isInvalidated: Bool { collection.isInvalidated }
    var isFrozen: Bool { collection.isFrozen }
    func freeze() -> Self { ObservedCollection(collection.freeze()) }
    func thaw() -> Self? {
        guard let collection = collection.thaw() else { return nil }
        return ObservedCollection(collection)
    }

    func transferred(to instance: RealmInstance) -> Self {
        guard let collection = collection as? any Transferable,
            let moved = collection.transferred(to: instance) as? Collection
        else { return self }
        return ObservedCollection(moved)
    }
}

/// For unmanaged collections, which report no changes.
struct NoDetector: ChangeDetector {
    var hasInitialCall: Bool { false }
    func mayHaveChanged(_ changes: ObservedChanges) -> Bool { false }
    func find(_ changes: ObservedChanges, _ contents: QueryContents?) -> DetectionResult {
        DetectionResult(isLast: true)
    }
}

extension LiveQuery {
    func detector(_ filter: KeyPathFilter?) -> any ChangeDetector {
        guard steps.isEmpty, let collection = baseCollection, !(collection is ManagedMap) else {
            return QueryDetector(observed, filter: filter)
        }
        return CollectionDetector(path: collection.path, elements: collection.elementClass?.tableKey, filter: filter)
    }
}
