// Part of Regnum, the Realm database in pure Swift. Apache License 2.0; see LICENSE.

import RealmStorage

/// Manages the writes of a Realm instance: the current transaction, queued async writes, and commits waiting for the
/// disk. Confined like the instance.
///
/// The instance serves reads. It refers to the transaction from the beginning of a write to its end.
package final class WriteSession {
    /// The instance that is written to.
    package private(set) unowned var owner: (any WriteOwner)!
    package let reader: VersionReader
    package let host: DatabaseHost
    /// Retains the instance while its write is open; nil before the first write. Stored, because looking it up at each
    /// write would be slow, and it never changes for a thread.
    private weak var openWrites: OpenWrites?
    package private(set) var cancelled = CancelledWrites()
    private var count: UInt64 = 0
    package var waiting = AsyncWrites()
    /// Whether the caller has the write lock for a transaction that isn't the instance's, such as an update of
    /// subscriptions. Waiting for the lock would never end.
    package var isHeldElsewhere = false

    package init(_ reader: VersionReader) {
        self.reader = reader
        host = reader.host
    }

    package func attach(to owner: any WriteOwner) { self.owner = owner }

    // MARK: Beginning of a write

    /// Begins a write transaction. Doesn't throw: after a failure, a write is in progress in which changes are skipped,
    /// and whose commit throws the error.
    package func begin() {
        do {
            try enter()
        } catch {
            beginFailed(error)
        }
    }

    /// Begins a write transaction. If it throws, no write is in progress.
    package func enter() throws {
        reader.verifyWritable()
        if reader.isInWriteTransaction || isHeldElsewhere {
            throwRealmException("The Realm is already in a write transaction")
        }
        if waiting.isCompleting {
            throwRealmException("Can't begin a write transaction from inside a commit completion callback.")
        }
        finishGroup()
        do {
            try begin(try claimTurn() ?? reader.database.beginWrite(within: reader.settings.writeLimit))
        } catch {
            requestTurn()
            throw error
        }
    }

    package func begin(_ transaction: WriteTransaction) throws {
        // The version would prevent the reuse of space for the duration of the write.
        reader.releaseVersion()
        do {
            try reader.verifyVersionCount()
        } catch {
            transaction.rollback()
            throw error
        }
        keepInstance()
        owner.writeDidBegin(hasMoved: reader.read(transaction, inWrite: nextNumber()))
    }

    private func keepInstance() {
        let openWrites = openWrites ?? .of(reader.confinement)
        openWrites?.keep(owner)
        self.openWrites = openWrites
    }

    private func nextNumber() -> UInt64 {
        count += 1
        return count
    }

    package func beginFailed(_ error: any Error) {
        reader.currentWrite = nextNumber()
        reader.failWrite(reader.worldFailure(error))
    }

    // MARK: End of a write

    /// Commits the write, and notifies the other instances and the observers.
    package func commit() throws {
        let owner: any WriteOwner = owner
        _ = try commitUnannounced()
        host.notifyOthers(than: owner.port)
        owner.writeDidCommit()
    }

    /// Commits the write. Returns the version that it was based on. The caller notifies the other instances and the
    /// observers.
    package func commitUnannounced() throws -> UInt64 {
        // The open write may have the only reference to the instance.
        let owner: any WriteOwner = owner
        defer { withExtendedLifetime(owner) {} }
        reader.verifyThread()
        verifyInProgress(to: "commit")
        do {
            let transaction = try requireTransaction()
            let base = transaction.baseVersion
            let commit = try transaction.prepareCommit()
            // Pinned before another writer can begin, while this is certainly the newest version.
            let version = try commit.snapshot(label: VersionReader.holder)
            try commit.finish()
            groupEnded(nil)
            host.logCommit()
            try end(at: version)
            return base
        } catch {
            giveUp(error)
            throw error
        }
    }

    package func cancel() {
        // The open write may have the only reference to the instance.
        let owner: any WriteOwner = owner
        defer { withExtendedLifetime(owner) {} }
        reader.verifyThread()
        verifyInProgress(to: "cancel")
        giveUp(nil)
    }

    package func verifyInProgress(to end: String) {
        if waiting.isCompleting {
            throwRealmException("Can't \(end) a write transaction from inside a commit completion callback.")
        }
        if !reader.isInWriteTransaction { throwRealmException("Can't \(end) a non-existing write transaction") }
        if reader.isMigrating { throwRealmException("Can't commit or cancel the write transaction of a migration") }
    }

    /// Throws the error that prevents the commit of the write in progress.
    package func requireTransaction() throws -> WriteTransaction {
        try reader.verifyUnfailed()
        guard let transaction = reader.transaction else {
            throw StorageError(.fileAccess, "the write transaction has not begun")
        }
        return transaction
    }

    /// Ends the write in progress without its changes. Also called after a failed commit.
    package func giveUp(_ error: (any Error)?) {
        let write = reader.currentWrite
        if let transaction = reader.transaction, transaction.isOpen { transaction.rollback() }
        if let error { groupEnded(error) }
        // If no version is available now, the next read tries again.
        try? end()
        cancelled.insert(write, reader.tableSequences())
        owner.writeWasCancelled()
    }

    /// If the block throws an error, everything is rolled back, unless the block has ended the write itself, and the
    /// error is rethrown.
    package func rollingBackOnError<Result>(_ block: () throws -> Result) throws -> Result {
        do {
            return try block()
        } catch {
            if reader.isInWriteTransaction { cancel() }
            throw error
        }
    }

    /// Ends a committed or cancelled write. The next version to read is `version`, or the newest one, which may not be
    /// durable yet. Observers are notified later.
    package func end(at version: Snapshot? = nil) throws {
        openWrites?.release(owner)
        defer {
            requestTurn()
            owner.writeDidEnd()
        }
        try reader.endReadingWrite(at: version) {
            try waiting.group?.newest.snapshot(label: VersionReader.holder)
        }
    }
}
