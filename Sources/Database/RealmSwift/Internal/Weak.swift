// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// Something that is not kept from going.
struct Weak<Target: AnyObject> {
    weak var object: Target?
}
