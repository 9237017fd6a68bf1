// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch

extension RealmCollection {
    /// Calls `block` with the collection as it is, and again whenever it has changed, until the token is let go.
    ///
    /// Elements that come, go or move count, and changes of the elements: of objects also what up to four links lead to
    /// or, with `keyPaths`, what is on these paths. Several commits may come as one change; what was taken back before
    /// any observer was notified is no change. `block` is called where the Realm is confined, or on `queue`, which must
    /// be a serial one, with a collection of that place; never within this call. What is due when a write begins there
    /// is notified at its beginning, before anything is changed, the first call included.
    ///
    /// - Precondition: The collection is managed and not frozen, and no write in progress has changed anything.
    public func observe(
        keyPaths: [String]? = nil, on queue: DispatchQueue? = nil,
        _ block: @escaping (RealmCollectionChange<Self>) -> Void
    ) -> NotificationToken {
        observing(keyPaths, block).on(queue)
    }

    /// Calls `block` isolated to an actor with the collection as it is and again whenever it has changed, otherwise
    /// like `observe(keyPaths:on:_:)`. When this returns, no later change is missed.
    public func observe<A: Actor>(
        keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
        _ block: @Sendable @escaping (isolated A, RealmCollectionChange<Self>) -> Void
    ) async -> NotificationToken {
        await observingInActor(actor, keyPaths, block).on(actor)
    }

    /// How the observation of this collection begins.
    func observing(
        _ keyPaths: [String]?, _ block: @escaping (RealmCollectionChange<Self>) -> Void
    ) -> ObservationRequest<ObservedCollection<Self>> {
        guard let core = _origin?.core else { words.throwUnmanaged() }
        core.realm.delivery.verifyCanObserve()
        let filter = core.filter(keyPaths ?? projectedKeyPaths(core))
        return ObservationRequest(
            target: ObservedCollection(self), finder: { $0.collection._origin?.core.finder(filter) ?? NoFinder() },
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

    /// Of a collection of projections, what these show.
    private func projectedKeyPaths(_ core: ResultsCore) -> [String]? {
        (Element.self as? any ProjectionClass.Type)?.origins
    }
}

extension RealmCollection where Element: ObjectBase {
    /// Calls `block` whenever the collection has changed, like the `observe(keyPaths:on:_:)` that takes names, but with
    /// type-safe key paths.
    public func observe(
        keyPaths: [PartialKeyPath<Element>], on queue: DispatchQueue? = nil,
        _ block: @escaping (RealmCollectionChange<Self>) -> Void
    ) -> NotificationToken {
        observing(keyPaths.map { PropertyProbe.name(of: $0) }, block).on(queue)
    }

    /// Calls `block` isolated to an actor whenever the collection has changed, with type-safe key paths instead of
    /// names. When this returns, no later change is missed.
    public func observe<A: Actor>(
        keyPaths: [PartialKeyPath<Element>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
        _ block: @Sendable @escaping (isolated A, RealmCollectionChange<Self>) -> Void
    ) async -> NotificationToken {
        await observingInActor(actor, keyPaths.map { PropertyProbe.name(of: $0) }, block).on(actor)
    }
}

/// A managed collection of any kind as something to observe at another place.
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

/// For what is not managed, and never changes.
struct NoFinder: ChangeDetector {
    var hasInitialCall: Bool { false }
    func mayHaveChanged(_ changes: VersionChanges) -> Bool { false }
    func find(_ changes: VersionChanges, _ contents: ResultsCore.Contents?) -> DetectionResult {
        DetectionResult(isLast: true)
    }
}

extension ResultsCore {
    /// The filter of key paths of the elements. None where there are none, or the elements are values.
    func filter(_ keyPaths: [String]?) -> KeyPathFilter? {
        guard let keyPaths, !keyPaths.isEmpty, let elementClass else { return nil }
        return KeyPathFilter(keyPaths, of: elementClass, in: realm)
    }

    /// What finds the changes of this collection.
    func finder(_ filter: KeyPathFilter?) -> any ChangeDetector {
        guard steps.isEmpty, let collection = baseCollection, !(collection is ManagedMap) else {
            return QueryFinder(core: self, filter: filter)
        }
        return CollectionFinder(path: collection.path, elements: collection.elementClass?.tableKey, filter: filter)
    }
}
