// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// A weak reference, for use in collections.
package struct Weak<Target: AnyObject> {
    package weak var object: Target?

    package init(object: Target?) { self.object = object }
}
