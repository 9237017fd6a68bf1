// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

/// Checks that a Realm is used where it is confined, and only for permitted operations.
extension RealmInstance {
    /// Whether the instance is frozen, and so usable from all threads at once.
    var isFrozen: Bool { frozenTables != nil }

    /// Whether the caller runs where the Realm is confined. Traps outside of the actor of a Realm that has one.
    var isOnOwnerThread: Bool { state.pointee.isOnOwnerThread || confinement.isCurrent }

    /// Traps if the caller runs outside the Realm's confinement.
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

    func verifyWritable() {
        verifyThread()
        if isFrozen { throwRealmException("Can't perform transactions on a frozen Realm") }
        if configuration.readOnly { throwRealmException("Can't perform transactions on read-only Realms.") }
    }

    /// Throws the documented exception if more versions are in use than the configuration allows.
    func verifyVersionCount() throws {
        guard let limit = configuration.maximumNumberOfActiveVersions, limit > 0 else { return }
        let count = try coordinator.database.activeVersionCount
        guard count > limit else { return }
        throwRealmException("Number of active versions (\(count)) in the Realm exceeded the limit of \(limit)")
    }
}
