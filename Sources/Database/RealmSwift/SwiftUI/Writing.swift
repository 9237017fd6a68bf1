// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    #if canImport(Darwin)
        import SwiftUI
    #else
        import RealmSwift
        import RegnumUI
    #endif

    /// Writes for user interfaces: in the current transaction, or in one that notifies views before it returns, so that
    /// an enclosing animation applies to them.
    @MainActor enum Writing {
        /// Changes a collection or an object shown by a view. Does nothing if it has been deleted.
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

        /// Changes a collection or an object with a value that is first resolved in its Realm. Does nothing if the
        /// value has been deleted.
        static func change<T: ThreadConfined, V>(_ shown: T, with value: V, _ body: (T, Realm?, V) -> Void) {
            change(shown) { live, realm in
                if let value = resident(value, in: realm) { body(live, realm, value) }
            }
        }

        /// Deletes objects of any version that still exist. Call this only in a write transaction.
        static func delete<Element: ObjectBase & ThreadConfined>(_ objects: [Element], in realm: Realm) {
            for object in objects { if let object = object.resident(in: realm) { realm.delete(object) } }
        }

        /// Returns the value for use in a Realm: objects of other versions are resolved there. Returns nil for a
        /// deleted object.
        static func resident<V>(_ value: V, in realm: Realm?) -> V? {
            guard let realm, let object = value as? ObjectBase else { return value }
            if object.realm == nil { UnmanagedThings.announce(object) }
            return object.resident(in: realm) as? V
        }
    }

    /// A wrapper with the value shown by its view, which may be outdated between a change and the next evaluation.
    @MainActor protocol ShownCollection {
        var shownValue: Any { get }
    }
#endif
