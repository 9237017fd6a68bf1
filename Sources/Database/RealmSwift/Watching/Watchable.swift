// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime

/// A value that a user interface can observe: an object, a projection, a list, a set or a map.
package protocol Watchable {
    /// Calls `changed` after each change. Returns nil during a write that has already changed something.
    func watch(_ keyPaths: [String]?, _ changed: @escaping () -> Void) -> NotificationToken?

    /// Versions are ignored.
    func isSameThing(as other: Any) -> Bool
}

extension ObjectBase: Watchable {
    package func isSameThing(as other: Any) -> Bool { (other as? ObjectBase).map(isSameEntity) ?? false }
}

extension Projection: Watchable {
    package func watch(_ keyPaths: [String]?, _ changed: @escaping () -> Void) -> NotificationToken? {
        rootObject.watch(keyPaths, changed)
    }

    package func isSameThing(as other: Any) -> Bool {
        (other as? Projection).map { type(of: $0) == type(of: self) && rootObject.isSameEntity(as: $0.rootObject) }
            ?? false
    }
}

extension List: Watchable {
    package func isSameThing(as other: Any) -> Bool {
        (other as? List).map { self === $0 || isSameCollection(managed, $0.managed) } ?? false
    }
}

extension MutableSet: Watchable {
    package func isSameThing(as other: Any) -> Bool {
        (other as? MutableSet).map { self === $0 || isSameCollection(managed, $0.managed) } ?? false
    }
}

extension Map: Watchable {
    package func isSameThing(as other: Any) -> Bool {
        (other as? Map).map { self === $0 || isSameCollection(managed, $0.managed) } ?? false
    }
}

private func isSameCollection(_ a: ManagedCollection?, _ b: ManagedCollection?) -> Bool {
    guard let a, let b else { return false }
    return a.realm.coordinator === b.realm.coordinator && a.path == b.path
}
