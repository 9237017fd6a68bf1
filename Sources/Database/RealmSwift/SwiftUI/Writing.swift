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
        /// Changes a collection or an object that a view shows; one that is gone stays as it is.
        static func change<T: ThreadConfined>(_ shown: T, _ body: (T, Realm?) -> Void) {
            guard shown.realm != nil else {
                UnmanagedThings.announce(shown)
                return body(shown, nil)
            }
            guard !shown.isInvalidated, let live = shown.isFrozen ? shown.thaw() : shown, !live.isInvalidated else {
                return
            }
            guard let realm = live.realm else { return }
            realm.bindingWrite { body(live, realm) }
        }

        /// The same with a value as the Realm can take it; nothing changes if that is gone.
        static func change<T: ThreadConfined, V>(_ shown: T, with value: V, _ body: (T, Realm?, V) -> Void) {
            change(shown) { live, realm in
                if let value = resident(value, in: realm) { body(live, realm, value) }
            }
        }

        /// Deletes objects, of whatever versions, that are not gone yet. To be called in a write.
        static func delete<Element: ObjectBase & ThreadConfined>(_ objects: [Element], in realm: Realm) {
            for object in objects { if let object = object.resident(in: realm) { realm.delete(object) } }
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
