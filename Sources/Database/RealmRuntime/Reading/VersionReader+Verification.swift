// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Checks that a Realm is used where it is confined, and only for permitted operations.
extension VersionReader {
    /// Traps outside of the actor if the Realm is confined to one.
    package var isOnOwnerThread: Bool { state.pointee.isOnOwnerThread || confinement.isCurrent }

    @usableFromInline package func verifyThread() {
        if !state.pointee.isOnOwnerThread { verifyPlace() }
    }

    @inline(never)
    private func verifyPlace() {
        if isFrozen { throwRealmException("Cannot read from a frozen Realm which has been invalidated.") }
        if !confinement.isCurrent {
            throwRealmException(
                """
                Realm accessed from incorrect thread. The Realm at \(settings.place) belongs to \
                \(confinement.description).
                """)
        }
    }

    package func verifyInWrite(_ text: @autoclosure () -> String) {
        verifyThread()
        if !isInWriteTransaction { throwRealmException(text() + taskHint) }
    }

    /// A task of an actor may run on the thread of a Realm, whose objects its own Realm can't write.
    private var taskHint: String {
        switch confinement {
        case .thread, .runLoop:
            let isInTask = unsafe withUnsafeCurrentTask { unsafe $0 != nil }
            return isInTask ? " This Realm belongs to \(confinement.description), and not to an actor." : ""
        default: return ""
        }
    }

    package func verifyWritable() {
        verifyThread()
        if isFrozen { throwRealmException("Can't perform transactions on a frozen Realm") }
        if settings.isReadOnly { throwRealmException("Can't perform transactions on read-only Realms.") }
    }

    package func verifyVersionCount() throws {
        guard let limit = settings.maxVersionCount, limit > 0 else { return }
        let count = try database.activeVersionCount
        guard count > limit else { return }
        throwRealmException("Number of active versions (\(count)) in the Realm exceeded the limit of \(limit)")
    }
}
