// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A weak reference, for use in collections.
struct Weak<Target: AnyObject> {
    weak var object: Target?
}
