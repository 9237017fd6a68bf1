// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

#if canImport(Darwin) || canImport(OpenCombine)
    #if canImport(Darwin)
        import SwiftUI
    #else
        import RealmSwift
        import RegnumUI
    #endif

    /// Writes of views: in the current transaction, or in one that notifies views before it returns, so that an
    /// enclosing animation applies to the changes.
    @MainActor enum Writing {
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

        /// Resolves `value` in the Realm before the change. Does nothing if it has been deleted.
        static func change<T: ThreadConfined, V>(_ shown: T, with value: V, _ body: (T, Realm?, V) -> Void) {
            change(shown) { live, realm in
                if let value = resident(value, in: realm) { body(live, realm, value) }
            }
        }

        /// The objects may be of any version. Call this only in a write transaction.
        static func delete<Element: ObjectBase & ThreadConfined>(_ objects: [Element], in realm: Realm) {
            for object in objects { if let object = object.resident(in: realm) { realm.delete(object) } }
        }

        /// Returns the value for use in a Realm. An object of another version is resolved there; nil if it has been
        /// deleted.
        static func resident<V>(_ value: V, in realm: Realm?) -> V? {
            guard let realm, let object = value as? ObjectBase else { return value }
            if object.realm == nil { UnmanagedThings.announce(object) }
            return object.resident(in: realm) as? V
        }
    }

    /// A property wrapper with the value shown by its view, which may be outdated between a change and the next
    /// evaluation.
    @MainActor protocol ShownCollection {
        var shownValue: Any { get }
    }
#endif
