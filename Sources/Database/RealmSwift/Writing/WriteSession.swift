// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmRuntime
import RealmStorage

/// Manages the writes of a Realm instance: the current transaction, queued async writes, and commits waiting for the
/// disk. Used only where the instance is confined.
///
/// The instance serves reads: when a write begins, it gets the transaction, and when the write ends, it drops it.
final class WriteSession {
    /// The instance that is written to; it owns the session.
    private(set) unowned var instance: RealmInstance!
    /// Retains the instance while its write is open; nil before the first write. It never changes for a thread, so it
    /// isn't looked up at each write.
    private weak var openWrites: OpenWrites?
    private(set) var cancelled = CancelledWrites()
    /// The number of writes begun so far.
    private var count: UInt64 = 0
    var waiting = AsyncWrites()

    /// Attaches the session to an instance that was just created.
    func attach(to instance: RealmInstance) { self.instance = instance }

    // MARK: Beginning of a write

    /// Begins a write transaction. This can't throw, so if it fails, a write is in progress in which nothing can be
    /// changed, and its commit throws the error.
    func begin() {
        do {
            try enter()
        } catch {
            beginFailed(error)
        }
    }

    /// Begins a write transaction, or throws without having begun one.
    func enter() throws {
        instance.verifyWritable()
        if instance.isInWriteTransaction { throwRealmException("The Realm is already in a write transaction") }
        if waiting.isCompleting {
            throwRealmException("Can't begin a write transaction from inside a commit completion callback.")
        }
        finishGroup()
        do {
            let limit = instance.configuration.writeLimit
            try begin(try claimTurn() ?? instance.coordinator.database.beginWrite(within: limit))
        } catch {
            requestTurn()
            throw error
        }
    }

    /// Makes `transaction` the write in progress.
    func begin(_ transaction: WriteTransaction) throws {
        // The version would prevent the reuse of space for the duration of the write.
        instance.reader.releaseVersion()
        do {
            try instance.reader.verifyVersionCount()
        } catch {
            transaction.rollback()
            throw error
        }
        keepInstance()
        let hasMoved = instance.reader.read(transaction, inWrite: nextNumber())
        if hasMoved { instance.delivery.movedByOthers() }
        instance.delivery.deliverBeforeWrite(hasMoved: hasMoved)
        if hasMoved { instance.tracker?.moved(instance) }
    }

    private func keepInstance() {
        let openWrites = openWrites ?? .of(instance.confinement)
        openWrites?.keep(instance)
        self.openWrites = openWrites
    }

    private func nextNumber() -> UInt64 {
        count += 1
        return count
    }

    /// Begins a failed write, for a caller that can't receive the error otherwise.
    func beginFailed(_ error: any Error) {
        instance.reader.currentWrite = nextNumber()
        instance.reader.failWrite(instance.worldFailure(error))
    }

    // MARK: End of a write

    /// Commits the write, without notifying the observations in `skipped`.
    func commit(withoutNotifying skipped: [any Observation] = []) throws {
        // The open write may have the only reference to the instance.
        let instance: RealmInstance = instance
        defer { withExtendedLifetime(instance) {} }
        instance.verifyThread()
        verifyInProgress(to: "commit")
        let base: UInt64
        do {
            let transaction = try requireTransaction()
            base = transaction.baseVersion
            let commit = try transaction.prepareCommit()
            // Pinned before any other writer can begin, while this is known to be the newest version.
            let version = try commit.snapshot(label: VersionReader.holder)
            try commit.finish()
            groupEnded(nil)
            instance.coordinator.logCommit()
            try end(at: version)
        } catch {
            giveUp(error)
            throw Realm.Error(error)
        }
        instance.coordinator.notifyOthers(than: instance.delivery.port)
        instance.delivery.skip(skipped, since: base)
        instance.delivery.notifyRealmObservers(.didChange, except: skipped)
        instance.tracker?.moved(instance)
    }

    func cancel() {
        // The open write may have the only reference to the instance.
        let instance: RealmInstance = instance
        defer { withExtendedLifetime(instance) {} }
        instance.verifyThread()
        verifyInProgress(to: "cancel")
        giveUp(nil)
    }

    /// Throws the documented exceptions if no write is in progress that may end here.
    func verifyInProgress(to end: String) {
        if waiting.isCompleting {
            throwRealmException("Can't \(end) a write transaction from inside a commit completion callback.")
        }
        if !instance.isInWriteTransaction { throwRealmException("Can't \(end) a non-existing write transaction") }
        if instance.isMigrating { throwRealmException("Can't commit or cancel the write transaction of a migration") }
    }

    /// The transaction of the write in progress. Throws the error that prevents its commit.
    func requireTransaction() throws -> WriteTransaction {
        try instance.verifyUnfailed()
        guard let transaction = instance.transaction else {
            throw StorageError(.fileAccess, "the write transaction has not begun")
        }
        return transaction
    }

    /// Ends the write in progress without its changes, also after a commit that failed.
    func giveUp(_ error: (any Error)?) {
        let write = instance.currentWrite
        if let transaction = instance.transaction, transaction.isOpen { transaction.rollback() }
        if let error { groupEnded(error) }
        // If no version is available now, the next read tries again.
        try? end()
        cancelled.insert(write, instance.reader.tableSequences())
        instance.tracker?.moved(instance)
    }

    /// Runs the block of a write. If it throws an error, everything is rolled back, unless the block has ended the
    /// write itself, and the error is rethrown.
    func rollingBackOnError<Result>(_ block: () throws -> Result) throws -> Result {
        do {
            return try block()
        } catch {
            if instance.isInWriteTransaction { cancel() }
            throw error
        }
    }

    /// Ends the write, whatever its outcome. The next version to read is `version`, or the newest, which may still be
    /// waiting to become durable with others. Observers are notified later.
    func end(at version: Snapshot? = nil) throws {
        openWrites?.release(instance)
        defer {
            requestTurn()
            instance.delivery.wakeIfObserved()
        }
        try instance.reader.endReadingWrite(at: version) {
            try waiting.group?.newest.snapshot(label: VersionReader.holder)
        }
    }
}
