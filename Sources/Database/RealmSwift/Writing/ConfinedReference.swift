// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

/// An instance on its way through other threads back to its own place: it is confined to that, and only passed on
/// elsewhere.
struct ConfinedReference: @unchecked Sendable {
    let instance: RealmInstance
}
