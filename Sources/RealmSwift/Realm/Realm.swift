// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A database opened on the thread that uses it. Copies denote the same instance.
public struct Realm: Equatable {
    let instance: RealmInstance

    init(_ instance: RealmInstance) {
        self.instance = instance
    }

    /// Whether both are the same opened instance.
    public static func == (lhs: Realm, rhs: Realm) -> Bool {
        lhs.instance === rhs.instance
    }
}

/// What the copies of a `Realm` share.
final class RealmInstance {}
