// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Foundation
import RealmRuntime

extension ProjectionObservable {
    /// Calls `block` after the projected values change, and once after the object is deleted, until the token is
    /// invalidated or deallocated.
    ///
    /// `keyPaths` are paths from the root object to projected properties. Other paths are ignored. With `keyPaths`,
    /// only these members are observed. If a property of the root object has changed, members with longer paths through
    /// it are reported only if their values differ. A collection is reported in its current state.
    ///
    /// In all other respects, it behaves like `Object.observe(keyPaths:on:_:)`.
    public func observe(
        keyPaths: [String]? = nil, on queue: DispatchQueue? = nil, _ block: @escaping (ObjectChange<Self>) -> Void
    ) -> NotificationToken {
        observing(keyPaths, block).on(queue)
    }

    /// Observes the projection like `observe(keyPaths:on:_:)`, but with members of the projection as key paths.
    public func observe(
        keyPaths: [PartialKeyPath<Self>], on queue: DispatchQueue? = nil,
        _ block: @escaping (ObjectChange<Self>) -> Void
    ) -> NotificationToken {
        observing(keyPaths.map { PropertyProbe.origin(of: $0) }, block).on(queue)
    }

    /// Observes the projection like `observe(keyPaths:on:_:)`, but calls `block` isolated to an actor. Every change
    /// after this function returns is reported.
    public func observe<A: Actor>(
        keyPaths: [String]? = nil, on actor: A, _isolation: isolated (any Actor)? = #isolation,
        _ block: @Sendable @escaping (isolated A, ObjectChange<Self>) -> Void
    ) async -> NotificationToken {
        await observingInActor(actor, keyPaths, block).on(actor)
    }

    /// Observes the projection like `observe(keyPaths:on:_:)`, but with members of the projection as key paths, and
    /// calls `block` isolated to an actor.
    public func observe<A: Actor>(
        keyPaths: [PartialKeyPath<Self>], on actor: A, _isolation: isolated (any Actor)? = #isolation,
        _ block: @Sendable @escaping (isolated A, ObjectChange<Self>) -> Void
    ) async -> NotificationToken {
        await observingInActor(actor, keyPaths.map { PropertyProbe.origin(of: $0) }, block).on(actor)
    }

    private func observing(
        _ keyPaths: [String]?, _ block: @escaping (ObjectChange<Self>) -> Void
    ) -> ObservationRequest<ObjectBase> {
        guard let realm = rootObject._rlmRow.realm, let managed = rootObject._rlmRow.managed else {
            throwRealmException("Only objects which are managed by a Realm support change notifications")
        }
        realm.delivery.verifyCanObserve()
        if rootObject.isInvalidated { realm.refuse("Object has been deleted or invalidated.") }
        let members = ProjectionInfo.of(self).properties
        let origins = Set(members.map(\.origin))
        let wanted = keyPaths.flatMap { $0.isEmpty ? nil : $0.filter(origins.contains) } ?? Array(origins)
        let filter = KeyPathFilter(wanted, of: managed, in: realm)
        let object = rootObject._rlmRow.key
        let projection = self
        return ObservationRequest(
            target: rootObject as ObjectBase,
            detector: { _ in ObjectDetector(managed, object, filter) },
            block: { target, delivery in
                guard let change = delivery.change else { return }
                guard case .properties(let changed) = change, let root = target as? Root else { return block(.deleted) }
                let now = root === projection.rootObject ? projection : Self(projecting: root)
                let members = now.memberChanges(changed, Set(wanted), from: delivery.since, showing: delivery.old)
                if !members.isEmpty { block(.change(now, members)) }
            }, failed: { block(.error($0 as NSError)) })
    }

    private func observingInActor<A: Actor>(
        _ actor: A, _ keyPaths: [String]?, _ block: @Sendable @escaping (isolated A, ObjectChange<Self>) -> Void
    ) -> ObservationRequest<ObjectBase> {
        if rootObject._rlmRow.realm == nil {
            throwRealmException("Change notifications are only supported for managed objects")
        }
        return observing(keyPaths, isolatedBlock(to: actor, block))
    }

    /// Returns the changes of the members in `wanted` that depend on the changed properties, and whose value differs
    /// from that at the last notification. `changed` contains indexes of the root object's properties. Old values, if
    /// reported, are those of `old`.
    private func memberChanges(
        _ changed: [Int], _ wanted: Set<String>, from last: ObservedVersion?, showing old: ObservedVersion?
    ) -> [PropertyChange] {
        let properties = rootObject.classInfo.allProperties
        let names = Set(changed.map { properties[$0].name })
        let before = last.flatMap { last in
            rootObject._rlmRow.realm.map { rootObject.transferred(to: $0.showing(last)) as ObjectBase }
        }
        return ProjectionInfo.of(self).properties.compactMap { member in
            guard wanted.contains(member.origin), names.contains(String(member.origin.prefix { $0 != "." })) else {
                return nil
            }
            let now = member.value(of: rootObject)
            if now is any ThreadConfined && !(now is ObjectBase) {
                return PropertyChange(name: member.name, oldValue: nil, newValue: now)
            }
            let then = before.flatMap { member.value(of: $0) }
            if member.origin.contains("."), isEqual(then, now) { return nil }
            return PropertyChange(
                name: member.name, oldValue: old == nil ? nil : rootObject.current(then), newValue: now)
        }
    }

    private func isEqual(_ then: Any?, _ now: Any?) -> Bool {
        if then is ObjectBase || now is ObjectBase { return false }
        if then == nil || now == nil { return then == nil && now == nil }
        guard let then = then as? AnyHashable, let now = now as? AnyHashable else { return false }
        return then == now
    }
}

extension PropertyProbe {
    fileprivate static func origin(of keyPath: AnyKeyPath) -> String {
        beginning(of: keyPath).map(\.name).joined(separator: ".")
    }
}
