// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Commits of an instance that become durable together: one, or several that allow it.
///
/// Each is a version of its own for the instance, built on the one before; the flip of the newest makes all durable, or
/// a crash before it takes all back.
struct CommitGroup: Sendable {
    let newest: PreparedCommit
    /// Of each commit, in their order.
    let ends: [End]

    /// So many at most, that others' writes do not wait for long.
    static let limit = 64

    /// Waits for the disk; on the queue for that.
    func finish(_ coordinator: RealmCoordinator, _ port: DeliveryPort?) {
        do {
            try newest.finish()
            coordinator.notifyOthers(than: port)
            end(nil)
        } catch {
            end(Realm.Error(error))
        }
    }

    func end(_ error: (any Swift.Error)?) {
        for one in ends { one.schedule(error) }
    }

    /// What one commit does when it is durable, or is not going to be.
    ///
    /// Unchecked: `onEnd` is called at the instance's place only.
    final class End: @unchecked Sendable {
        private let instance: ConfinedReference
        private let onEnd: ((any Swift.Error)?) -> Void

        init(instance: ConfinedReference, onEnd: @escaping ((any Swift.Error)?) -> Void) {
            self.instance = instance
            self.onEnd = onEnd
        }

        func schedule(_ error: (any Swift.Error)?) {
            instance.instance.confinement.run { self.instance.instance.writes.commitEnded(error, self.onEnd) }
        }
    }
}
