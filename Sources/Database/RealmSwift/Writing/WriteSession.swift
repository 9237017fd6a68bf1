// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// What writes to an instance: the write in progress, the writes that wait for the write lock, and the commits that
/// wait for the disk. Touched where the instance may be used only.
///
/// What reads see is the instance's: a write that begins gives its transaction to it, and one that ends takes that
/// away.
final class WriteSession {
    /// What is written to; it owns the session.
    private(set) unowned var instance: RealmInstance!
    /// Keeps the instance while its write is open; nil before the first write. It is the thread's for good, so that it
    /// need not be looked for at each write.
    private weak var openWrites: OpenWrites?
    private(set) var cancelled = CancelledWrites()
    /// Why the write in progress cannot be committed any more; see `RealmInstance+Failure.swift`.
    private(set) var failure: StorageError?
    /// How many writes there were.
    private var count: UInt64 = 0
    var waiting = AsyncWrites()

    /// Makes the session that of an instance, which has just come into being.
    func attach(to instance: RealmInstance) { self.instance = instance }

    // MARK: Beginning

    /// Begins a write transaction. If that fails the process does not end, as this cannot throw: a write is in progress
    /// then in which nothing can be changed, and its commit throws the error.
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
        // It would keep space from being reused for as long as the write lasts.
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

    /// Makes a write that could not begin the write in progress, for a caller that cannot be told otherwise.
    func beginFailed(_ error: any Error) {
        instance.currentWrite = nextNumber()
        fail(instance.worldFailure(error))
    }

    /// From now on the write in progress changes nothing, and its commit throws `failure` or what came before. Reads go
    /// on.
    func fail(_ failure: StorageError) {
        self.failure = self.failure ?? failure
        instance.refuseChanges()
        if failure.isLasting { instance.report(failure) }
    }

    // MARK: Ending

    /// `skipped` are not told of what this changes.
    func commit(withoutNotifying skipped: [any Observation] = []) throws {
        // The open write may be all that keeps the instance.
        let instance: RealmInstance = instance
        defer { withExtendedLifetime(instance) {} }
        instance.verifyThread()
        verifyInProgress(to: "commit")
        let base: UInt64
        do {
            let transaction = try requireTransaction()
            base = transaction.baseVersion
            let commit = try transaction.prepareCommit()
            // Held before any other writer can begin, when it need not be looked up which version is the newest.
            let version = try commit.snapshot(label: RealmInstance.holder)
            try commit.finish()
            groupEnded(nil)
            instance.coordinator.logger.log(.debug, "Committed to \(instance.configuration.place).")
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
        // The open write may be all that keeps the instance.
        let instance: RealmInstance = instance
        defer { withExtendedLifetime(instance) {} }
        instance.verifyThread()
        verifyInProgress(to: "cancel")
        giveUp(nil)
    }

    /// The documented exceptions where no write is in progress that may end here.
    func verifyInProgress(to end: String) {
        if waiting.isCompleting {
            throwRealmException("Can't \(end) a write transaction from inside a commit completion callback.")
        }
        if !instance.isInWriteTransaction { throwRealmException("Can't \(end) a non-existing write transaction") }
        if instance.isMigrating { throwRealmException("Can't commit or cancel the write transaction of a migration") }
    }

    /// What the write in progress is to commit. Throws what makes that impossible.
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
        // If there is no version to be had now, the next read tries again.
        try? end()
        cancelled.insert(write, instance.tableSequences())
        instance.tracker?.moved(instance)
    }

    /// Runs the block of a write. An error of it rolls everything back, unless the block has ended the write itself,
    /// and is thrown on.
    func rollingBackOnError<Result>(_ block: () throws -> Result) throws -> Result {
        do {
            return try block()
        } catch {
            if instance.isInWriteTransaction { cancel() }
            throw error
        }
    }

    /// Ends the write, whatever its outcome; the version to read next is `version`, or the newest, which may be one
    /// that waits for others to become durable. Observers are told later.
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
