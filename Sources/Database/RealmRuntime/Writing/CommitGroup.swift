// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Commits of an instance that become durable together.
///
/// Each commit is a separate version for the instance, based on the previous one. Publishing the newest version makes
/// all of them durable; a crash before that discards all of them.
package struct CommitGroup: Sendable {
    package let newest: PreparedCommit
    package let ends: [End]

    /// Limits the number of commits, so that other writers don't wait too long.
    package static let limit = 64

    /// Waits for the disk. Called on the coordinator's queue `commits`.
    package func finish(_ host: DatabaseHost, _ port: DeliveryPort?) {
        do {
            try newest.finish()
            host.notifyOthers(than: port)
            end(nil)
        } catch {
            end(error)
        }
    }

    package func end(_ error: (any Swift.Error)?) {
        for one in ends { one.schedule(error) }
    }

    /// Ends one commit after it is durable or has failed.
    ///
    /// Unchecked: `onEnd` is called only where the instance is confined.
    package final class End: @unchecked Sendable {
        private let owner: ConfinedReference<any WriteOwner>
        private let onEnd: ((any Swift.Error)?) -> Void

        package init(_ owner: ConfinedReference<any WriteOwner>, onEnd: @escaping ((any Swift.Error)?) -> Void) {
            self.owner = owner
            self.onEnd = onEnd
        }

        package func schedule(_ error: (any Swift.Error)?) {
            let owner = owner.instance
            owner.reader.confinement.run { self.owner.instance.writes.commitEnded(error, self.onEnd) }
        }
    }
}
