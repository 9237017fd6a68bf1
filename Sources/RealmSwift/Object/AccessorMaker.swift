// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Makes accessors one after the other, as an iteration does.
///
/// To make an object and destroy it takes ten times as long as to read a property of it, so one that nobody has kept
/// becomes the next. That shows only where a class has state of its own, or a `deinit`; the former is looked for.
struct AccessorMaker {
    let realm: RealmInstance
    /// That of the Realm, beside it because each step of an iteration looks at it.
    let state: UnsafeMutablePointer<ReadState>
    private let keeper: RowKeeper
    /// The accessor made last, unless it has state that is not the row's.
    private var last: ObjectBase?

    init(_ realm: RealmInstance) {
        self.realm = realm
        state = realm.state
        keeper = RowKeeper(realm)
    }

    /// An accessor of the class's own type; with `place`, the first read needs no look-up.
    mutating func object(_ managed: ManagedClass, _ key: ObjectKey, at place: RowPlace?) -> ObjectBase {
        // Whoever is left with a weak reference must not see another object; then it has none at all.
        if isKnownUniquelyReferenced(&last), let last, last.becomes(key, of: managed, at: place, state) { return last }
        let object = managed.info.objectClass.init()
        object.manageFresh(realm, managed, key, at: place, keptBy: keeper)
        last = managed.info.hasOnlyProperties && realm.tracker == nil ? object : nil
        return object
    }
}

/// Keeps a Realm alive for many objects.
///
/// The Realm itself is referred to weakly, by which its count of references has moved to a place of its own; to count
/// there takes longer than to make an object.
private final class RowKeeper {
    private let realm: RealmInstance

    init(_ realm: RealmInstance) { self.realm = realm }
}
