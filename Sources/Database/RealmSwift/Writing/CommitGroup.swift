// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

/// Commits of an instance that become durable together: one, or several that allow it.
///
/// Each commit is a separate version for the instance, based on the previous one. Publishing the newest makes all
/// durable; a crash before that discards all of them.
struct CommitGroup: Sendable {
    let newest: PreparedCommit
    /// The completions of the commits, in order.
    let ends: [End]

    /// The maximum number of commits, so that other writers don't wait too long.
    static let limit = 64

    /// Waits for the disk; called on the queue for that.
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

    /// Ends one commit after it is durable or has failed.
    ///
    /// Unchecked: `onEnd` is called only where the instance is confined.
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
