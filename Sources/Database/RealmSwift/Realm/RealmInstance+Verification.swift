// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

extension RealmInstance {
    var isFrozen: Bool { frozenTables != nil }

    /// Traps outside of the actor if the Realm is confined to one.
    var isOnOwnerThread: Bool { state.pointee.isOnOwnerThread || confinement.isCurrent }

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

    func verifyInWrite(_ text: @autoclosure () -> String) {
        verifyThread()
        if !isInWriteTransaction { throwRealmException(text()) }
    }

    func verifyWritable() {
        verifyThread()
        if isFrozen { throwRealmException("Can't perform transactions on a frozen Realm") }
        if configuration.readOnly { throwRealmException("Can't perform transactions on read-only Realms.") }
    }

    func verifyVersionCount() throws {
        guard let limit = configuration.maximumNumberOfActiveVersions, limit > 0 else { return }
        let count = try coordinator.database.activeVersionCount
        guard count > limit else { return }
        throwRealmException("Number of active versions (\(count)) in the Realm exceeded the limit of \(limit)")
    }
}
