// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import RealmRuntime
import RealmStorage

extension Map {
    /// Calls `block` with the map's current state, and again after each change, until the token is invalidated or
    /// deallocated.
    ///
    /// Changes are reported by key. Assigning a value to a key is a modification, and so is a change of an object that
    /// is a value, as in `RealmCollection.observe(keyPaths:on:_:)`.
    public func observe(
        keyPaths: [String]? = nil, on queue: DispatchQueue? = nil, _ block: @escaping (RealmMapChange<Map>) -> Void
    ) -> NotificationToken {
        observing(keyPaths, block).on(queue)
    }

    /// Calls `block`, isolated to an actor, with the map's current state and again after each change; otherwise like
    /// `observe(keyPaths:on:_:)`. No change made after this function returns is missed.
    public func observe<A: Actor>(
        keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
        _ block: @Sendable @escaping (isolated A, RealmMapChange<Map>) -> Void
    ) async -> NotificationToken {
        await observingInActor(actor, keyPaths, block).on(actor)
    }

    private func observing(
        _ keyPaths: [String]?, _ block: @escaping (RealmMapChange<Map>) -> Void
    ) -> ObservationRequest<Map> {
        guard let managed else { words.throwUnmanaged() }
        managed.realm.delivery.verifyCanObserve()
        let elements = managed.elementClass
        let filter = elements.flatMap { elements in
            keyPaths.flatMap { $0.isEmpty ? nil : KeyPathFilter($0, of: elements, in: managed.realm) }
        }
        let detector = MapDetector(path: managed.path, elements: elements?.tableKey, filter: filter)
        return ObservationRequest(
            target: self, detector: { _ in detector }, block: { block(RealmMapChange($0, $1.change)) },
            failed: { block(.error($0)) })
    }

    private func observingInActor<A: Actor>(
        _ actor: A, _ keyPaths: [String]?, _ block: @Sendable @escaping (isolated A, RealmMapChange<Map>) -> Void
    ) -> ObservationRequest<Map> {
        if managed == nil { throwRealmException("Change notifications are only supported on managed collections.") }
        return observing(keyPaths, isolatedBlock(to: actor, block))
    }
}

extension Map where Value: OptionalProtocol, Value.Wrapped: ObjectBase {
    /// Calls `block` after each change of the map, like `observe(keyPaths:on:_:)`, but with type-safe key paths.
    public func observe(
        keyPaths: [PartialKeyPath<Value.Wrapped>], on queue: DispatchQueue? = nil,
        _ block: @escaping (RealmMapChange<Map>) -> Void
    ) -> NotificationToken {
        observing(keyPaths.map { PropertyProbe.name(of: $0) }, block).on(queue)
    }

    /// Calls `block`, isolated to an actor, after each change of the map, with type-safe key paths. No change made
    /// after this function returns is missed.
    public func observe<A: Actor>(
        keyPaths: [PartialKeyPath<Value.Wrapped>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
        _ block: @Sendable @escaping (isolated A, RealmMapChange<Map>) -> Void
    ) async -> NotificationToken {
        await observingInActor(actor, keyPaths.map { PropertyProbe.name(of: $0) }, block).on(actor)
    }
}
