// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Whether a Realm may be used where, and for what, it is about to be used.
extension RealmInstance {
    /// Whether the instance is frozen, and so of use to all threads at once.
    var isFrozen: Bool { frozenTables != nil }

    /// Whether the caller is where the Realm may be used. Traps outside of the actor of a Realm that has one.
    var isOnOwnerThread: Bool { state.pointee.isOnOwnerThread || confinement.isCurrent }

    /// Traps if this is not where the Realm may be used.
    func verifyThread() {
        if !state.pointee.isOnOwnerThread { verifyPlace() }
    }

    @inline(never)
    private func verifyPlace() {
        if isFrozen { throwRealmException("Cannot read from a frozen Realm which has been invalidated.") }
        if !confinement.isCurrent {
            throwRealmException(
                """
                Realm accessed from incorrect thread. The Realm at \(configuration.place) belongs to \
                \(confinement.description).
                """)
        }
    }

    /// Traps with `text` unless a write is in progress on this thread.
    func verifyInWrite(_ text: @autoclosure () -> String) {
        verifyThread()
        if !isInWriteTransaction { throwRealmException(text()) }
    }

    /// Traps if the Realm never takes writes.
    func verifyWritable() {
        verifyThread()
        if isFrozen { throwRealmException("Can't perform transactions on a frozen Realm") }
        if configuration.readOnly { throwRealmException("Can't perform transactions on read-only Realms.") }
    }

    /// The documented exception where more versions are in use than the configuration allows.
    func verifyVersionCount() throws {
        guard let limit = configuration.maximumNumberOfActiveVersions, limit > 0 else { return }
        let count = try coordinator.database.activeVersionCount
        guard count > limit else { return }
        throwRealmException("Number of active versions (\(count)) in the Realm exceeded the limit of \(limit)")
    }
}
