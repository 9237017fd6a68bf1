// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Manages the writes of a Realm instance: the current transaction, queued async writes, and commits waiting for the
/// disk. Confined like the instance.
///
/// The instance serves reads. It refers to the transaction from the beginning of a write to its end.
final class WriteSession {
    private(set) unowned var instance: RealmInstance!
    /// Retains the instance while its write is open; nil before the first write. Stored, because looking it up at each
    /// write would be slow, and it never changes for a thread.
    private weak var openWrites: OpenWrites?
    private(set) var cancelled = CancelledWrites()
    /// The error that prevents the commit of the write in progress; see `RealmInstance+Failure.swift`.
    private(set) var failure: StorageError?
    private var count: UInt64 = 0
    var waiting = AsyncWrites()

    func attach(to instance: RealmInstance) { self.instance = instance }

    // MARK: Beginning

    /// Begins a write transaction. Doesn't throw: after a failure, a write is in progress in which changes are skipped,
    /// and whose commit throws the error.
    func begin() {
        do {
            try enter()
        } catch {
            beginFailed(error)
        }
    }

    /// Begins a write transaction. If it throws, no write is in progress.
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

    func begin(_ transaction: WriteTransaction) throws {
        // Retaining the version would prevent the reuse of its space during the write.
        instance.releaseVersion()
        do {
            try instance.verifyVersionCount()
        } catch {
            transaction.rollback()
            throw error
        }
        keepInstance()
        let hasMoved = instance.read(transaction, inWrite: nextNumber())
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

    func beginFailed(_ error: any Error) {
        instance.currentWrite = nextNumber()
        fail(instance.worldFailure(error))
    }

    /// Skips all further changes of the write in progress. Its commit throws `failure`, or an earlier error. Reads
    /// continue.
    func fail(_ failure: StorageError) {
        self.failure = self.failure ?? failure
        instance.refuseChanges()
        if failure.isLasting { instance.report(failure) }
    }

    // MARK: End

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
            // Pinned before another writer can begin, while this is certainly the newest version.
            let version = try commit.snapshot(label: RealmInstance.holder)
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

    func verifyInProgress(to end: String) {
        if waiting.isCompleting {
            throwRealmException("Can't \(end) a write transaction from inside a commit completion callback.")
        }
        if !instance.isInWriteTransaction { throwRealmException("Can't \(end) a non-existing write transaction") }
        if instance.isMigrating { throwRealmException("Can't commit or cancel the write transaction of a migration") }
    }

    /// Throws the error that prevents the commit of the write in progress.
    func requireTransaction() throws -> WriteTransaction {
        try instance.verifyUnfailed()
        guard let transaction = instance.transaction else {
            throw StorageError(.fileAccess, "the write transaction has not begun")
        }
        return transaction
    }

    /// Ends the write in progress without its changes. Also called after a failed commit.
    func giveUp(_ error: (any Error)?) {
        let write = instance.currentWrite
        if let transaction = instance.transaction, transaction.isOpen { transaction.rollback() }
        if let error { groupEnded(error) }
        // If no version is available now, the next read tries again.
        try? end()
        cancelled.insert(write, instance.tableSequences())
        instance.tracker?.moved(instance)
    }

    /// If the block throws an error, everything is rolled back, unless the block has ended the write itself, and the
    /// error is rethrown.
    func rollingBackOnError<Result>(_ block: () throws -> Result) throws -> Result {
        do {
            return try block()
        } catch {
            if instance.isInWriteTransaction { cancel() }
            throw error
        }
    }

    /// Ends a committed or cancelled write. The next version to read is `version`, or the newest one, which may not be
    /// durable yet. Observers are notified later.
    func end(at version: Snapshot? = nil) throws {
        openWrites?.release(instance)
        failure = nil
        defer {
            requestTurn()
            instance.delivery.wakeIfObserved()
        }
        try instance.endReadingWrite(at: version) {
            try waiting.group?.newest.snapshot(label: RealmInstance.holder)
        }
    }
}
