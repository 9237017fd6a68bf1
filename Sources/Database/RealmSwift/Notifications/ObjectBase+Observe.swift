// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime

extension ObjectBase {
    /// Returns the request to observe this object. Without `keyPaths`, its own properties are observed.
    func observing<T>(
        _ keyPaths: [String]?, _ block: @escaping (ObjectChange<T>) -> Void
    ) -> ObservationRequest<ObjectBase> {
        guard let realm = _rlmRow.realm, let managed = _rlmRow.managed else {
            throwRealmException("Only objects which are managed by a Realm support change notifications")
        }
        realm.delivery.verifyCanObserve()
        if isInvalidated { realm.refuse("Object has been deleted or invalidated.") }
        let filter = keyPaths.map { KeyPathFilter($0, of: managed, in: realm) }
        let object = _rlmRow.key
        return ObservationRequest(
            target: self, detector: { _ in ObjectDetector(managed, object, filter) },
            block: { target, delivery in
                guard let change = delivery.change else { return }
                guard case .properties(let changed) = change else { return block(.deleted) }
                guard let subject = target as? T else {
                    throwRealmException("The observer of a '\(type(of: target))' expects a '\(T.self)'.")
                }
                block(.change(subject, target.propertyChanges(changed, since: delivery.old)))
            }, failed: { block(.error($0 as NSError)) })
    }

    package func startObserving<T>(
        _ keyPaths: [String]?, on queue: DispatchQueue?, _ block: @escaping (ObjectChange<T>) -> Void
    ) -> NotificationToken {
        observing(keyPaths, block).on(queue)
    }

    /// Returns the request to observe this object for the methods that take an actor, which trap with other texts than
    /// `observing`.
    fileprivate func observingInActor<A: Actor, T>(
        _ actor: A, _ keyPaths: [String]?, _ block: @Sendable @escaping (isolated A, ObjectChange<T>) -> Void
    ) -> ObservationRequest<ObjectBase> {
        if _rlmRow.realm == nil {
            throwRealmException("Change notifications are only supported for managed objects")
        }
        return observing(keyPaths, isolatedBlock(to: actor, block))
    }

    func propertyChanges(_ changed: [Int], since old: ObservedVersion?) -> [PropertyChange] {
        let before = old.flatMap { old in _rlmRow.realm.map { transferred(to: $0.showing(old)) } }
        let properties = classInfo.allProperties
        return changed.map { index in
            let property = properties[index]
            if property.isComputed || property.shape.collection != .none {
                return PropertyChange(name: property.name, oldValue: nil, newValue: nil)
            }
            return PropertyChange(
                name: property.name, oldValue: before.flatMap { current(flattened($0.dynamicValue(of: property))) },
                newValue: flattened(dynamicValue(of: property)))
        }
    }

    /// Returns an old value in the form that the API presents: objects are in their current state.
    func current(_ old: Any?) -> Any? {
        guard let object = old as? ObjectBase, let realm = _rlmRow.realm else { return old }
        return object.transferred(to: realm)
    }
}

extension Object {
    /// Calls `block` when properties of the object have changed, and once when the object is deleted, until the token
    /// is invalidated or deallocated.
    ///
    /// Without `keyPaths`, the object's own properties are observed, including insertions into and deletions from its
    /// collections, but not linked objects. With `keyPaths`, only the properties on these paths are observed. `block`
    /// is called on the Realm's thread or actor, or on `queue`, which must be serial, with an object of the Realm
    /// opened there. It is never called during the write.
    ///
    /// - Precondition: The object is managed, not deleted and not frozen.
    public func observe<T: RLMObjectBase>(
        keyPaths: [String]? = nil, on queue: DispatchQueue? = nil, _ block: @escaping (ObjectChange<T>) -> Void
    ) -> NotificationToken {
        observing(keyPaths, block).on(queue)
    }

    /// Calls `block` when a property on these paths has changed, like `observe(keyPaths:on:_:)`, but with type-safe key
    /// paths.
    public func observe<T: ObjectBase>(
        keyPaths: [PartialKeyPath<T>], on queue: DispatchQueue? = nil, _ block: @escaping (ObjectChange<T>) -> Void
    ) -> NotificationToken {
        observing(keyPaths.map { PropertyProbe.name(of: $0) }, block).on(queue)
    }

    /// Calls `block`, isolated to an actor, when the object has changed; otherwise like `observe(keyPaths:on:_:)`. No
    /// change made after this function returns is missed.
    public func observe<A: Actor, T: Object>(
        keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
        _ block: @Sendable @escaping (isolated A, ObjectChange<T>) -> Void
    ) async -> NotificationToken {
        await observingInActor(actor, keyPaths, block).on(actor)
    }

    /// Calls `block`, isolated to an actor, when a property on these paths has changed, with type-safe key paths.
    public func observe<A: Actor, T: Object>(
        keyPaths: [PartialKeyPath<T>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
        _ block: @Sendable @escaping (isolated A, ObjectChange<T>) -> Void
    ) async -> NotificationToken {
        await observingInActor(actor, keyPaths.map { PropertyProbe.name(of: $0) }, block).on(actor)
    }
}

extension EmbeddedObject {
    /// Calls `block` when properties of the object have changed, and once when the object is deleted; see
    /// `Object.observe(keyPaths:on:_:)`.
    public func observe<T: RLMObjectBase>(
        on queue: DispatchQueue? = nil, _ block: @escaping (ObjectChange<T>) -> Void
    ) -> NotificationToken {
        observing(nil, block).on(queue)
    }

    /// Calls `block`, isolated to an actor, when the object has changed; otherwise like `observe(on:_:)`. No change
    /// made after this function returns is missed.
    public func observe<A: Actor, T: ObjectBase>(
        keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
        _ block: @Sendable @escaping (isolated A, ObjectChange<T>) -> Void
    ) async -> NotificationToken {
        await observingInActor(actor, keyPaths, block).on(actor)
    }

    /// Calls `block`, isolated to an actor, when a property on these paths has changed, with type-safe key paths.
    public func observe<A: Actor, T: ObjectBase>(
        keyPaths: [PartialKeyPath<T>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
        _ block: @Sendable @escaping (isolated A, ObjectChange<T>) -> Void
    ) async -> NotificationToken {
        await observingInActor(actor, keyPaths.map { PropertyProbe.name(of: $0) }, block).on(actor)
    }
}
