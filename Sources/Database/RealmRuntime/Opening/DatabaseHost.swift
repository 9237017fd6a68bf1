// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import Dispatch
import RealmCheck
import RealmStorage
import RealmSystem

/// An open database that the instances of this process share: its queues, the followers of its commits, and its log.
///
/// `ports`, `feeds`, `foreignCommits` and `didCommit` are guarded by `lock`; the database guards itself; the rest is
/// immutable.
package final class DatabaseHost: @unchecked Sendable {
    package let database: Database
    /// The database's name in messages.
    private let place: String
    let log: any LogSink
    private let lock = Lock()
    private var ports: [Weak<DeliveryPort>] = []
    private var feeds: [Weak<ChangeFeedSignal>] = []
    private var foreignCommits: ForeignCommitToken?
    /// Called after each commit.
    private var didCommit: DidCommit?
    /// The queue on which async writes wait for the write lock.
    package let turns = DispatchQueue(label: "regnum.turns")
    /// The queue on which commits wait for the disk.
    package let commits = DispatchQueue(label: "regnum.commits")

    private struct DidCommit {
        let call: @Sendable () -> Void
    }

    package init(_ database: Database, place: String, log: any LogSink) {
        self.database = database
        self.place = place
        self.log = log
    }

    // MARK: Followers

    package func add(_ port: DeliveryPort) {
        lock.locked {
            ports.removeAll { $0.object == nil }
            ports.append(Weak(object: port))
        }
    }

    package func add(_ feed: ChangeFeedSignal) {
        lock.locked {
            feeds.removeAll { $0.object == nil }
            feeds.append(Weak(object: feed))
        }
    }

    /// Calls `body` after each commit of this process or another one.
    package func onCommit(_ body: @escaping @Sendable () -> Void) {
        lock.locked { didCommit = DidCommit(call: body) }
    }

    /// Notifies the other instances of a commit. `port` is that of the instance that made it.
    package func notifyOthers(than port: DeliveryPort?) {
        let (didCommit, ports, feeds) = lock.locked {
            (self.didCommit, self.ports.compactMap(\.object), self.feeds.compactMap(\.object))
        }
        didCommit?.call()
        for feed in feeds { feed.wake() }
        for other in ports where other !== port { other.wake() }
    }

    package func watchOtherProcesses() {
        guard lock.locked({ foreignCommits == nil }) else { return }
        // If this fails, the Realm follows at its next refresh or write.
        let token = try? database.onForeignCommit { [weak self] in self?.notifyOthers(than: nil) }
        if let reason = token?.pollingReason { warnOnce(ofPolling: reason) }
        let surplus = lock.locked {
            if foreignCommits != nil { return token }
            foreignCommits = token
            return nil
        }
        withExtendedLifetime(surplus) {}
    }

    private static let hasWarnedOfPolling = Locked(false)

    private func warnOnce(ofPolling reason: String) {
        let isFirst = Self.hasWarnedOfPolling.withLock { hasWarned in
            defer { hasWarned = true }
            return !hasWarned
        }
        guard isFirst else { return }
        log.write(
            .warning,
            """
            \(place): the system cannot watch the file (\(reason)), so it is checked for commits of \
            other processes twice a second, like each further file. On Linux, raise \
            fs.inotify.max_user_instances or fs.inotify.max_user_watches.
            """)
    }

    // MARK: Log

    /// Logs the first world error that an instance has met.
    func logFailure(_ failure: StorageError) { log.write(.error, failure.description) }

    func logCommit() { log.write(.debug, "\(database.logName) Committed to \(place)") }

    /// Logs that a write transaction was rolled back because its Realm was `reason`.
    package func logRollback(_ reason: String) {
        log.write(
            .warning,
            """
            An RLMRealm instance was \(reason) during a write transaction and all pending changes have been rolled \
            back.
            """)
    }

    // MARK: Audit

    /// The maximum size of a file that is audited before a programmer error traps. Auditing this much takes about a
    /// second.
    private static let auditLimit = 64 << 20

    /// The first violation in the newest version of the file; nil if the file is valid or too large to audit.
    package func foundDamage() -> StorageError? {
        guard let image = database.auditedImage(upTo: Self.auditLimit) else { return nil }
        let report = FileChecker.check(bytes: image, options: FileChecker.Options(isDecrypted: database.cipher != nil))
        guard !report.isClean else { return nil }
        return StorageError(.invalidDatabase, "the file is damaged: \(report.firstProblem)", path: database.path)
    }
}

extension Database {
    /// The beginning of log lines about the database, which distinguishes it from others, as in the original.
    package var logName: String { "DB: \(UInt(bitPattern: ObjectIdentifier(self)) >> 4 & 0xffff)" }
}
