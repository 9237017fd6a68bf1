// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    #if canImport(Darwin)
        import SwiftUI
    #else
        import RealmSwift
        import RegnumUI
    #endif

    /// How user interfaces write: within the write in progress, or in one of their own, of which views are told before
    /// it returns, so that an animation around it is theirs.
    @MainActor enum Writing {
        /// Writes in a live Realm; without one nothing happens.
        static func perform(in realm: Realm?, _ body: (Realm) -> Void) {
            guard let realm else { return }
            if realm.isInWriteTransaction { body(realm) } else { realm.bindingWrite { body(realm) } }
        }

        /// Changes a collection or an object that a view shows; one that is gone stays as it is.
        static func change<T: ThreadConfined>(_ shown: T, _ body: (T, Realm?) -> Void) {
            guard shown.realm != nil else {
                UnmanagedThings.announce(shown)
                return body(shown, nil)
            }
            guard !shown.isInvalidated, let live = shown.isFrozen ? shown.thaw() : shown, !live.isInvalidated else {
                return
            }
            perform(in: live.realm) { body(live, $0) }
        }

        /// A value as one that a Realm can take: objects of other versions are looked up there. nil for one that is
        /// gone.
        static func resident<V>(_ value: V, in realm: Realm?) -> V? {
            guard let realm, let object = value as? ObjectBase else { return value }
            if object.realm == nil { UnmanagedThings.announce(object) }
            return object.resident(in: realm) as? V
        }
    }

    /// A wrapper that knows which value its view shows, between a change and the next evaluation.
    @MainActor protocol ShownCollection {
        var shownValue: Any { get }
    }
#endif
